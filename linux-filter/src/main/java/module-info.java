/** What the Linux backends share: seccomp filters, as pure functions from a wish to bytes or JSON, and host facts. */
module dev.stockade.linux.filter {
    requires static org.jspecify;

    exports dev.stockade.linux.filter;
    exports dev.stockade.linux.host;
}
