package dev.stockade.backend.landlock;

import dev.stockade.api.LaunchException;
import dev.stockade.backend.landlock.Mounts.Place;
import dev.stockade.posix.CStrings;
import dev.stockade.posix.Linux;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.function.IntSupplier;

/**
 * A mount namespace, made once for many commands: a thread of this JVM may leave the others' with CAP_SYS_ADMIN
 * (unshare(2); only a new user namespace is refused to a process of several threads), and dies, while a descriptor keeps
 * what it made.
 */
final class Namespace {

    /** {@code struct mount_attr}: what to set, to clear, propagation, user namespace. */
    private static final long MOUNT_ATTR = 32;

    private Namespace() {}

    /** Whether it can be done here. Leaves nothing behind. */
    static boolean possible() {
        try {
            new Kernel().linux().close(make(new Mounts(List.of())));
            return true;
        } catch (LaunchException e) {
            return false;
        }
    }

    /** A descriptor of the namespace. */
    static int make(Mounts mounts) {
        return onOwnThread("stockade-mounts", () -> onThisThread(new Kernel(), mounts));
    }

    /** What a thread makes that leaves the others' namespaces: a descriptor of the one it is in then. */
    static int onOwnThread(String name, IntSupplier made) {
        int[] descriptor = {-1};
        List<LaunchException> failed = new ArrayList<>();
        Thread thread = Thread.ofPlatform().daemon().name(name).unstarted(() -> {
            try {
                descriptor[0] = made.getAsInt();
            } catch (LaunchException e) {
                failed.add(e);
            }
        });
        thread.start();
        boolean interrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        if (!failed.isEmpty()) {
            throw failed.get(0);
        }
        if (descriptor[0] < 0) {
            throw new IllegalStateException("no namespace was made");
        }
        return descriptor[0];
    }

    private static int onThisThread(Kernel kernel, Mounts mounts) {
        Linux linux = kernel.linux();
        try (Arena arena = Arena.ofConfined()) {
            long root = CStrings.of(arena, "/");
            long empty = CStrings.of(arena, "");
            Kernel.checked(linux.unshare(Linux.CLONE_NEWNS), "unshare(CLONE_NEWNS)");
            Kernel.checked(linux.mount(0, root, 0, (long) Linux.MS_REC | Linux.MS_PRIVATE, 0), "making mounts private");
            long readOnly = readOnly(arena);
            List<Integer> trees = new ArrayList<>();
            for (Place place : mounts.places()) {
                int tree = clone(kernel, place.source(), empty);
                if (place.readOnly()) {
                    Kernel.checked(
                            linux.mount_setattr(
                                    tree, empty, Linux.AT_EMPTY_PATH | Linux.AT_RECURSIVE, readOnly, MOUNT_ATTR),
                            "making " + place.target() + " read-only");
                }
                trees.add(tree);
            }
            Kernel.checked(
                    linux.mount_setattr(Linux.AT_FDCWD, root, Linux.AT_RECURSIVE, readOnly, MOUNT_ATTR),
                    "making everything read-only");
            for (int i = 0; i < trees.size(); i++) {
                put(kernel, trees.get(i), mounts.places().get(i).target(), empty);
            }
            return own(kernel, "mnt");
        }
    }

    /** A descriptor of a namespace that this thread is in: namespaces(7). */
    static int own(Kernel kernel, String kind) {
        try (Arena arena = Arena.ofConfined()) {
            return (int) Kernel.checked(
                    kernel.linux()
                            .openat(
                                    Linux.AT_FDCWD,
                                    CStrings.of(arena, "/proc/thread-self/ns/" + kind),
                                    Linux.O_RDONLY | Linux.O_CLOEXEC,
                                    0),
                    "opening the namespace " + kind);
        }
    }

    private static int clone(Kernel kernel, Path source, long empty) {
        int at = opened(kernel, source);
        long tree = kernel.linux()
                .open_tree(
                        at,
                        empty,
                        Linux.OPEN_TREE_CLONE | Linux.OPEN_TREE_CLOEXEC | Linux.AT_EMPTY_PATH | Linux.AT_RECURSIVE);
        kernel.linux().close(at);
        return (int) Kernel.checked(tree, "open_tree of " + source);
    }

    private static void put(Kernel kernel, int tree, Path target, long empty) {
        int at = opened(kernel, target);
        long moved = kernel.linux()
                .move_mount(tree, empty, at, empty, Linux.MOVE_MOUNT_F_EMPTY_PATH | Linux.MOVE_MOUNT_T_EMPTY_PATH);
        kernel.linux().close(at);
        kernel.linux().close(tree);
        Kernel.checked(moved, "move_mount to " + target);
    }

    private static int opened(Kernel kernel, Path path) {
        OptionalInt fd = kernel.open(path);
        return fd.orElseThrow(() -> new LaunchException(
                LaunchException.Phase.CONFINE,
                LaunchException.Fault.PROFILE,
                path + " has gone, or cannot be looked up"));
    }

    private static long readOnly(Arena arena) {
        MemorySegment attribute = arena.allocate(MOUNT_ATTR, 8);
        attribute.set(ValueLayout.JAVA_LONG, 0, Linux.MOUNT_ATTR_RDONLY);
        return attribute.address();
    }
}
