package dev.stockade.posix;

/** Errors of system calls for people: errno(3). */
public final class Errors {

    private Errors() {}

    /** An error's name, and what it means. */
    public static String text(long errno) {
        String name = switch ((int) errno) {
            case Linux.EPERM -> "EPERM (not permitted)";
            case Linux.ENOENT -> "ENOENT (no such file or directory)";
            case Linux.E2BIG -> "E2BIG (too long)";
            case Linux.ENOEXEC -> "ENOEXEC (not a program)";
            case Linux.EAGAIN -> "EAGAIN (too many processes)";
            case 12 -> "ENOMEM (out of memory)";
            case Linux.EACCES -> "EACCES (permission denied)";
            case 20 -> "ENOTDIR (not a directory)";
            case 21 -> "EISDIR (is a directory)";
            case 24 -> "EMFILE (too many open files)";
            case Linux.EROFS -> "EROFS (read-only file system)";
            case Linux.ENOSYS -> "ENOSYS (not in this kernel)";
            default -> "";
        };
        return name.isEmpty() ? "error " + errno : name;
    }
}
