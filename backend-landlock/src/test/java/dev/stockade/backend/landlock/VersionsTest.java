package dev.stockade.backend.landlock;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Kernels that seem older: a program answers the Landlock calls as their versions did. */
@Timeout(120)
class VersionsTest {

    @TempDir
    Path directory;

    private String older = "";

    @BeforeEach
    void compile() throws Exception {
        Live.required();
        older = OlderKernel.into(directory);
    }

    private String tryAt(int version) throws IOException {
        Process process = OtherJvm.run(List.of(older, Integer.toString(version)), "try", directory.toString())
                .start();
        return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }

    @Test
    @Tag("M22")
    void saysWhatIsMissingWhereThereIsNoLandlock() throws IOException {
        assertTrue(tryAt(0).contains("Unavailable[reason=this kernel has no Landlock (ENOSYS)"));
        assertTrue(tryAt(-1).contains("not enabled at boot (EOPNOTSUPP)"));
    }

    @ParameterizedTest
    @Tag("M16")
    @ValueSource(ints = {1, 2})
    void refusesWhatCannotHoldFiles(int version) throws IOException {
        String said = tryAt(version);
        assertTrue(said.contains("refused") && said.contains("landlock.partial"), said);
    }

    @ParameterizedTest
    @Tag("M17")
    @ValueSource(ints = {3, 4, 5, 6, 7})
    void confinesAndProvesItAndSurvivesItsOwnTreeKill(int version) throws IOException {
        assumeTrue(new Kernel().version() >= version);
        String said = tryAt(version);
        assertTrue(said.contains("held\nran=0\nread=false truncated=false\nnetwork=false"), said);
        assertTrue(said.contains("signals=" + (version < 6)), said);
        assertTrue(said.contains("signalled=" + (version < 6)), said);
        assertTrue(said.contains("survived"), said);
    }

    @Test
    void aJvmBecomesTheConfinedCommand() throws Exception {
        Path canary = Files.writeString(directory.resolve("canary"), "sings");
        Process process = OtherJvm.run(
                        List.of(),
                        "become",
                        directory.toString(),
                        "echo $$; cat /proc/$$/comm; cat " + canary
                                + " 2>/dev/null; echo $?; echo x > $TMPDIR/t && cat $TMPDIR/t;"
                                + " grep -E 'NoNewPrivs|Seccomp:|CapEff' /proc/$$/status; cat /proc/$$/task/$$/children;"
                                + " exit 5")
                .start();
        List<String> said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
                .lines()
                .toList();
        assertEquals(said.get(0), said.get(1), said.toString());
        assertEquals(
                List.of("sh", "1", "x", "CapEff:\t0000000000000000", "NoNewPrivs:\t1", "Seccomp:\t2"),
                said.subList(2, said.size() - 1));
        // A child of ours that the command does not know of would be another one beside the cat that reads this.
        assertTrue(said.get(said.size() - 1).strip().matches("\\d+"), said.toString());
        assertEquals(5, process.waitFor());
    }
}
