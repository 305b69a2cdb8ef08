package dev.stockade.api.internal;

import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.security.SecureRandom;
import java.util.HexFormat;

/** Names that nobody can have first, because nobody can know them. */
final class Unguessable {

    private static final int BYTES = 8;

    private Unguessable() {}

    /**
     * A new one: sixteen hexadecimal digits. From the kernel itself, random(4): a {@link SecureRandom} asks the same
     * after it has looked for a provider, which takes longer than all else that a command line does at its start.
     */
    static String word() {
        byte[] bytes = new byte[BYTES];
        try (InputStream kernel = new FileInputStream("/dev/urandom")) {
            if (kernel.readNBytes(bytes, 0, BYTES) < BYTES) {
                throw new IOException("/dev/urandom has ended");
            }
        } catch (IOException e) {
            new SecureRandom().nextBytes(bytes);
        }
        return HexFormat.of().formatHex(bytes);
    }
}
