package dev.stockade.backend.docker;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The small parts: pipes, JSON, names, and an emptied directory. */
class PartsTest {

    @Test
    void aPipeGivesWhatWasWrittenWhicheverThreadReads() throws Exception {
        byte[] bytes = new byte[1_000_003];
        new Random(2).nextBytes(bytes);
        Pipe pipe = new Pipe();
        Thread writer = new Thread(() -> {
            try {
                pipe.write(bytes, bytes.length);
                pipe.end();
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        });
        writer.start();
        InputStream reader = pipe.reader();
        byte[] head = reader.readNBytes(1000);
        byte[] rest = reader.readAllBytes();
        assertEquals(bytes.length, head.length + rest.length);
        assertArrayEquals(java.util.Arrays.copyOfRange(bytes, 1000, bytes.length), rest);
        assertEquals(-1, reader.read());
    }

    @Test
    void aPipeThatNobodyReadsHoldsNoWriterOnceItIsAbandoned() throws Exception {
        Pipe pipe = new Pipe();
        pipe.reader().close();
        pipe.write(new byte[1 << 20], 1 << 20);
    }

    @Test
    void noStringPassesForAKey() {
        String forged = "{\"arguments\":" + Json.strings(List.of("\"ExitCode\":0,", "\\\"ExitCode\\\":1", "a\n\u0001ü"))
                + ",\"ExitCode\":7,\"Running\":false}";
        assertEquals(Optional.of("7"), Json.wordOf("ExitCode", forged));
        assertEquals(Optional.of("false"), Json.wordOf("Running", forged));
        assertEquals(Optional.of("say \"no\""), Json.stringOf("message", "{\"message\":\"say \\\"no\\\"\"}"));
        assertEquals(Optional.empty(), Json.stringOf("Id", forged));
    }

    @Test
    void onlyNamesOfDeadProcessesAreAbandoned() {
        assertFalse(ContainerName.isAbandoned(ContainerName.fresh()));
        String fresh = ContainerName.fresh();
        assertTrue(ContainerName.isAbandoned(fresh.replaceFirst("-[0-9]+-[0-9]+-", "-4194999-1-")));
        assertTrue(ContainerName.isAbandoned(fresh.replaceFirst("-([0-9]+)-[0-9]+-", "-$1-1-")));
        assertFalse(ContainerName.isAbandoned("stockade-mine"));
        assertFalse(ContainerName.isAbandoned("postgres"));
    }

    @Test
    void emptiesADirectoryButForMountPointsAndFollowsNoLink(@TempDir Path host) throws Exception {
        Path outside = Files.writeString(host.resolve("outside"), "stays");
        Path tmp = Files.createDirectory(host.resolve("tmp"));
        Path point = Files.createDirectories(tmp.resolve("a/b/workspace"));
        Files.writeString(point.resolve("file"), "is the workspace's");
        Files.writeString(tmp.resolve("a/b/c"), "goes");
        Files.createDirectories(tmp.resolve("x/y/z"));
        Files.createSymbolicLink(tmp.resolve("x/link"), host);
        assertTrue(TmpDirectory.empty(tmp, List.of(point)));
        assertTrue(Files.exists(outside));
        assertTrue(Files.exists(point.resolve("file")));
        try (var left = Files.walk(tmp)) {
            assertEquals(5, left.count());
        }
    }
}
