package dev.stockade.posix;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class BecomeTest {

    private static List<String> lines(Process process) throws Exception {
        return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
                .lines()
                .toList();
    }

    @Test
    void aJvmBecomesTheCommandUnderItsOwnNumber() throws Exception {
        Process process = OtherJvm.run(
                        "become", "/bin/sh", "-c", "echo $$; echo $NAMED $HOME; pwd; cat /proc/$$/comm; exit 9")
                .start();
        String pid = Long.toString(process.pid());
        assertEquals(List.of(pid, pid, "yes", "/", "sh"), lines(process));
        assertEquals(9, process.waitFor());
    }

    @Test
    void nothingOfTheJvmStaysOpenButTheFeeds() throws Exception {
        Process process = OtherJvm.run(
                        "become",
                        "/bin/sh",
                        "-c",
                        "cat <&3; echo; ls /proc/$$/fd | tr '\\n' ' '; echo;"
                                // exec, for a shell that waits blocks signals of its own
                                + " exec grep -E 'SigBlk|SigIgn|Threads' /proc/self/status")
                .start();
        List<String> said = lines(process);
        assertEquals("fed", said.get(1));
        assertEquals("0 1 2 3", said.get(2).strip());
        assertTrue(said.contains("SigBlk:\t0000000000000000"), said.toString());
        assertTrue(said.contains("Threads:\t1"), said.toString());
    }

    @Test
    void aProgramThatIsNotThereIsSaidByTheJvmThatIsStillThere() throws Exception {
        Process process = OtherJvm.run("become", "/no/such")
                .redirectError(ProcessBuilder.Redirect.PIPE)
                .redirectErrorStream(true)
                .start();
        assertTrue(lines(process).toString().contains("not found"));
        assertEquals(1, process.waitFor());
    }

    @Test
    void statusIsKnownAlsoWhereTheJvmWasStartedWithChildrenIgnored() throws Exception {
        List<String> ignoring = List.of("/bin/sh", "-c", "trap '' CHLD; exec \"$@\"", "sh");
        assertEquals(
                7,
                OtherJvm.run(ignoring, "wait", "/bin/sh", "-c", "exit 7")
                        .start()
                        .waitFor());
    }

    @Test
    void nameOfTheFlagIsSaidWhereNativeAccessIsDenied() throws Exception {
        ProcessBuilder builder = OtherJvm.run("refused", "unused");
        builder.command()
                .replaceAll(argument ->
                        argument.startsWith("--enable-native-access") ? "--illegal-native-access=deny" : argument);
        String said = lines(builder.start()).toString();
        assertTrue(said.contains("Unavailable") && said.contains("--enable-native-access=ALL-UNNAMED"), said);
    }
}
