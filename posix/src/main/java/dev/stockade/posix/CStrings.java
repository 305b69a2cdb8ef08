package dev.stockade.posix;

import java.lang.foreign.Arena;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** Text as C has it. */
public final class CStrings {

    /** What the JVM decodes file names and arguments with: a name it has read is to come out as it was. */
    private static final Charset NATIVE =
            Charset.forName(System.getProperty("sun.jnu.encoding", StandardCharsets.UTF_8.name()));

    private CStrings() {}

    /**
     * One string.
     *
     * @param arena owns it
     * @param text without NUL
     * @return its address
     */
    public static long of(Arena arena, String text) {
        return bytes(arena, encoded(text));
    }

    /**
     * One string where another one was: there may be hundreds, one after the other.
     *
     * @param memory as much as fits into it is written; without a NUL at the end if it does not fit
     * @param text without NUL
     */
    public static void put(Struct memory, String text) {
        byte[] bytes = encoded(text);
        memory.put(Arrays.copyOf(bytes, Math.min(bytes.length + 1, memory.size())));
    }

    static byte[] encoded(String text) {
        return text.getBytes(NATIVE);
    }

    static long bytes(Arena arena, byte[] bytes) {
        return new Struct(arena, bytes.length + 1L).put(bytes).address();
    }

    static long array(Arena arena, List<String> texts) {
        Struct array = new Struct(arena, Long.BYTES * (texts.size() + 1L));
        for (int i = 0; i < texts.size(); i++) {
            array.putLong(i * Long.BYTES, of(arena, texts.get(i)));
        }
        return array.address();
    }

    static long arrayOfBytes(Arena arena, List<byte[]> strings) {
        Struct array = new Struct(arena, Long.BYTES * (strings.size() + 1L));
        for (int i = 0; i < strings.size(); i++) {
            array.putLong(i * Long.BYTES, bytes(arena, strings.get(i)));
        }
        return array.address();
    }

    static long environment(Arena arena, Map<String, String> variables) {
        return array(
                arena,
                variables.entrySet().stream()
                        .map(variable -> variable.getKey() + "=" + variable.getValue())
                        .toList());
    }
}
