package dev.stockade.api.internal;

import java.util.List;

/**
 * Where package managers and build tools keep what they fetched, from the home directory on.
 *
 * <p>Never a tool's directory as a whole: {@code .cargo/bin} or {@code .gradle/wrapper} would let a build replace the
 * programs that the user runs unconfined.
 */
final class PackageCaches {

    private static final List<String> PLACES = List.of(
            ".cache",
            "Library/Caches",
            ".cargo/registry",
            ".cargo/git",
            ".cargo/.package-cache",
            ".cargo/.package-cache-mutate",
            ".cargo/.global-cache",
            ".m2/repository",
            ".m2/build-cache",
            ".gradle/caches",
            ".gradle/daemon",
            ".gradle/native",
            ".gradle/notifications",
            ".gradle/workers",
            ".gradle/.tmp",
            ".ivy2/cache",
            ".ivy2/local",
            ".cache/pip",
            ".cache/uv",
            ".cache/go-build",
            "go/pkg/mod",
            "go/pkg/sumdb",
            ".npm",
            ".local/share/pnpm/store",
            ".local/state/pnpm",
            ".pnpm-store",
            "Library/pnpm/store",
            ".yarn/berry",
            ".bun/install/cache",
            ".ccache",
            ".composer/cache",
            ".nuget/packages",
            ".local/share/NuGet");

    /** In a cache, and yet run by the user's own shims: Corepack's yarn and pnpm, pre-commit's hooks. */
    private static final List<String> PROGRAMS = List.of(".cache/node/corepack", ".cache/pre-commit");

    private PackageCaches() {}

    /** What a build may write. */
    static List<String> places() {
        return PLACES;
    }

    /** What lies in one of those places and is not to be written all the same. */
    static List<String> programs() {
        return PROGRAMS;
    }
}
