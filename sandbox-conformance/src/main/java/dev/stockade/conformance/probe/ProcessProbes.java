package dev.stockade.conformance.probe;

import static dev.stockade.api.Reach.GAIN_PRIVILEGE;
import static dev.stockade.api.Reach.OUTLIVE_CALLER;
import static dev.stockade.api.Reach.SEE_PROCESSES;
import static dev.stockade.api.Reach.SIGNAL_PROCESSES;

import java.util.List;

/** Ways to other processes, to more privilege, and past the end of the run. */
final class ProcessProbes {

    private ProcessProbes() {}

    static List<Probe> all() {
        return List.of(
                // A mark from the environment: it stands in no argument list but the victim's.
                Probe.sh("processes.arguments", SEE_PROCESSES, """
                        [ -r /proc/self/cmdline ] || exit 127
                        for f in /proc/[0-9]*/cmdline; do
                          IFS= read -r x <"$f"
                          case $x in *"$BAIT_MARK"*) exit 0 ;; esac
                        done 2>/dev/null
                        echo 'no argument list shows the mark' >&2; exit 1"""),
                Probe.sh("processes.environment", SEE_PROCESSES, """
                        IFS= read -r x <"/proc/$BAIT_PID/environ"; [ -n "$x" ]"""),
                Probe.python("processes.trace", SIGNAL_PROCESSES, """
                        checked(libc().ptrace(0x4206, int(E['BAIT_TRACED']), 0, 0))""")
                        .unless("Yama may let nobody trace what is not his child"),
                Probe.python("processes.memory", SIGNAL_PROCESSES, """
                        open('/proc/%s/mem' % E['BAIT_TRACED'], 'rb').close()""")
                        .unless("Yama may let nobody read the memory of what is not his child"),
                Probe.sh("processes.signal", SIGNAL_PROCESSES, "kill -KILL \"$BAIT_VICTIM\"")
                        .seen(ground -> ground.victims().isKilled()),
                privilege("privilege.set-user-id", "[ \"$(\"$BAIT_SETUID\" -u)\" = 65534 ]")
                        .unless("the workspace may lie on a file system without set-user-ID"),
                privilege("privilege.no-new-privs", status("NoNewPrivs", "[ \"$v\" = 0 ]"))
                        .unless("this program itself may run without new privileges"),
                privilege("privilege.capabilities", status("CapEff", "case $v in *[!0]*) ;; *) false ;; esac"))
                        .unless("only root has any"),
                Probe.python("privilege.user-namespace", GAIN_PRIVILEGE, "checked(libc().unshare(0x10000000))")
                        .unless("the host may let nobody make user namespaces"),
                Probe.python("privilege.mount", GAIN_PRIVILEGE, """
                        c = libc()
                        checked(c.mount(b'none', b'below', b'tmpfs', 0, None))
                        c.umount2(b'below', 2)""").unless("only root mounts"),
                outlives("outlive.end", Outliving.Ending.BY_ITSELF),
                outlives("outlive.cancel", Outliving.Ending.CANCELLED),
                outlives("outlive.time-limit", Outliving.Ending.OUT_OF_TIME));
    }

    private static Probe privilege(String id, String lines) {
        return Probe.sh(id, GAIN_PRIVILEGE, lines);
    }

    /** Linux only; elsewhere it is a tool that is missing. */
    private static String status(String key, String test) {
        return """
                [ -r /proc/self/status ] || exit 127
                while read -r k v rest; do [ "$k" = KEY: ] && { TEST; exit $?; }; done </proc/self/status
                exit 127""".replace("KEY", key).replace("TEST", test);
    }

    private static Probe outlives(String id, Outliving.Ending ending) {
        return Probe.of(id, new Claim.Closed(OUTLIVE_CALLER), new Outliving(ending));
    }
}
