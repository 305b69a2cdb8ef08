package dev.stockade.api.internal;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.stockade.api.LaunchException;
import dev.stockade.api.spi.Backend.Jvm;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("A02")
class OwnJvmTest {

    private static final Path HOME = Path.of("/opt/jdk");
    private static final Path JAVA = HOME.resolve("bin/java");

    private static OwnJvm jvm(String cmdline, String environ, Path program, String understood) {
        return new OwnJvm(
                OwnJvm.split(cmdline.getBytes(StandardCharsets.ISO_8859_1)),
                OwnJvm.split(environ.getBytes(StandardCharsets.ISO_8859_1)),
                program,
                HOME,
                understood,
                42);
    }

    private static Jvm described(String cmdline, String environ, String understood) {
        return jvm(cmdline, environ, JAVA, understood).described(Path.of("/"), "mark");
    }

    private static String refusal(OwnJvm jvm) {
        return assertThrows(LaunchException.class, () -> jvm.described(Path.of("/"), "mark"))
                .getMessage();
    }

    @Test
    void bytesComeOutAsTheyCameIn() {
        Jvm jvm = described("service\0-jar\0a.jar\0\0gr\u00fcn\n \0", "A=\u00ff\0B=\0", "a.jar  gr?n\n ");
        assertEquals(5, jvm.argv().size());
        assertArrayEquals(new byte[0], jvm.argv().get(3));
        assertArrayEquals(
                "gr\u00fcn\n ".getBytes(StandardCharsets.ISO_8859_1), jvm.argv().get(4));
        assertArrayEquals(
                "A=\u00ff".getBytes(StandardCharsets.ISO_8859_1),
                jvm.environment().get(0));
        assertEquals(JAVA, jvm.program());
    }

    @Test
    void knowsWhatTheLauncherAddsAndTakesAway() {
        described("java\0-cp\0x\0Main\0a b\0", "", "Main a b");
        described("java\0-m\0m/p.Main\0", "", "m/p.Main");
        described("java\0Main.java\0x\0", "", "jdk.compiler/com.sun.tools.javac.launcher.SourceLauncher Main.java x");
        described("java\0@file\0", "", "Main with arguments of the file");
        jvm("jshell\0-q\0", "", HOME.resolve("bin/jshell"), "jdk.jshell/jdk.internal.jshell.tool.JShellToolProvider -q")
                .described(Path.of("/"), "mark");
    }

    @Test
    void refusesInWordsWhatIsNotTheLaunchersWork() {
        assertTrue(refusal(jvm("office\0", "", Path.of("/usr/bin/office"), ""))
                .contains("it is part of the program /usr/bin/office"));
        assertTrue(refusal(jvm("java\0Main\0", "", Path.of("/opt/jdk/bin/java (deleted)"), "Main"))
                .contains("was replaced or removed since it was started"));
        for (String written : new String[] {"", "my title", "my title\0", "java\0Ma\0"}) {
            assertTrue(refusal(jvm(written, "", JAVA, "Main x")).contains("was written over"), written);
        }
    }

    @Test
    void keepsDescriptorsThatWerePassedOnPurpose() {
        assertEquals(
                Set.of(63, 5),
                described(
                                "java\0M\0/dev/fd/63\0--in=/proc/self/fd/5\0/dev/fd/1\0",
                                "",
                                "M /dev/fd/63 --in=/proc/self/fd/5 /dev/fd/1")
                        .descriptors());
        assertEquals(
                Set.of(3, 4),
                described("java\0M\0", "LISTEN_PID=42\0LISTEN_FDS=2\0", "M").descriptors());
        assertEquals(
                Set.of(),
                described("java\0M\0", "LISTEN_PID=41\0LISTEN_FDS=2\0", "M").descriptors());
        assertEquals(
                Set.of(),
                described("java\0M\0", "LISTEN_PID=42\0LISTEN_FDS=-1\0", "M").descriptors());
    }
}
