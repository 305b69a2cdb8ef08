/** The kit that tries what a backend claims: probes for anyone, and contracts for JUnit that run them. */
module dev.stockade.conformance {
    requires transitive dev.stockade.api;
    requires static org.jspecify;
    requires static org.junit.jupiter.api;

    exports dev.stockade.conformance;
    exports dev.stockade.conformance.probe;
}
