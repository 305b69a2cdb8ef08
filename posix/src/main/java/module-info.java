/**
 * Starts processes through the C library and the kernel themselves, by the Foreign Function and Memory API. On Java
 * older than 22 it is found, and says that it cannot work.
 */
@SuppressWarnings("module") // the module it is exported to need not be there
module dev.stockade.posix {
    requires static org.jspecify;
    requires transitive dev.stockade.api;

    exports dev.stockade.posix to
            dev.stockade.backend.landlock;

    provides dev.stockade.api.spi.Spawner with
            dev.stockade.posix.PosixSpawnerProvider;
}
