/** Builds seccomp programs. */
@org.jspecify.annotations.NullMarked
module dev.stockade.linux.filter {
    requires static org.jspecify;

    exports dev.stockade.linux.filter;
}
