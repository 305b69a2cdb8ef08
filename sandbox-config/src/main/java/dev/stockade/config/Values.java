package dev.stockade.config;

import dev.stockade.config.Key.Kind;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Makes of what was written what a key's value is.
 *
 * @param paths what a written path means
 */
record Values(PathWords paths) {

    private static final String TIME = "([0-9]{1,9})(ms|s|m|h)";
    private static final String SIZE = "([0-9]{1,12}) ?(B|KiB|MiB|GiB|TiB)";
    private static final List<String> UNITS = List.of("B", "KiB", "MiB", "GiB", "TiB");

    /** A value that is no list, or one element of a list. */
    Object one(Key key, Object written) throws Unfit {
        return switch (key.kind()) {
            case TEXT -> text(key, written);
            case WORD -> word(key, written);
            case TIME -> time(key, written);
            case SIZE -> size(key, written);
            case SHARE -> share(key, written);
            case COUNT -> count(key, written);
            case PATHS -> paths.path(element(key, written));
            case VARIABLES -> variable(element(key, written));
            case COMMANDS, PREFIXES -> command(key, written);
        };
    }

    static Unfit wrongType(Key key, Object written) {
        return new Unfit(key.name() + " must be " + expected(key) + ", not " + kind(written));
    }

    private static String expected(Key key) {
        return key.kind() == Kind.WORD ? alternatives(key.words()) : key.kind().text();
    }

    private static String alternatives(List<String> words) {
        int last = words.size() - 1;
        List<String> quoted = words.stream().map(word -> "\"" + word + "\"").toList();
        return String.join(", ", quoted.subList(0, last)) + " or " + quoted.get(last);
    }

    static String kind(Object written) {
        if (written instanceof String) {
            return "a string";
        }
        if (written instanceof Number) {
            return "a number";
        }
        if (written instanceof Boolean) {
            return "true or false";
        }
        return written instanceof Map ? "a table" : "a list";
    }

    private static String text(Key key, Object written) throws Unfit {
        if (!(written instanceof String text)) {
            throw wrongType(key, written);
        }
        if (text.isEmpty()) {
            throw new Unfit(key.name() + " must not be empty");
        }
        return text;
    }

    private static String word(Key key, Object written) throws Unfit {
        if (!(written instanceof String word)) {
            throw wrongType(key, written);
        }
        if (!key.words().contains(word)) {
            throw new Unfit(key.name() + " must be " + alternatives(key.words()) + ", not \"" + word + "\""
                    + Nearest.hint(word, key.words()));
        }
        return word;
    }

    private static String element(Key key, Object written) throws Unfit {
        if (!(written instanceof String text)) {
            throw new Unfit(key.name() + " must be " + key.kind().text() + "; this one is " + kind(written));
        }
        return text;
    }

    private static Duration time(Key key, Object written) throws Unfit {
        if (!(written instanceof String text)) {
            throw wrongType(key, written);
        }
        Matcher matcher = Pattern.compile(TIME).matcher(text);
        if (!matcher.matches()) {
            throw new Unfit(key.name() + " must be " + key.kind().text() + ", not \"" + text + "\"");
        }
        long number = Long.parseLong(matcher.group(1));
        if (number == 0) {
            throw new Unfit(key.name() + " must be more than zero; leave it out for no limit");
        }
        return switch (matcher.group(2)) {
            case "ms" -> Duration.ofMillis(number);
            case "s" -> Duration.ofSeconds(number);
            case "m" -> Duration.ofMinutes(number);
            default -> Duration.ofHours(number);
        };
    }

    private static Long size(Key key, Object written) throws Unfit {
        BigInteger bytes;
        if (written instanceof String text) {
            Matcher matcher = Pattern.compile(SIZE).matcher(text);
            if (!matcher.matches()) {
                throw new Unfit(key.name() + " must be " + key.kind().text() + ", not \"" + text + "\"");
            }
            bytes = new BigInteger(matcher.group(1)).shiftLeft(10 * UNITS.indexOf(matcher.group(2)));
        } else {
            bytes = whole(key, written);
        }
        if (bytes.signum() <= 0 || bytes.bitLength() > 62) {
            throw outOfRange(key, written);
        }
        return bytes.longValueExact();
    }

    private static Integer count(Key key, Object written) throws Unfit {
        BigInteger number = whole(key, written);
        if (number.signum() <= 0 || number.bitLength() > 30) {
            throw outOfRange(key, written);
        }
        return number.intValueExact();
    }

    private static BigInteger whole(Key key, Object written) throws Unfit {
        if (written instanceof Integer || written instanceof Long || written instanceof BigInteger) {
            return new BigInteger(written.toString());
        }
        if (written instanceof String text && text.matches("[0-9]{1,18}")) {
            return new BigInteger(text); // A flag's value.
        }
        throw wrongType(key, written);
    }

    private static Double share(Key key, Object written) throws Unfit {
        double share;
        if (written instanceof Number number) {
            share = number.doubleValue();
        } else if (written instanceof String text && text.matches("[0-9]{1,6}(\\.[0-9]{1,6})?")) {
            share = new BigDecimal(text).doubleValue();
        } else {
            throw wrongType(key, written);
        }
        if (!(share > 0) || share > 1_000_000) {
            throw outOfRange(key, written);
        }
        return share;
    }

    private static Unfit outOfRange(Key key, Object written) {
        String text = written.toString().toLowerCase(Locale.ROOT);
        return new Unfit(key.name() + " must be " + key.kind().text() + ", and " + text + " is out of range");
    }

    /** A value that somebody wrote behind an equals sign is not repeated: it may be a secret. */
    private static String variable(String name) throws Unfit {
        int equals = name.indexOf('=');
        if (equals > 0 && name.substring(0, equals).matches("[A-Za-z0-9_]+")) {
            throw new Unfit("env takes the names of variables, not their values: write \"" + name.substring(0, equals)
                    + "\" alone");
        }
        if (name.isEmpty() || equals >= 0 || name.indexOf('\0') >= 0) {
            throw new Unfit("env takes the names of variables, and this is none");
        }
        if (name.indexOf('*') >= 0) {
            throw new Unfit("\"" + name + "\" looks like a pattern, which is not supported: name each variable");
        }
        return name;
    }

    private static List<String> command(Key key, Object written) throws Unfit {
        if (written instanceof String) {
            throw new Unfit(
                    key.name() + " must be " + key.kind().text() + ": put each command into brackets of its own");
        }
        if (!(written instanceof List<?> list) || !list.stream().allMatch(String.class::isInstance)) {
            throw new Unfit(key.name() + " must be " + key.kind().text() + "; this one is "
                    + (written instanceof List ? "a list of something else" : kind(written)));
        }
        List<String> words = list.stream().map(String.class::cast).toList();
        if (words.isEmpty() || words.get(0).isEmpty()) {
            throw new Unfit(key.name() + " holds a command without a program");
        }
        if (key.kind() == Kind.PREFIXES && words.size() < 2) {
            throw new Unfit("a prefix of one word, \"" + words.get(0)
                    + "\", would give the network to all that it can do;" + " write at least two words");
        }
        return words;
    }
}
