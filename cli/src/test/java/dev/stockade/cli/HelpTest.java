package dev.stockade.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class HelpTest {

    @ParameterizedTest
    @EnumSource
    void explainsEveryOptionOfACommandInEightyColumns(Verb verb) {
        Told told = Told.by("help", verb.word());
        assertEquals(0, told.status());
        for (Option option : Option.of(verb)) {
            assertTrue(told.out().contains("  " + option.word()), option.word());
        }
        told.out().lines().forEach(line -> assertTrue(line.length() <= 80, line));
    }

    @Test
    void listsEveryCommand() {
        Told told = Told.by("--help");
        for (Verb verb : Verb.values()) {
            assertTrue(told.out().contains("  " + verb.word() + " "), verb.word());
        }
        assertEquals(told.out(), Told.by().out());
    }

    @Test
    void saysTheSameWhicheverWayItIsAsked() {
        assertEquals(Told.by("help", "run"), Told.by("run", "--help"));
        assertEquals(Told.by("help", "run"), Told.by("run", "--network", "off", "-h"));
    }

    @Test
    void knowsOfNoOtherCommand() {
        Told told = Told.by("help", "rum");
        assertEquals(125, told.status());
        assertTrue(told.err().startsWith("stockade: there is no command \"rum\" (did you mean run?)"), told.err());
    }
}
