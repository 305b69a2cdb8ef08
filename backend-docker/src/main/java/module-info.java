/** The backend {@code docker}. */
@org.jspecify.annotations.NullMarked
module dev.stockade.backend.docker {
    requires dev.stockade.api;
    requires dev.stockade.linux.filter;
    requires static org.jspecify;

    provides dev.stockade.api.spi.Backend with
            dev.stockade.backend.docker.DockerBackend;
}
