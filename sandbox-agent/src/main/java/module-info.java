/** Confines programs that cannot be changed: by an agent of the JVM, or by a main class in front of theirs. */
@org.jspecify.annotations.NullMarked
module dev.stockade.agent {
    requires dev.stockade.api;
    requires static org.jspecify;
}
