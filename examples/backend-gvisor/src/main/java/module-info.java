/** The backend {@code gvisor}. */
module dev.example.gvisor {
    requires dev.stockade.api;

    provides dev.stockade.api.spi.Backend with
            dev.example.gvisor.GvisorBackend;
}
