/** The {@code stockade} command. */
@org.jspecify.annotations.NullMarked
module dev.stockade.cli {
    requires dev.stockade.api;
    requires dev.stockade.config;
    requires dev.stockade.conformance;
    requires static org.jspecify;

    uses dev.stockade.api.spi.Spawner;
}
