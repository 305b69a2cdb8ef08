/** Profiles from files. */
@org.jspecify.annotations.NullMarked
module dev.stockade.config {
    requires transitive dev.stockade.api;
    requires com.fasterxml.jackson.core;
    requires com.fasterxml.jackson.dataformat.toml;
    requires static org.jspecify;

    exports dev.stockade.config;
}
