package dev.stockade.backend.docker;

import dev.stockade.api.spi.Host;
import java.io.IOException;
import java.nio.file.Files;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Names containers after the process that owns them, so that those of a crashed one can be told from all others. */
final class ContainerName {

    private static final SecureRandom RANDOM = new SecureRandom();
    private static final Pattern NAME = Pattern.compile("stockade-([0-9]+)-([0-9]+)-[0-9a-f]{16}");

    private ContainerName() {}

    static String fresh() {
        byte[] unique = new byte[8];
        RANDOM.nextBytes(unique);
        return "stockade-" + ProcessHandle.current().pid() + "-" + birth(ProcessHandle.current()) + "-"
                + HexFormat.of().formatHex(unique);
    }

    /** Whether a process that does not exist any more made this name; its pid may be another's by now. */
    static boolean isAbandoned(String name) {
        Matcher matcher = NAME.matcher(name);
        try {
            return matcher.matches()
                    && ProcessHandle.of(Long.parseLong(matcher.group(1)))
                            .map(process -> !birth(process).equals(matcher.group(2)))
                            .orElse(true);
        } catch (NumberFormatException e) {
            return false;
        }
    }

    private static String birth(ProcessHandle process) {
        return process.info()
                .startInstant()
                .map(at -> Long.toString(at.toEpochMilli()))
                .orElse("0");
    }

    /**
     * Whose process numbers these are: this user's, on this boot of this kernel, in this process namespace. Several of
     * them may share an engine, and what has no process here may be alive there.
     */
    static Optional<String> owner(Host host) {
        try {
            String boot = Files.readString(host.files().getPath("/proc/sys/kernel/random/boot_id"))
                    .strip();
            String processes = Files.readSymbolicLink(host.files().getPath("/proc/self/ns/pid"))
                    .toString()
                    .replaceAll("[^0-9]", "");
            return Optional.of(boot + "." + processes + "." + host.uid());
        } catch (IOException | UnsupportedOperationException e) {
            return Optional.empty();
        }
    }
}
