package dev.stockade.conformance.probe;

import static dev.stockade.api.Reach.METADATA_BEYOND;
import static dev.stockade.api.Reach.READ_BEYOND;
import static dev.stockade.api.Reach.SHARED_TMP;
import static dev.stockade.api.Reach.WRITE_BEYOND;

import dev.stockade.conformance.probe.Claim.Promise;
import dev.stockade.conformance.probe.Probe.Script;
import dev.stockade.conformance.probe.Probe.Witness;
import java.util.List;
import java.util.stream.Stream;

/**
 * Ways to files that are none of the command's business. Of a write the host's word counts: inside it may have gone to
 * a place of the command's own.
 */
final class FileProbes {

    private static final String HOME = "BAIT_HOME";
    private static final String SINGS = " && [ \"$x\" = \"$BAIT_CANARY\" ]";

    private FileProbes() {}

    static List<Probe> all() {
        return Stream.of(reading(), writing(), metadata(), tmp(), restrictions())
                .flatMap(List::stream)
                .toList();
    }

    private static List<Probe> reading() {
        return List.of(
                reads("read.home", "read -r x <\"$BAIT_HOME/canary\"" + SINGS),
                reads("read.elsewhere", "read -r x <\"$BAIT_ELSEWHERE/canary\"" + SINGS),
                reads("read.names", "set -- \"$BAIT_HOME\"/can*; [ -e \"$1\" ]"),
                reads("read.link", ": $BAIT_HOME; read -r x <to-canary" + SINGS),
                reads("read.hard-link", "ln \"$BAIT_HOME/canary\" to-read && read -r x <to-read" + SINGS),
                reads("read.proc-root", "read -r x <\"/proc/$BAIT_PID/root$BAIT_HOME/canary\"" + SINGS),
                reads("read.proc-cwd", "[ -e \"/proc/$BAIT_PID/cwd/.\" ]"),
                reads("read.proc-descriptors", "set -- \"/proc/$BAIT_PID/fd\"/*; [ -e \"$1\" ]"),
                // A globbing shell closes its directory before it goes on; what is still there was inherited.
                reads("read.descriptor", """
                        [ -e /proc/self/fd/0 ] || exit 127
                        for f in /proc/self/fd/*; do
                          [ "${f##*/}" -le 2 ] || { [ -e "$f" ] && echo "$f" >&2 && exit 0; }
                        done
                        exit 1"""));
    }

    private static Probe reads(String id, String lines) {
        return Probe.sh(id, READ_BEYOND, lines);
    }

    private static List<Probe> writing() {
        return List.of(
                writes("write.create", "echo x >\"$BAIT_HOME/created\"", it -> it.appeared(HOME, "created")),
                writes(
                        "write.elsewhere",
                        "echo x >\"$BAIT_ELSEWHERE/created\"",
                        it -> it.appeared("BAIT_ELSEWHERE", "created")),
                writes("write.append", "echo x >>\"$BAIT_HOME/appended\"", it -> it.isChanged(HOME, "appended")),
                writes("write.truncate", ": >\"$BAIT_HOME/truncated\"", it -> it.isChanged(HOME, "truncated")),
                writes("write.mkdir", "mkdir \"$BAIT_HOME/made\"", it -> it.appeared(HOME, "made")),
                writes("write.unlink", "rm \"$BAIT_HOME/unlinked\"", it -> it.isGone(HOME, "unlinked")),
                writes(
                        "write.move-in",
                        "echo x >to-move && mv to-move \"$BAIT_HOME/moved\"",
                        it -> it.appeared(HOME, "moved")),
                writes("write.move-out", "mv \"$BAIT_HOME/taken\" .", it -> it.isGone(HOME, "taken")),
                writes(
                                "write.link-in",
                                "echo x >to-link && ln to-link \"$BAIT_HOME/link-in\"",
                                it -> it.appeared(HOME, "link-in"))
                        .unless("workspace and home may lie on two file systems"),
                writes(
                                "write.link-out",
                                "ln \"$BAIT_HOME/hard\" to-write && echo x >>to-write",
                                it -> it.isChanged(HOME, "hard"))
                        .unless("workspace and home may lie on two file systems"),
                writes("write.through-link", ": $BAIT_HOME; echo x >>to-linked", it -> it.isChanged(HOME, "linked")),
                writes(
                        "write.proc-root",
                        "echo x >\"/proc/$BAIT_PID/root$BAIT_HOME/by-proc\"",
                        it -> it.appeared(HOME, "by-proc")));
    }

    private static Probe writes(String id, String lines, Witness witness) {
        return Probe.sh(id, WRITE_BEYOND, lines).seen(witness);
    }

    private static List<Probe> metadata() {
        return List.of(
                Probe.sh("metadata.mode", METADATA_BEYOND, "chmod 0711 \"$BAIT_HOME/mode\"")
                        .seen(it -> Integer.parseInt(it.attribute(HOME, "mode", "unix:mode")) % 010000 == 0711),
                Probe.sh("metadata.times", METADATA_BEYOND, "touch \"$BAIT_HOME/times\"")
                        .seen(it -> it.isTouched(HOME, "times")),
                Probe.sh("metadata.owner", METADATA_BEYOND, "chown 65534 \"$BAIT_HOME/owner\"")
                        .seen(it -> it.attribute(HOME, "owner", "unix:uid").equals("65534"))
                        .unless("only root gives files away"),
                Probe.python("metadata.attribute", METADATA_BEYOND, """
                        os.setxattr(E['BAIT_HOME'] + '/attribute', 'user.stockade', b'x')""")
                        .unless("the file system may have no attributes"));
    }

    private static List<Probe> tmp() {
        return List.of(
                Probe.sh("tmp.read", SHARED_TMP, "read -r x <\"$BAIT_TMP/canary\"" + SINGS),
                Probe.sh("tmp.write", SHARED_TMP, "echo x >\"$BAIT_TMP/created\"")
                        .seen(it -> it.appeared("BAIT_TMP", "created")));
    }

    private static List<Probe> restrictions() {
        return List.of(
                around("hidden.read", "read -r x <hidden" + SINGS),
                around("hidden.move", "mv hidden-moved seen; read -r x <seen" + SINGS),
                around("hidden.link", "ln hidden-linked linked; read -r x <linked" + SINGS),
                around("hidden.below", "read -r x <hidden-below/deep/file" + SINGS),
                carved("carved.write", "written", "echo x >written/carved/new"),
                carved("carved.move-parent", "renamed", "mv renamed gone; echo x >gone/carved/new"),
                carved("carved.remove", "removed", "rm -r removed/carved"),
                // mount_setattr(2), since Linux 5.12, has no hook by which a security module could refuse it.
                Probe.of("carved.remount", Promise.RESTRICTIONS, new Script(Interpreter.PYTHON, """
                                clear_read_only = struct.pack('QQQQ', 0, 1, 0, 0)
                                libc().syscall(442, -100, b'remounted/carved', 0, clear_read_only, 32)
                                open('remounted/carved/file', 'a').write('x')"""))
                        .seen(it -> it.isCarvedChanged("remounted")));
    }

    private static Probe around(String id, String lines) {
        return Probe.of(id, Promise.RESTRICTIONS, new Script(Interpreter.SH, lines));
    }

    private static Probe carved(String id, String name, String lines) {
        return around(id, lines).seen(it -> it.isCarvedChanged(name));
    }
}
