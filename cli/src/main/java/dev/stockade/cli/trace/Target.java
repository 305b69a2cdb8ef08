package dev.stockade.cli.trace;

import java.nio.file.Path;

/** What a system call was about. */
public sealed interface Target {

    /**
     * A file, by the name the command used for it.
     *
     * @param path absolute
     */
    record File(Path path) implements Target {

        @Override
        public String toString() {
            return path.toString();
        }
    }

    /**
     * A host program's Unix socket.
     *
     * @param path absolute
     */
    record UnixSocket(Path path) implements Target {

        @Override
        public String toString() {
            return path.toString();
        }
    }

    /**
     * An internet address.
     *
     * @param address in digits
     * @param port from 0 to 65535
     */
    record Address(String address, int port) implements Target {

        boolean isLoopback() {
            return address.startsWith("127.") || address.equals("::1") || address.startsWith("::ffff:127.");
        }

        @Override
        public String toString() {
            return (address.contains(":") ? "[" + address + "]" : address) + ":" + port;
        }
    }

    /**
     * A host's name that was asked for.
     *
     * @param name with dots
     */
    record Name(String name) implements Target {

        @Override
        public String toString() {
            return name;
        }
    }

    /**
     * Sockets of a kind.
     *
     * @param family such as {@code AF_INET}
     */
    record Family(String family) implements Target {

        @Override
        public String toString() {
            return switch (family) {
                case "AF_INET", "AF_INET6" -> "internet (" + family + ")";
                case "AF_UNIX" -> "Unix (AF_UNIX)";
                default -> family;
            };
        }
    }
}
