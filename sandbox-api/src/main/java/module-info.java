/** What callers of a sandbox use, and what the authors of a backend use. Needs nothing but java.base. */
@org.jspecify.annotations.NullMarked
module dev.stockade.api {
    requires static org.jspecify;

    exports dev.stockade.api;
    exports dev.stockade.api.spi;

    uses dev.stockade.api.spi.Backend;
}
