package dev.stockade.cli.trace;

import java.util.List;

/** What a line of strace's log tells. A task is a thread; its number is the one it has where strace runs. */
sealed interface Event {

    int task();

    /**
     * A system call that has returned.
     *
     * @param name as strace writes it
     * @param arguments as strace writes them
     * @param result what follows the equals sign: {@code 0}, {@code 3</a/file>}, {@code -1 ENOENT (No such…)}
     */
    record Call(int task, String name, List<String> arguments, String result) implements Event {

        public Call {
            arguments = List.copyOf(arguments);
        }

        String argument(int index) {
            return index >= 0 && index < arguments.size() ? arguments.get(index) : "";
        }

        /** The error's name; empty if it succeeded. */
        String error() {
            if (!result.startsWith("-1 ")) {
                return "";
            }
            int end = result.indexOf(' ', 3);
            return result.substring(3, end < 0 ? result.length() : end);
        }

        boolean succeeded() {
            return !result.startsWith("-1") && !result.startsWith("?");
        }
    }

    /**
     * A task that is no more.
     *
     * @param status as a shell gives it: 128+n after a signal
     */
    record Ended(int task, int status) implements Event {}
}
