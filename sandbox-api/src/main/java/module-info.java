/** What callers of a sandbox use, and what authors of a backend implement. Needs nothing but {@code java.base}. */
module dev.stockade.api {
    requires static org.jspecify;

    exports dev.stockade.api;
    exports dev.stockade.api.spi;

    uses dev.stockade.api.spi.Backend;
    uses dev.stockade.api.spi.ProfileProvider;
    uses dev.stockade.api.spi.Spawner;

    provides dev.stockade.api.spi.ProfileProvider with
            dev.stockade.api.internal.BuiltInProfiles;
}
