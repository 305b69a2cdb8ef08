/** Builds the seccomp filters that Stockade's Linux backends install: pure functions from a wish to bytes or JSON. */
module dev.stockade.linux.filter {
    requires static org.jspecify;

    exports dev.stockade.linux.filter;
}
