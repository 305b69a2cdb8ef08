/** The backend {@code none}. */
@org.jspecify.annotations.NullMarked
module dev.stockade.backend.none {
    requires dev.stockade.api;
    requires static org.jspecify;

    provides dev.stockade.api.spi.Backend with
            dev.stockade.backend.none.NoneBackend;
}
