package dev.stockade.cli.trace;

import dev.stockade.api.Profile;
import dev.stockade.api.Reach;
import dev.stockade.api.spi.Host;
import dev.stockade.cli.trace.Target.Address;
import dev.stockade.cli.trace.Target.Family;
import dev.stockade.cli.trace.Target.File;
import dev.stockade.cli.trace.Target.Name;
import dev.stockade.cli.trace.Target.UnixSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Decides what follows from each refusal. It cannot know what a program needed, so it says what it goes by. */
public final class Judge {

    /**
     * A refusal and what follows from it.
     *
     * @param refusal what was refused
     * @param verdict what follows
     */
    public record Judged(Refusal refusal, Verdict verdict) {

        /**
         * Whether it may be why the command failed.
         *
         * @return false if it is set aside
         */
        public boolean isLikely() {
            return !(verdict instanceof Verdict.Aside);
        }
    }

    private final HostView view;
    private final Secrets secrets;

    /**
     * For commands under a profile.
     *
     * @param profile what they may touch
     * @param host this machine
     */
    public Judge(Profile profile, Host host) {
        this.view = new HostView(profile);
        this.secrets = new Secrets(profile, host);
    }

    /**
     * Judges.
     *
     * @param refusals what was refused
     * @param failed whether the command failed in the end
     * @return in the order of the refusals
     */
    public List<Judged> judge(List<Refusal> refusals, boolean failed) {
        List<Judged> judged = judged(refusals, refusal -> aside(refusal, failed));
        boolean anything = judged.stream().anyMatch(Judged::isLikely);
        return anything || !failed
                ? judged
                // Nothing stands out: then what speaks against each counts for less than that the command failed.
                : judged(refusals, refusal -> Optional.empty());
    }

    /**
     * Whether a path may be proposed at all.
     *
     * @param path absolute
     * @param operation what to allow
     * @return false for secrets, what holds one, and what is run outside
     */
    public boolean mayOpen(Path path, Operation operation) {
        return secrets.why(path, operation).isEmpty();
    }

    private interface Doubt {
        Optional<String> about(Refusal refusal);
    }

    private List<Judged> judged(List<Refusal> refusals, Doubt doubt) {
        List<Judged> all = new ArrayList<>();
        for (Refusal refusal : refusals) {
            Optional<String> never = never(refusal);
            Verdict verdict = never.<Verdict>map(Verdict.Never::new)
                    .orElseGet(() -> doubt.about(refusal)
                            .<Verdict>map(Verdict.Aside::new)
                            .orElseGet(() -> open(refusal)));
            all.add(new Judged(refusal, verdict));
        }
        return all;
    }

    private static Optional<String> aside(Refusal refusal, boolean failed) {
        if (!failed) {
            return Optional.of("the command succeeded all the same");
        }
        if (!refusal.aside().isEmpty()) {
            return Optional.of(refusal.aside());
        }
        return refusal.target() instanceof Family family && !family.family().startsWith("AF_INET")
                ? Optional.of("programs ask name services through these, and do without")
                : Optional.empty();
    }

    private Optional<String> never(Refusal refusal) {
        return switch (refusal.target()) {
            case File file -> secrets.why(path(refusal, file.path()), refusal.operation());
            case UnixSocket ignored -> Optional.of(Verdict.HOST_PROGRAM);
            case Family family when family.family().startsWith("AF_INET") -> Optional.empty();
            case Family family when family.family().equals("AF_UNIX") -> Optional.empty();
            case Family ignored -> Optional.of("no profile opens sockets of this kind");
            case Address ignored -> Optional.empty();
            case Name ignored -> Optional.empty();
        };
    }

    private Verdict open(Refusal refusal) {
        return switch (refusal.target()) {
            case File file -> openPath(refusal, file.path());
            case Address address when address.isLoopback() -> new Verdict.OpenNetwork(Reach.HOST_LOOPBACK);
            case Family family
            when family.family().equals("AF_UNIX") -> new Verdict.OpenNetwork(Reach.HOST_UNIX_SOCKETS);
            default -> new Verdict.OpenNetwork(Reach.SEND_OFF_MACHINE);
        };
    }

    private Verdict openPath(Refusal refusal, Path path) {
        boolean writes = refusal.operation() == Operation.WRITE;
        Path needed = path(refusal, path);
        boolean wider = !writes && needed.equals(path) && view.mayWiden(refusal.around());
        return new Verdict.OpenPath(
                wider && mayOpen(refusal.around(), Operation.READ) ? refusal.around() : needed, writes);
    }

    /** What would have to be granted. A file that does not exist cannot be: its directory has to be. */
    private Path path(Refusal refusal, Path path) {
        if (refusal.operation() != Operation.WRITE) {
            return view.missing(path, refusal.operation() == Operation.EXECUTE);
        }
        Path parent = path.getParent();
        return parent != null && !Files.exists(path) ? parent : path;
    }
}
