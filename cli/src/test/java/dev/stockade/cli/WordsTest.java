package dev.stockade.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The small things: times, quoting, JSON, near words, lines. */
class WordsTest {

    @ParameterizedTest
    @CsvSource({"500ms,PT0.5S", "1500ms,PT1.5S", "30s,PT30S", "90s,PT90S", "5m,PT5M", "2h,PT2H"})
    void writesTimes(String text, Duration limit) {
        assertEquals(text, TimeLimit.text(limit));
    }

    @Test
    void quotesWhatAShellWouldTakeApart() {
        assertEquals(
                "sh -c 'echo \"$HOME\"' 'it'\\''s' '' a=b '*'",
                ShellWords.line(List.of("sh", "-c", "echo \"$HOME\"", "it's", "", "a=b", "*")));
    }

    @Test
    void writesJson() {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("text", "a \"b\" \\ \n\t\r\u0001 é");
        json.put("lone", "\ud800");
        json.put("pair", "😀");
        json.put("empty", List.of());
        json.put("list", List.of(1, true, Map.of()));
        assertEquals("""
                {
                  "text": "a \\"b\\" \\\\ \\n\\t\\r\\u0001 é",
                  "lone": "\\ud800",
                  "pair": "\\ud83d\\ude00",
                  "empty": [],
                  "list": [
                    1,
                    true,
                    {}
                  ]
                }
                """, Json.text(json));
    }

    @ParameterizedTest
    @CsvSource({"bwarp,bwrap", "bwra,bwrap", "dockre,docker", "seatbelt,"})
    void findsTheWordThatWasMeant(String word, String meant) {
        assertEquals(Optional.ofNullable(meant), Nearest.to(word, List.of("bwrap", "docker", "none")));
    }

    @Test
    void breaksLinesAtEightyColumns() {
        String word = "abcdefghi";
        String text = Paragraph.row("left", (word + " ").repeat(20));
        text.lines().forEach(line -> assertEquals(true, line.length() <= 80, line));
        assertEquals(4, text.lines().count());
        assertEquals("  left        abcdefghi", text.substring(0, 23));
    }

    @Test
    void neverBreaksAWord() {
        String path = "/x".repeat(60);
        assertEquals("  a           see\n              " + path + "\n", Paragraph.row("a", "see " + path));
    }
}
