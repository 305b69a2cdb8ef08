package dev.stockade.backend.landlock;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.stockade.api.Command;
import dev.stockade.api.Profile;
import dev.stockade.api.Result;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a command can read and write, each with the twin that shows that the probe itself works. */
@Timeout(120)
class FilesTest {

    @TempDir
    Path directory;

    private Path workspace;
    private Path outside;
    private Profile profile;

    @BeforeEach
    void makeDirectories() throws IOException {
        Live.required();
        workspace = Files.createDirectory(directory.resolve("workspace")).toRealPath();
        outside = Files.createDirectory(directory.resolve("outside")).toRealPath();
        Files.writeString(outside.resolve("canary"), "sings");
        profile = Profile.builder(workspace).build();
    }

    private void fails(Profile in, String script) throws InterruptedException {
        Result result = Live.sh(in, script);
        assertNotEquals(
                0, result.exitStatus(), script + " worked: " + result.stdout().text());
    }

    private void works(Profile in, String script) throws InterruptedException {
        Result result = Live.sh(in, script);
        assertEquals(0, result.exitStatus(), script + ": " + result.stderr().text());
    }

    @Test
    @Tag("M18")
    void systemIsReadAndExecutedAndTheWorkspaceWritten() throws Exception {
        works(
                profile,
                "ls /usr/bin >/dev/null && cat /etc/passwd >/dev/null && echo x > made && mkdir d && mv made d/");
        assertTrue(Files.exists(workspace.resolve("d/made")));
    }

    @Test
    @Tag("M18")
    void whatIsNotGrantedIsNotReadAndIsWhereItIsGranted() throws Exception {
        fails(profile, "cat " + outside + "/canary");
        fails(profile, "ls " + outside);
        works(profile.toBuilder().readable(outside).build(), "cat " + outside + "/canary && ls " + outside);
    }

    @Test
    void whatIsNotGrantedIsNotWrittenAndIsWhereItIsGranted() throws Exception {
        Profile writable = profile.toBuilder().writable(outside).build();
        for (String act : new String[] {
            "echo x > %s/new",
            "echo x >> %s/canary",
            ": > %s/canary",
            "mkdir %s/d",
            "rm %s/canary",
            "echo x > f && mv f %s/f",
            "mv %s/canary stolen",
            "ln %s/canary %s/linked",
            "ln -s x %s/link"
        }) {
            Files.writeString(outside.resolve("canary"), "sings");
            fails(profile, act.formatted(outside, outside));
            fails(profile.toBuilder().readable(outside).build(), act.formatted(outside, outside));
            assertEquals("sings", Files.readString(outside.resolve("canary")));
            works(writable, act.formatted(outside, outside));
            Live.sh(writable, "rm -rf " + outside + "/* " + workspace + "/*");
        }
    }

    @Test
    void aLinkPlantedInTheWorkspaceLeadsNowhere() throws Exception {
        Files.createSymbolicLink(workspace.resolve("link"), outside);
        fails(profile, "cat link/canary");
    }

    @Test
    void theWayThroughProcLeadsNowhere() throws Exception {
        for (String way : new String[] {"cwd", "root/etc", "environ", "mem", "fd/0", "maps"}) {
            fails(profile, "cat /proc/$PPID/" + way + " || ls /proc/$PPID/" + way + "/");
        }
        works(profile, "cat /proc/self/environ >/dev/null && ls /proc/self/fd /proc/self/cwd/");
    }

    @Test
    @Tag("S07")
    void temporaryFilesArePrivateAndGoWithTheSandbox() throws Exception {
        Path shared = Files.createTempFile("stockade-test", "");
        try {
            works(profile, "f=$(mktemp) && echo x > $f && test \"$TMPDIR\" = \"$TMP\" && test \"$TMP\" = \"$TEMP\"");
            fails(profile, "cat " + shared);
            works(profile.toBuilder().tmp(Profile.Tmp.SHARED).build(), "cat " + shared);
            assertTrue(Live.sh(profile, "echo $TMPDIR").stdout().text().length() < 90);
        } finally {
            Files.delete(shared);
        }
    }

    @Test
    @Tag("M18")
    void onlyHarmlessDevicesAreThere() throws Exception {
        works(profile, "echo x >/dev/null && head -c1 /dev/zero >/dev/null && head -c1 /dev/urandom >/dev/null");
        fails(profile, "ls /dev/pts");
        fails(profile, "ls /dev");
    }

    @Test
    @Tag("S12")
    void aHiddenPathInAReadableTreeIsHeldByGrantingItsSiblings() throws Exception {
        Files.createDirectories(outside.resolve("a/secret"));
        Files.writeString(outside.resolve("a/secret/key"), "k");
        Files.writeString(outside.resolve("a/open"), "o");
        Profile hiding = profile.toBuilder()
                .readable(outside)
                .hidden(outside.resolve("a/secret"), outside.resolve("a/later"))
                .build();
        fails(hiding, "cat " + outside + "/a/secret/key");
        fails(hiding, "ls " + outside + "/a/secret");
        works(hiding, "cat " + outside + "/a/open " + outside + "/canary");
        try (var sandbox = Live.LANDLOCK.open(hiding)) {
            Files.writeString(outside.resolve("a/later"), "l");
            Files.writeString(outside.resolve("a/new"), "n");
            assertNotEquals(
                    0, sandbox.run(Command.of("cat", outside + "/a/later")).exitStatus());
            assertEquals(0, sandbox.run(Command.of("cat", outside + "/a/new")).exitStatus());
        }
    }

    @Test
    @Tag("S12")
    void allOfTheHostIsReadButWhatIsHidden() throws Exception {
        Profile host = profile.toBuilder()
                .reads(Profile.Reads.HOST)
                .hidden(Path.of("/var/lib/dpkg"))
                .build();
        works(host, "ls /var/lib/apt /usr/share >/dev/null");
        fails(host, "ls /var/lib/dpkg");
        fails(host, "cat " + outside + "/canary");
    }

    @Test
    void aReadOnlyWorkspaceIsNotWritten() throws Exception {
        Files.writeString(workspace.resolve("f"), "x");
        Profile readOnly = Profile.builder(workspace).workspaceReadOnly().build();
        works(readOnly, "cat f && echo y > $TMPDIR/y");
        fails(readOnly, "echo y > f");
        fails(readOnly, "rm f");
    }

    @Test
    void thisJvmStaysUnconfined() throws Exception {
        works(profile, "true");
        assertFalse(ThreadsTest.anyConfined(), "a thread stayed confined");
        assertEquals("sings", Files.readString(outside.resolve("canary")));
    }
}
