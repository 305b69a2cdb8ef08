package dev.stockade.posix;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
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

    static byte[] encoded(String text) {
        return text.getBytes(NATIVE);
    }

    static long bytes(Arena arena, byte[] bytes) {
        MemorySegment string = arena.allocate(bytes.length + 1L);
        MemorySegment.copy(bytes, 0, string, ValueLayout.JAVA_BYTE, 0, bytes.length);
        return string.address();
    }

    static long array(Arena arena, List<String> texts) {
        return arrayOfBytes(arena, texts.stream().map(CStrings::encoded).toList());
    }

    static long arrayOfBytes(Arena arena, List<byte[]> strings) {
        MemorySegment array = arena.allocate(ValueLayout.JAVA_LONG, strings.size() + 1L);
        for (int i = 0; i < strings.size(); i++) {
            array.setAtIndex(ValueLayout.JAVA_LONG, i, bytes(arena, strings.get(i)));
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
