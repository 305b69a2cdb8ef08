package dev.stockade.api.internal;

import dev.stockade.api.spi.Host;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Where a user's tools keep their things: in the home directory, unless a variable of the tool's says otherwise.
 *
 * <p>Places are written as the tools' own manuals write them, from the home directory on: {@code .cargo/registry}. If
 * the caller's environment moves the beginning of one ({@code CARGO_HOME} for {@code .cargo}), the moved place counts
 * as well.
 */
record UserDirectories(Host host) {

    /** XDG Base Directory Specification 0.8, and the manuals of Cargo, Gradle, Go, npm, pnpm and the cloud tools. */
    private static final Map<String, String> MOVED_BY = Map.ofEntries(
            Map.entry("XDG_CONFIG_HOME", ".config"),
            Map.entry("XDG_CACHE_HOME", ".cache"),
            Map.entry("XDG_DATA_HOME", ".local/share"),
            Map.entry("XDG_STATE_HOME", ".local/state"),
            Map.entry("CARGO_HOME", ".cargo"),
            Map.entry("GRADLE_USER_HOME", ".gradle"),
            Map.entry("GOPATH", "go"),
            Map.entry("GOMODCACHE", "go/pkg/mod"),
            Map.entry("GOCACHE", ".cache/go-build"),
            Map.entry("PIP_CACHE_DIR", ".cache/pip"),
            Map.entry("UV_CACHE_DIR", ".cache/uv"),
            Map.entry("npm_config_cache", ".npm"),
            Map.entry("NPM_CONFIG_USERCONFIG", ".npmrc"),
            Map.entry("PNPM_HOME", ".local/share/pnpm"),
            Map.entry("GNUPGHOME", ".gnupg"),
            Map.entry("DOCKER_CONFIG", ".docker"),
            Map.entry("KUBECONFIG", ".kube/config"),
            Map.entry("AWS_SHARED_CREDENTIALS_FILE", ".aws/credentials"),
            Map.entry("AZURE_CONFIG_DIR", ".azure"),
            Map.entry("CLOUDSDK_CONFIG", ".config/gcloud"),
            Map.entry("GH_CONFIG_DIR", ".config/gh"),
            Map.entry("NETRC", ".netrc"),
            Map.entry("PASSWORD_STORE_DIR", ".password-store"),
            Map.entry("PGPASSFILE", ".pgpass"),
            Map.entry("GOOGLE_APPLICATION_CREDENTIALS", ".config/gcloud/application_default_credentials.json"));

    /** Every place that one of these can be. */
    List<Path> all(List<String> places) {
        List<Path> all = new ArrayList<>();
        for (String place : places) {
            all.add(host.home().resolve(place));
            MOVED_BY.forEach((variable, usual) -> {
                if (place.equals(usual) || place.startsWith(usual + "/")) {
                    String rest = place.substring(usual.length());
                    for (String moved :
                            host.environment().getOrDefault(variable, "").split(":", -1)) {
                        path(moved, rest).ifPresent(all::add);
                    }
                }
            });
        }
        return all;
    }

    /** The absolute entries of the caller's search path. */
    List<Path> searchPath() {
        List<Path> entries = new ArrayList<>();
        for (String entry : host.environment().getOrDefault("PATH", "").split(":", -1)) {
            path(entry, "").ifPresent(entries::add);
        }
        return entries;
    }

    private Optional<Path> path(String absolute, String rest) {
        try {
            return absolute.startsWith("/")
                    ? Optional.of(host.files().getPath(absolute + rest).normalize())
                    : Optional.empty();
        } catch (InvalidPathException e) {
            return Optional.empty();
        }
    }
}
