package dev.stockade.cli;

import static java.util.stream.Collectors.joining;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.stockade.api.Availability;
import dev.stockade.api.Backends;
import dev.stockade.api.Capabilities;
import dev.stockade.api.Reach;
import dev.stockade.api.spi.Assessment;
import dev.stockade.api.spi.Assessment.Refusal;
import dev.stockade.api.spi.Host;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What explain, doctor and wrap print, with backends that cannot start anything. */
class AnswersTest {

    /** Exists everywhere, and its name has the same length everywhere. */
    private static final String WORKSPACE = "/var/tmp";

    private static final PretendBackend STRONG = PretendBackend.working(
            "strong",
            Capabilities.EVERYTHING
                    .closing(Reach.SEND_OFF_MACHINE, "a network of its own")
                    .closing(Reach.HOST_LOOPBACK, "a network of its own")
                    .closing(Reach.HOST_UNIX_SOCKETS, "no socket is created")
                    .closing(Reach.READ_BEYOND, "a view of the files of its own")
                    .closing(Reach.WRITE_BEYOND, "a view of the files of its own")
                    .closing(Reach.SHARED_TMP, "a /tmp of its own"));

    private static final PretendBackend MISSING = new PretendBackend(
            "missing",
            true,
            new Availability.Unavailable("its program is not installed", "apt-get install missing"),
            Assessment.holds(Capabilities.EVERYTHING));

    private static final PretendBackend STUBBORN = new PretendBackend(
            "stubborn",
            true,
            new Availability.Available("stubborn 2"),
            new Assessment(List.of(new Refusal("network", "it has none")), Capabilities.EVERYTHING));

    private static final PretendBackend OPEN = new PretendBackend(
            "open", false, new Availability.Available("confines nothing"), Assessment.holds(Capabilities.EVERYTHING));

    private static final Backends ALL = Backends.of(STRONG, MISSING, STUBBORN, OPEN);

    private static Arguments arguments(String line) {
        return Parser.parse(List.of(line.split(" ")));
    }

    private static Told explain(Backends backends, String options) {
        Arguments arguments = arguments("explain --workspace " + WORKSPACE + options);
        return Told.by(console -> new Explain(arguments, backends, Host.local()).perform(console));
    }

    private static Told wrap(Backends backends, String options) {
        Arguments arguments = arguments("wrap --workspace " + WORKSPACE + options);
        return Told.by(console -> new Wrap(arguments, backends, Host.local()).perform(console));
    }

    @Test
    @Tag("M23")
    void explainsWhatACommandCouldDoAndWhy() {
        Told told = explain(ALL, " --rw /srv --ro /nowhere --hide /nowhere/.env --env TERM --env TOKEN=hunter2");
        assertEquals("""
                The command would be confined by strong (strong 1.0). It cannot reach the
                network, and it can reach data beyond its workspace.

                Asked for
                  read        the workspace /var/tmp, /nowhere, /srv, the operating system
                              (/usr, /etc without its secrets, and the like)
                  write       the workspace, /srv
                  hidden      /nowhere/.env
                  network     off
                  variables   TERM, TOKEN
                  /tmp        one of its own

                It cannot
                  send anything off this machine
                      a network of its own
                  connect to servers on the host's loopback
                      a network of its own
                  ask host programs through their Unix sockets
                      no socket is created
                  share /tmp with other programs
                      a /tmp of its own

                It still can, though this was not asked for
                  change mode, owner or times of files beyond the workspace
                      nothing closes it here
                  see other processes and their arguments
                      nothing closes it here
                  signal or trace other processes
                      nothing closes it here
                  type into the caller's terminal
                      nothing closes it here
                  gain privileges
                      nothing closes it here
                  outlive its caller
                      nothing closes it here

                It can, as asked
                  read beyond the workspace
                      the profile grants /srv
                  write beyond the workspace
                      the profile makes /srv writable

                Who said so
                  the default: mode required
                  profile strict: workspace /var/tmp; reads system; network off; tmp private
                  --ro: readable /nowhere
                  --hide: hidden /nowhere/.env
                  --rw: writable /srv
                  --env: env TERM

                Worth knowing
                  --ro: readable /nowhere does not exist and is skipped

                Other backends
                  missing     does not work here: its program is not installed. apt-get install
                              missing
                  open        would have to be named: --backend open
                  stubborn    refuses network: it has none
                """, told.out());
        assertEquals(0, told.status());
        assertEquals("", told.err());
    }

    @Test
    void namesAsManyPathsAsSomebodyReads() {
        String twenty = IntStream.range(0, 20).mapToObj(i -> " --hide /h" + i).collect(joining());
        assertTrue(explain(ALL, twenty).out().contains(", and 8 more (--json names them)"));
        assertTrue(explain(ALL, twenty + " --json").out().contains("\"/h19\""));
    }

    @Test
    void explainsWhyNothingWouldRun() {
        Told told = explain(Backends.of(MISSING, OPEN), "");
        assertEquals(1, told.status());
        assertTrue(
                told.out().startsWith("Nothing would be run: no backend that may be chosen can hold this here.\n"),
                told.out());
        assertFalse(told.out().contains("It cannot"), told.out());
        assertEquals(0, explain(Backends.of(MISSING, OPEN), " --backend open").status());
    }

    @Test
    void refusesAClosedNetworkThatIsHeldInPartOnly() {
        Backends leaky = Backends.of(PretendBackend.working(
                "leaky", Capabilities.EVERYTHING.closing(Reach.SEND_OFF_MACHINE, "a network of its own")));
        assertEquals(1, explain(leaky, "").status());
        assertEquals(0, explain(leaky, " --partial").status());
    }

    @Test
    void explainsToPrograms() {
        String json = explain(ALL, " --network loopback --json").out();
        assertTrue(json.startsWith("{\n  \"runs\": true,\n  \"backend\": \"strong\",\n"), json);
        assertTrue(json.contains("\"network\": \"loopback\""), json);
        assertTrue(json.contains("\"reach\": \"send_off_machine\",\n          \"can\": false,\n"), json);
        assertTrue(json.contains("\"remedy\": \"apt-get install missing\""), json);
    }

    @Test
    @Tag("M21")
    void saysWhatWorksAndHowToMendTheRest() {
        Told told = Told.by(console -> new Doctor(false, ALL, Host.local()).perform(console));
        assertEquals(0, told.status());
        assertEquals("""
                  missing     does not work here: its program is not installed
                              To mend it: apt-get install missing
                  open        works: confines nothing (only when named: --backend open)
                  strong      works: strong 1.0
                  stubborn    works: stubborn 2

                Commands can be confined here, by strong or stubborn. What that means for a
                given command: stockade explain
                """, told.out().substring(told.out().indexOf("\n\n") + 2));
        assertTrue(told.out().startsWith("stockade "), told.out());
    }

    @Test
    void saysSoWhereNothingConfines() {
        Told told = Told.by(console -> new Doctor(false, Backends.of(MISSING, OPEN), Host.local()).perform(console));
        assertEquals(1, told.status());
        assertTrue(told.out().endsWith("so run refuses. Mend one of the above.\n"), told.out());
    }

    @Test
    void admitsWhereNobodyHasRunIt() {
        Host elsewhere = new PretendHost("macos", "aarch64");
        String out = Told.by(console -> new Doctor(false, ALL, elsewhere).perform(console))
                .out();
        assertTrue(out.contains("Stockade has not been run on macos yet"), out);
        assertTrue(out.contains("Stockade has not been run on aarch64 yet"), out);
        String here = Told.by(console -> new Doctor(false, ALL, new PretendHost("linux", "x86_64")).perform(console))
                .out();
        assertFalse(here.contains("has not been run"), here);
    }

    @Test
    void tellsProgramsWhatWorks() {
        Told told = Told.by(console ->
                new Doctor(true, Backends.of(MISSING, STRONG), new PretendHost("linux", "x86_64")).perform(console));
        assertTrue(told.out().contains("\"can_confine\": true"), told.out());
        assertTrue(told.out().endsWith("""
                                  "backends": [
                                    {
                                      "name": "missing",
                                      "automatic": true,
                                      "available": false,
                                      "reason": "its program is not installed",
                                      "remedy": "apt-get install missing"
                                    },
                                    {
                                      "name": "strong",
                                      "automatic": true,
                                      "available": true,
                                      "detail": "strong 1.0"
                                    }
                                  ]
                                }
                                """), told.out());
    }

    @Test
    @Tag("S18")
    void wrapsACommandInALineThatMeansTheSameAnywhere() {
        Told told = wrap(ALL, " --ro lib --env TERM --timeout 5m --network on -- echo a;b");
        String lib = Path.of("lib").toAbsolutePath().toString();
        assertEquals(
                "stockade run --workspace /var/tmp --network on --ro " + lib
                        + " --env TERM --timeout 5m -- echo 'a;b'\n",
                told.out());
        assertEquals("""
                {
                  "command": "stockade",
                  "args": [
                    "run",
                    "--workspace",
                    "/var/tmp",
                    "--",
                    "ls"
                  ]
                }
                """, wrap(ALL, " --json ls").out());
    }

    @Test
    @Tag("M05")
    void printsNoValueOfAVariable() {
        Arguments arguments = arguments("wrap --env TOKEN=hunter2 ls");
        Console nowhere = new Console(System.err, System.err);
        UsageException thrown =
                assertThrows(UsageException.class, () -> new Wrap(arguments, ALL, Host.local()).perform(nowhere));
        assertFalse(String.valueOf(thrown.getMessage()).contains("hunter2"), thrown.getMessage());
        for (String json : List.of("", " --json")) {
            Told told = wrap(ALL, " --mechanism --env TERM" + json + " -- ls");
            assertFalse(told.out().contains("hunter2"), told.out());
            assertTrue(told.out().contains("SECRET"), told.out());
        }
    }

    @Test
    @Tag("M23")
    void showsWhatTheBackendWouldExecute() {
        assertEquals("""
                /usr/bin/strong --args 3 -- ls

                read from descriptor 3:
                  --setenv SECRET ...
                  --bind /var/tmp /work

                read from descriptor 4:
                  4 bytes

                read from a private file env-file: 15 bytes

                in /var/tmp
                with the variables LANG SECRET
                """, wrap(ALL, " --mechanism -- ls").out());
    }
}
