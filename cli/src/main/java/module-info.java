/** The {@code stockade} command. */
@org.jspecify.annotations.NullMarked
module dev.stockade.cli {
    requires dev.stockade.api;
    requires dev.stockade.config;
    requires static org.jspecify;
}
