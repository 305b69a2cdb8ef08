/** The backend that confines by Landlock and seccomp, from the thread that starts the command. Needs nothing installed. */
module dev.stockade.backend.landlock {
    requires static org.jspecify;
    requires dev.stockade.api;
    requires dev.stockade.linux.filter;
    requires dev.stockade.posix;

    provides dev.stockade.api.spi.Backend with
            dev.stockade.backend.landlock.LandlockBackendProvider;
}
