package dev.stockade.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** What the help is made from also makes completions, tried in the shells themselves, and manual pages. */
class CompletionTest {

    @TempDir
    Path directory;

    private static String said(List<String> argv) throws Exception {
        Process process = new ProcessBuilder(argv).redirectErrorStream(true).start();
        process.getOutputStream().close();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertTrue(process.waitFor(60, TimeUnit.SECONDS));
        return said;
    }

    private Path script(String shell) throws Exception {
        Told told = Told.by(console -> new Completion(List.of(shell), List.of("bwrap", "docker")).perform(console));
        return Files.writeString(directory.resolve(shell), told.out());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            stockade tr                           | trace
            stockade run --netw                   | --network
            stockade run --network lo             | loopback
            stockade trace --backend bw           | bwrap
            stockade run --profile wri            | write-guard
            stockade help explai                  | explain
            stockade completion fi                | fish
            stockade run --network off -- getopt  | getopt
            stockade run --network off cat /etc/hostn | /etc/hostname
            """)
    void bashCompletes(String line, String wanted) throws Exception {
        MustRun.tool("bash");
        String words = String.join(" ", line.split(" ", -1));
        String said = said(List.of(
                "bash",
                "-c",
                ". \"$0\"; COMP_WORDS=(" + words + "); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _stockade;"
                        + " printf '%s\\n' \"${COMPREPLY[@]}\"",
                script("bash").toString()));
        assertTrue(said.lines().anyMatch(wanted::equals), said);
    }

    @ParameterizedTest
    @CsvSource({
        "stockade tr, trace",
        "stockade run --netw, --network",
        "stockade run --network lo, loopback",
        "stockade run --backend bw, bwrap",
        "stockade completion z, zsh",
        "stockade run cat /etc/hostn, /etc/hostname"
    })
    void fishCompletes(String line, String wanted) throws Exception {
        MustRun.tool("fish");
        String said = said(List.of("fish", "-c", "source " + script("fish") + "; complete -C '" + line + "'"));
        assertTrue(said.lines().anyMatch(each -> each.split("\t", 2)[0].equals(wanted)), said);
    }

    /** In a terminal of zsh's own making, since it completes nowhere else. */
    @Test
    void zshCompletes() throws Exception {
        MustRun.tool("zsh");
        String typing = """
                zmodload zsh/zpty
                zpty -b z zsh -f -i
                zpty -w z 'PS1="> "; autoload -U compinit; compinit -D -u; source %s; print rea""dy'
                until zpty -r z line && [[ $line == *ready* ]]; do sleep 0.1; done
                for l in 'stockade prof' 'stockade run --netw' 'stockade run --network lo' 'stockade run cat /etc/hostn'; do
                  zpty -w -n z "$l"$'\\t'; sleep 1; zpty -w -n z $'\\C-u'
                done
                zpty -w z 'exit'; sleep 0.5
                while zpty -r z line; do print -r -- $line; done
                """.formatted(script("zsh"));
        String said = said(List.of(
                "zsh",
                "-f",
                Files.writeString(directory.resolve("typing"), typing).toString()));
        for (String wanted : List.of(
                "stockade profiles",
                "stockade run --network",
                "stockade run --network loopback",
                "cat /etc/hostname")) {
            assertTrue(said.contains(wanted), said);
        }
    }

    @Test
    void knowsNoOtherShell() {
        Told told = Told.by("completion", "tcsh");
        assertEquals(125, told.status());
        assertEquals("stockade: completion needs one of bash, zsh, fish: stockade completion bash\n", told.err());
    }

    @ParameterizedTest
    @EnumSource
    void aManualPageTellsWhatHelpTells(Verb verb) {
        String page = Manual.page(verb).replace("\\-", "-");
        assertTrue(page.contains(".SH NAME\nstockade-" + verb.word() + " - "), page);
        for (Option option : Option.of(verb)) {
            assertTrue(page.contains("\\fB" + option.word() + "\\fR"), option.word());
        }
    }

    @Test
    void manualPagesAreWellFormed() throws Exception {
        assertEquals(0, Told.by("help", "--man-pages", directory.toString()).status());
        for (Verb verb : Verb.values()) {
            assertTrue(Files.exists(directory.resolve("stockade-" + verb.word() + ".1")));
        }
        MustRun.tool("mandoc");
        assertEquals("", said(List.of("sh", "-c", "mandoc -Tlint -W error \"$0\"/*.1", directory.toString())));
    }
}
