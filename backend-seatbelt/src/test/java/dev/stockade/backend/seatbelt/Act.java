package dev.stockade.backend.seatbelt;

import java.util.Map;

/**
 * One operation that the kernel asks the sandbox about.
 *
 * @param operation its name, never one that stands for several
 * @param subject what it is done to, by kind: path, remote-ip, local-ip, remote-unix, local-unix, service, domain,
 *     kernel-value, target
 */
record Act(String operation, Map<String, String> subject) {

    private static Act of(String operation, String kind, String subject) {
        return new Act(operation, Map.of(kind, subject));
    }

    static Act file(String operation, String path) {
        return of(operation, "path", path);
    }

    static Act read(String path) {
        return file("file-read-data", path);
    }

    static Act lookUp(String path) {
        return file("file-read-metadata", path);
    }

    static Act write(String path) {
        return file("file-write-data", path);
    }

    static Act make(String path) {
        return file("file-write-create", path);
    }

    static Act remove(String path) {
        return file("file-write-unlink", path);
    }

    static Act connect(String address) {
        return of("network-outbound", "remote-ip", address);
    }

    static Act accept(String address) {
        return of("network-inbound", "local-ip", address);
    }

    static Act bind(String address) {
        return of("network-bind", "local-ip", address);
    }

    static Act connectUnix(String path) {
        return of("network-outbound", "remote-unix", path);
    }

    static Act bindUnix(String path) {
        return of("network-bind", "local-unix", path);
    }

    static Act service(String name) {
        return of("mach-lookup", "service", name);
    }

    static Act socket(String domain) {
        return of("system-socket", "domain", domain);
    }

    static Act plain(String operation) {
        return new Act(operation, Map.of());
    }
}
