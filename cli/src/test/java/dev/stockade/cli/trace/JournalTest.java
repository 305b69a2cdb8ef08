package dev.stockade.cli.trace;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.stockade.cli.trace.Event.Call;
import dev.stockade.cli.trace.Event.Ended;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Lines as strace 6.1 writes them, and what they come to. */
class JournalTest {

    private static final Path WORKSPACE = Path.of("/home/me/project");

    private final Journal journal = new Journal(WORKSPACE, WORKSPACE, attempt -> true);

    private List<Refusal> after(String... lines) throws IOException {
        String log = String.join("\n", lines) + "\n";
        journal.read(new ByteArrayInputStream(log.getBytes(StandardCharsets.ISO_8859_1)));
        return journal.refusals();
    }

    private String told(String... lines) throws IOException {
        return String.join(
                "\n",
                after(lines).stream()
                        .map(refusal -> refusal.operation().word() + " " + refusal.target() + " " + refusal.times()
                                + " " + refusal.programs() + (refusal.aside().isEmpty() ? "" : " aside"))
                        .toList());
    }

    @Test
    void readsACallWhateverStandsInItsArguments() {
        StraceLog log = new StraceLog();
        Optional<Event> event =
                log.event("12    openat(AT_FDCWD</a, b) \\76>, \"x\\\"), = -1 \\303\\244\\n\", O_RDONLY|O_CLOEXEC) ="
                        + " -1 EACCES (Permission denied)");
        Call call = (Call) event.orElseThrow();
        assertEquals("EACCES", call.error());
        assertEquals(Optional.of("/a, b) >"), StraceLog.pathOf(call.argument(0)));
        assertEquals(Optional.of("x\"), = -1 ä\n"), StraceLog.text(call.argument(1)));
        assertEquals(Optional.of(new Ended(3, 137)), log.event("3 +++ killed by SIGKILL +++"));
        assertEquals(Optional.of(new Ended(3, 2)), log.event("3 +++ exited with 2 +++"));
    }

    @Test
    void completesACallThatAnotherTaskInterrupted() throws IOException {
        assertEquals(
                "read /data/x 1 [cat]",
                told(
                        "7 execve(\"/usr/bin/cat\", [\"cat\"], 0x1 /* 6 vars */) = 0",
                        "7 openat(AT_FDCWD</home/me/project>, \"/data/x\", O_RDONLY <unfinished ...>",
                        "8 openat(AT_FDCWD</home/me/project>, \"/data/y\", O_RDONLY <unfinished ...>",
                        "7 <... openat resumed>) = -1 ENOENT (No such file or directory)",
                        "8 <... openat resumed>) = 3</data/y>",
                        "7 +++ exited with 1 +++"));
    }

    @Test
    void takesRelativePathsFromWhereTheProcessIs() throws IOException {
        assertEquals(
                "read /srv/b/old 1 [sh]\nwrite /srv/b/new 1 [sh]\nread /other/z 1 [sh]",
                told(
                                "2 execve(\"/bin/sh\", [\"sh\"], 0x1 /* 6 vars */) = 0",
                                "2 access(\"../../../other/z\", R_OK) = -1 ENOENT (No such file or directory)",
                                "2 chdir(\"/srv/a\") = 0",
                                "2 clone(child_stack=NULL, flags=CLONE_CHILD_CLEARTID|SIGCHLD) = 3",
                                "3 chdir(\"../b\") = 0",
                                "3 rename(\"old\", \"new\") = -1 EROFS (Read-only file system)",
                                "3 readlink(\"old\", 0x7, 10) = -1 ENOENT (No such file or directory)",
                                "3 +++ exited with 1 +++",
                                "2 +++ exited with 1 +++")
                        .replace("write /srv/b/old 1 [sh]\n", ""));
    }

    @Test
    void aThreadFailsWithItsProcessAndAChildForItself() throws IOException {
        assertEquals(
                "read /data/thread 1 [java]\nread /data/child 1 [java] aside",
                told(
                        "2 execve(\"/usr/bin/java\", [\"java\"], 0x1 /* 6 vars */) = 0",
                        // A child's first lines may precede what tells who it is.
                        "4 access(\"/data/child\", R_OK) = -1 ENOENT (No such file or directory)",
                        "2 clone(child_stack=NULL, flags=SIGCHLD) = 4",
                        "3 access(\"/data/thread\", R_OK) = -1 ENOENT (No such file or directory)",
                        "2 clone(child_stack=0x7, flags=CLONE_VM|CLONE_FS|CLONE_THREAD) = 3",
                        "3 +++ exited with 0 +++",
                        "4 +++ exited with 0 +++",
                        "2 +++ exited with 1 +++"));
    }

    @Test
    void aSearchThatFindsSomethingIsNoFailure() throws IOException {
        assertEquals(
                "read /opt/a/tool 1 [sh] aside",
                told(
                        "2 execve(\"/bin/sh\", [\"sh\"], 0x1 /* 6 vars */) = 0",
                        "2 stat(\"/opt/a/tool\", 0x7) = -1 ENOENT (No such file or directory)",
                        "2 stat(\"/usr/bin/tool\", {st_mode=S_IFREG|0755, st_size=9, ...}) = 0",
                        "2 +++ exited with 1 +++"));
    }

    @Test
    void whatIsLookedForOnTheWayUpIsNotMissed() throws IOException {
        assertTrue(told(
                        "2 execve(\"/bin/node\", [\"node\"], 0x1 /* 6 vars */) = 0",
                        "2 stat(\"/home/me/project/node_modules/x\", 0x7) = -1 ENOENT (No such file or directory)",
                        "2 stat(\"/home/me/node_modules/x\", 0x7) = -1 ENOENT (No such file or directory)",
                        "2 +++ exited with 1 +++")
                .contains("read /home/me/node_modules/x 1 [node] aside"));
    }

    @Test
    void directoriesThatAreOnlyPassedAreNotMeant() throws IOException {
        assertEquals(
                "read /data/a/x 1 [p]\nread /data 1 [p] aside",
                told(
                        "2 execve(\"/bin/p\", [\"p\"], 0x1 /* 6 vars */) = 0",
                        "2 readlink(\"/data\", 0x7, 10) = -1 ENOENT (No such file or directory)",
                        "2 openat(AT_FDCWD</w>, \"/data/a/x\", O_RDONLY) = -1 ENOENT (No such file or directory)",
                        "2 +++ exited with 1 +++"));
    }

    @Test
    void knowsTheAddressAlsoOfAConnectionThatFailsLate() throws IOException {
        assertEquals(
                "connect 127.0.0.1:8080 1 [node]\nconnect [2606::1]:443 1 [node]",
                told(
                        "2 execve(\"/bin/node\", [\"node\"], 0x1 /* 6 vars */) = 0",
                        "2 connect(18<socket:[9]>, {sa_family=AF_INET, sin_port=htons(8080),"
                                + " sin_addr=inet_addr(\"127.0.0.1\")}, 16) = -1 EINPROGRESS (Operation now in progress)",
                        "2 connect(19<socket:[8]>, {sa_family=AF_INET6, sin6_port=htons(443), sin6_flowinfo=htonl(0),"
                                + " inet_pton(AF_INET6, \"2606::1\", &sin6_addr), sin6_scope_id=0}, 28) = -1 ENETUNREACH (Network is unreachable)",
                        "2 getsockopt(18<socket:[9]>, SOL_SOCKET, SO_ERROR, [ECONNREFUSED], [4]) = 0",
                        "2 +++ exited with 1 +++"));
    }

    @Test
    void readsTheNameThatANameServerWasAskedFor() throws IOException {
        assertEquals(
                "connect www.example.org 2 [curl]",
                told(
                        "2 execve(\"/bin/curl\", [\"curl\"], 0x1 /* 6 vars */) = 0",
                        "2 connect(5<socket:[9]>, {sa_family=AF_INET, sin_port=htons(53),"
                                + " sin_addr=inet_addr(\"127.0.0.53\")}, 16) = 0",
                        "2 sendto(5<socket:[9]>, \"\\353\\10\\1\\0\\0\\1\\0\\0\\0\\0\\0\\0\\3www\\7example\\3org\\0\\0\\1\\0\\1\", 33,"
                                + " MSG_NOSIGNAL, NULL, 0) = 33",
                        "2 sendmmsg(5<socket:[9]>, [{msg_hdr={msg_name=NULL, msg_namelen=0, msg_iov=[{iov_base="
                                + "\"\\353\\10\\1\\0\\0\\1\\0\\0\\0\\0\\0\\0\\3www\\7example\\3org\\0\\0\\34\\0\\1\", iov_len=33}],"
                                + " msg_iovlen=1, msg_controllen=0, msg_flags=0}, msg_len=33}], 1, MSG_NOSIGNAL) = 1",
                        "2 +++ exited with 6 +++"));
    }

    /** The command can write into its own log. */
    @Test
    void isNotUpsetByAnyText() throws IOException {
        Random random = new Random(7);
        String alphabet = "0123 \"\\<>(){}[],=+-.ab/openat connect resumed unfinished exited with \0\u00ff";
        for (int round = 0; round < 20_000; round++) {
            StringBuilder line = new StringBuilder(round % 2 == 0 ? "2 openat(" : "");
            for (int i = random.nextInt(60); i > 0; i--) {
                line.append(alphabet.charAt(random.nextInt(alphabet.length())));
            }
            after(line.toString());
        }
        after("2 openat(AT_FDCWD, \"" + "x/".repeat(1 << 20) + "\", O_RDONLY) = -1 ENOENT (No such file)");
        assertTrue(after("99999999999999999999 openat(", "2 clone(flags=0) = 99999999999", "<... x resumed>")
                        .size()
                < 30_000);
    }
}
