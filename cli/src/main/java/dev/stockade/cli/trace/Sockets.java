package dev.stockade.cli.trace;

import dev.stockade.cli.trace.Event.Call;
import dev.stockade.cli.trace.Target.Address;
import dev.stockade.cli.trace.Target.Family;
import dev.stockade.cli.trace.Target.Name;
import dev.stockade.cli.trace.Target.UnixSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What the processes' sockets are up to, so that a failure that shows late still has its address. */
final class Sockets {

    private static final int DNS = 53;
    private static final int MOST = 1 << 14;

    private static final Pattern INET =
            Pattern.compile("sin6?_port=htons\\((\\d{1,5})\\).*?(?:inet_addr\\(|AF_INET6, )\"([0-9a-fA-F.:]+)\"");
    private static final Pattern UNIX = Pattern.compile("sun_path=(\".*)");
    private static final Pattern PENDING = Pattern.compile("\\[(E[A-Z]+)]");

    private record Descriptor(Object process, String number) {}

    private final Map<Descriptor, Target> connecting = new HashMap<>();

    /** The failure that a call shows, if it does. */
    Optional<Attempt> attempt(Object process, Call call) {
        Descriptor descriptor = new Descriptor(process, number(call.argument(0)));
        return switch (call.name()) {
            case "socket" ->
                call.succeeded()
                        ? Optional.empty()
                        : Optional.of(new Attempt(Operation.SOCKET, new Family(call.argument(0)), false, call.error()));
            case "connect" -> target(call.argument(1)).flatMap(target -> connect(descriptor, target, call));
            case "getsockopt" -> late(descriptor, call);
            case "sendto", "sendmsg", "sendmmsg" -> asked(descriptor, call);
            default -> Optional.empty();
        };
    }

    private static String number(String argument) {
        int path = argument.indexOf('<');
        return path < 0 ? argument : argument.substring(0, path);
    }

    private Optional<Attempt> connect(Descriptor descriptor, Target target, Call call) {
        if (connecting.size() < MOST) {
            connecting.put(descriptor, target);
        }
        return call.succeeded() || call.error().equals("EINPROGRESS")
                ? Optional.empty()
                : Optional.of(new Attempt(Operation.CONNECT, target, false, call.error()));
    }

    /** connect(2): of a socket that does not block the error is asked for afterwards, by SO_ERROR. */
    private Optional<Attempt> late(Descriptor descriptor, Call call) {
        Matcher error = PENDING.matcher(call.argument(3));
        if (!call.argument(2).equals("SO_ERROR") || !error.matches()) {
            return Optional.empty();
        }
        return Optional.ofNullable(connecting.remove(descriptor))
                .map(target -> new Attempt(Operation.CONNECT, target, false, error.group(1)));
    }

    /** A question to a name server on the loopback leaves, and nobody answers there. */
    private Optional<Attempt> asked(Descriptor descriptor, Call call) {
        Optional<Target> to = target(call.argument(4)).or(() -> Optional.ofNullable(connecting.get(descriptor)));
        boolean isQuestion = to.filter(target -> target instanceof Address address && address.port() == DNS)
                .isPresent();
        if (!isQuestion) {
            return Optional.empty();
        }
        String argument = call.argument(1);
        int base = argument.indexOf("iov_base=");
        String error = call.succeeded() ? "ECONNREFUSED" : call.error();
        return StraceLog.bytes(base < 0 ? argument : argument.substring(base))
                .flatMap(Sockets::questioned)
                .map(name -> new Attempt(Operation.CONNECT, new Name(name), false, error));
    }

    /** RFC 1035, 4.1: a header of 12 bytes, then labels, each behind its length. */
    private static Optional<String> questioned(byte[] message) {
        StringBuilder name = new StringBuilder();
        int at = 12;
        while (at < message.length && message[at] > 0) {
            int length = message[at];
            if (length > 63 || at + length >= message.length) {
                return Optional.empty();
            }
            name.append(name.isEmpty() ? "" : ".")
                    .append(new String(message, at + 1, length, StandardCharsets.US_ASCII));
            at += length + 1;
        }
        String text = name.toString().toLowerCase(Locale.ROOT);
        return text.matches("[a-z0-9_-]+(\\.[a-z0-9_-]+)*") ? Optional.of(text) : Optional.empty();
    }

    private static Optional<Target> target(String address) {
        Matcher inet = INET.matcher(address);
        if (inet.find()) {
            return Optional.of(new Address(inet.group(2), Integer.parseInt(inet.group(1))));
        }
        Matcher unix = UNIX.matcher(address);
        if (!unix.find()) {
            return Optional.empty();
        }
        try {
            return StraceLog.text(unix.group(1))
                    .filter(path -> path.startsWith("/"))
                    .map(path -> new UnixSocket(Path.of(path).normalize()));
        } catch (InvalidPathException e) {
            return Optional.empty();
        }
    }
}
