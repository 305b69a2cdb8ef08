package dev.stockade.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ParserTest {

    private static Arguments parse(String... argv) {
        return Parser.parse(List.of(argv));
    }

    @Test
    void takesEverythingBehindTwoDashesForTheCommand() {
        Arguments arguments = parse("run", "--network", "on", "--", "ls", "--network", "off", "--");
        assertEquals(Optional.of("on"), arguments.one(Option.NETWORK));
        assertEquals(List.of("ls", "--network", "off", "--"), arguments.operands());
    }

    @Test
    void takesEverythingFromTheFirstOperandOnForTheCommand() {
        Arguments arguments = parse("run", "--read-only", "ls", "--json", "-l");
        assertTrue(arguments.has(Option.READ_ONLY));
        assertEquals(List.of("ls", "--json", "-l"), arguments.operands());
    }

    @Test
    void readsAValueBehindAnEqualsSignAsItIs() {
        assertEquals(
                List.of("A=b=c", "--x"),
                parse("run", "--env=A=b=c", "--env=--x", "ls").all(Option.ENV));
    }

    @Test
    void collectsWhatMayBeRepeatedInOrder() {
        assertEquals(
                List.of("/b", "/a"), parse("run", "--ro", "/b", "--ro=/a", "ls").all(Option.RO));
    }

    @Test
    void knowsTheShortNames() {
        assertTrue(parse("run", "-v", "ls").has(Option.VERBOSE));
        assertEquals(List.of("run"), parse("run", "-h").operands());
        assertEquals(Verb.HELP, parse("-h").verb());
        assertEquals(Verb.VERSION, parse("-V").verb());
    }

    @Test
    void helpsWhereNothingIsAsked() {
        assertEquals(Verb.HELP, parse().verb());
        assertEquals(Verb.HELP, parse("--debug").verb());
    }

    @Test
    void seesTheWishToDebugInLinesItCannotRead() {
        assertTrue(Parser.asksForDebugging(List.of("run", "--nonsense", "--debug")));
        assertEquals(false, Parser.asksForDebugging(List.of("run", "--", "ls", "--debug")));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '\0', textBlock = """
            run --netwrk off ls   | there is no option --netwrk (did you mean --network?); stockade help run lists the options
            run --zzz ls          | there is no option --zzz; stockade help run lists the options
            run --backend         | --backend needs NAME, and nothing follows it
            run --backend --ro /x | --backend needs NAME, and --ro follows it
            run --workspace= ls   | --workspace needs DIR, and it is empty; was a variable not set?
            run --read-only=yes x | --read-only takes no value
            run --cwd a --cwd b x | --cwd is given twice, as a and as b; leave one out
            run --json ls         | --json is no option of run, only of wrap, trace, explain, doctor, prove, profiles
            explain --timeout 1s  | --timeout is no option of explain, only of run, shell, wrap, trace
            run                   | run needs a command: stockade run [options] -- COMMAND [ARGUMENT...]
            wrap --               | wrap needs a command: stockade wrap [options] -- COMMAND [ARGUMENT...]
            shell ls              | shell takes no "ls"; to run a program: stockade run -- ls
            doctor now            | doctor takes no "now"
            help run shell        | help takes no "shell"
            """)
    void saysWhatIsWrongAndWhatToDo(String line, String message) {
        UsageException thrown = assertThrows(UsageException.class, () -> parse(line.split(" +")));
        assertEquals(message, thrown.getMessage());
    }

    @Test
    void saysWhichCommandsThereAre() {
        UsageException thrown = assertThrows(UsageException.class, () -> parse("doctro"));
        assertEquals(
                "there is no command \"doctro\" (did you mean doctor?). Commands are run, shell, wrap, trace, explain, doctor, prove,"
                        + " profiles, init, completion, help, version; to run a program confined: stockade run -- doctro",
                thrown.getMessage());
    }

    @Test
    void refusesAnEmptyCommand() {
        UsageException thrown = assertThrows(UsageException.class, () -> parse("run", "--", ""));
        assertEquals("the command is empty; was a variable not set?", thrown.getMessage());
    }

    @Test
    void refusesAnArgumentThatTheLocaleHasDamaged() {
        UsageException thrown = assertThrows(UsageException.class, () -> parse("run", "rm", "caf\uFFFD"));
        assertTrue(String.valueOf(thrown.getMessage()).contains("LC_ALL=C.UTF-8"), thrown.getMessage());
    }
}
