package dev.stockade.backend.seatbelt;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.stockade.api.Network;
import dev.stockade.api.Profile;
import dev.stockade.api.Profile.Reads;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Assume;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tag;

/** No path can change a decision about another, whatever it is called. */
@Tag("S11")
class HostilePathsTest {

    private static final String WORKSPACE = FakeMac.WORKSPACE;

    private final FakeMac mac = FakeMac.fresh();

    /** Names that would end a string, a rule, a comment or an expression if they were text. */
    @Provide
    Arbitrary<String> names() {
        Arbitrary<String> pieces = Arbitraries.of(
                "\"",
                "\\",
                ")",
                "(",
                "\n",
                ";",
                "'",
                "#\"",
                "$",
                "^",
                ".*",
                "[a-z]",
                "|",
                "(allow default)",
                "\\\"",
                "\")) (allow default) ; ",
                "=",
                "-D",
                " ",
                "\u00e9",
                "e\u0301",
                "\u00df",
                "\ud83d\ude00",
                "I",
                "\u0131",
                "a",
                "s",
                "k",
                "-",
                "param",
                "\t",
                "\r",
                "\u007f",
                "{2}",
                "+",
                "?",
                "*");
        return pieces.list()
                .ofMinSize(1)
                .ofMaxSize(8)
                .map(list -> String.join("", list))
                .filter(name -> !name.equals(".") && !name.equals("..") && !name.equals("a") && !name.isBlank());
    }

    private Sbpl.Finished profile(Reads reads, String name) {
        return SeatbeltProfile.of(
                Profile.builder(mac.workspace())
                        .reads(reads)
                        .network(Network.LOOPBACK)
                        .hidden(mac.path(WORKSPACE).resolve(name).resolve("hidden"))
                        .readable(mac.path(WORKSPACE).resolve(name).resolve("read"))
                        .writable(mac.path("/Users/me").resolve(name))
                        .build(),
                mac,
                true);
    }

    @Property(tries = 100)
    void noPathBecomesText(@ForAll Reads reads, @ForAll("names") String name) {
        Sbpl.Finished hostile = profile(reads, name);
        assertEquals(withoutNumbers(profile(reads, "a")), withoutNumbers(hostile));
        assertTrue(hostile.parameters().containsValue(WORKSPACE + "/" + name + "/hidden"));
    }

    /** How paths are sorted decides which parameter is which, and nothing else. */
    private static List<String> withoutNumbers(Sbpl.Finished profile) {
        return profile.text()
                .replaceAll("\"P[0-9]+\"", "P")
                .lines()
                .map(String::strip)
                .sorted()
                .toList();
    }

    @Property(tries = 100)
    void aPathDecidesAboutItself(@ForAll Reads reads, @ForAll("names") String name) {
        Confined confined = new Confined(Confined.evaluator(profile(reads, name)));
        String inside = WORKSPACE + "/" + name;
        confined.can(Act.write(inside + "/x"), Act.read(inside + "/read/x"), Act.write("/Users/me/" + name + "/x"))
                .can(Act.connectUnix(inside + "/s"))
                .cannot(Act.read(inside + "/hidden"), Act.read(inside + "/hidden/x"), Act.write(inside + "/read/x"))
                .cannot(Act.make(inside), Act.remove(inside), Act.connectUnix(inside + "/read/s"))
                .cannot(Act.make(inside.toUpperCase(Locale.ROOT).replace("/USERS/ME/WORK", WORKSPACE) + "/HIDDEN"));
    }

    @Property(tries = 100)
    void aPathDecidesAboutNoOther(@ForAll Reads reads, @ForAll("names") String name, @ForAll("names") String other) {
        Assume.that(!spelledAlike(name, other));
        Evaluator with = Confined.evaluator(profile(reads, name));
        Evaluator without = Confined.evaluator(SeatbeltProfile.of(
                Profile.builder(mac.workspace())
                        .reads(reads)
                        .network(Network.LOOPBACK)
                        .build(),
                mac,
                true));
        List<String> places = new ArrayList<>();
        for (String root : List.of(WORKSPACE, "/Users/me", "/private/tmp", "/usr", "/private/etc")) {
            places.addAll(List.of(root + "/" + other, root + "/" + other + "/hidden", root + "/" + other + "/read/x"));
        }
        for (String place : places) {
            for (Act act : List.of(
                    Act.read(place),
                    Act.lookUp(place),
                    Act.write(place),
                    Act.make(place),
                    Act.remove(place),
                    Act.file("file-link", place),
                    Act.connectUnix(place))) {
                assertEquals(without.allows(act), with.allows(act), act::toString);
            }
        }
    }

    private static boolean spelledAlike(String a, String b) {
        return Pattern.compile("^" + Sbpl.anySpelling(a) + "$").matcher(b).matches()
                || Pattern.compile("^" + Sbpl.anySpelling(b) + "$").matcher(a).matches();
    }

    @Property(tries = 500)
    void aQuotedStringIsReadBackAsItWas(@ForAll("names") String any) {
        assertEquals(List.of(new SbplReader.Text(any)), SbplReader.read(Sbpl.string(any)));
    }

    @Property(tries = 500)
    void aQuotedExpressionMatchesItselfAlone(@ForAll("names") String any, @ForAll("names") String other) {
        Pattern expression = Pattern.compile(Sbpl.regex(any));
        assertTrue(expression.matcher(any).matches());
        assertEquals(any.equals(other), expression.matcher(other).matches());
        assertFalse(expression.matcher(any + any).matches());
    }
}
