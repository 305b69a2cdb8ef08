package dev.stockade.linux.filter;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class DockerProfileTest {

    private static final SeccompFilter OFF = SeccompFilter.of(Sockets.OFF, Isolation.values());
    private static final SeccompFilter ON = SeccompFilter.of(Sockets.ON, Isolation.values());

    /** A profile as libseccomp understands it: rules without order, of which no two may match with different actions. */
    private record Profile(Object json) {

        static Profile of(SeccompFilter filter) {
            return new Profile(Json.read(filter.dockerProfile()));
        }

        long errno(String call, long... arguments) {
            Set<Long> errnos = new TreeSet<>();
            for (Object rule : Json.list(json, "syscalls")) {
                if (Json.list(rule, "names").contains(call)
                        && Json.list(rule, "args").stream().allMatch(arg -> matches(arg, arguments))) {
                    errnos.add(Json.number(rule, "errnoRet", 0));
                }
            }
            assertTrue(errnos.size() <= 1, call + " is answered in several ways");
            return errnos.isEmpty()
                    ? Json.number(json, "defaultErrnoRet", -1)
                    : errnos.iterator().next();
        }

        private static boolean matches(Object arg, long... arguments) {
            long argument = arguments[(int) Json.number(arg, "index", -1)];
            return (argument & Json.number(arg, "value", 0)) == Json.number(arg, "valueTwo", -1);
        }
    }

    @Test
    void saysWhatTheProgramSaysWhereTheEngineAllowsTheCall() {
        Random random = new Random(11);
        for (SeccompFilter filter : Calls.allFilters()) {
            Profile profile = Profile.of(filter);
            Policy.of(filter).forEach((call, decision) -> {
                for (int i = 0; i < (decision.cases().isEmpty() ? 1 : 20); i++) {
                    long[] arguments = random.longs(6)
                            .map(l -> random.nextBoolean() ? l : l & 0xFFFFFFFF0000001FL)
                            .toArray();
                    Verdict verdict = Calls.answer(filter, call, arguments);
                    boolean allowed = verdict == Verdict.ALLOW && DockerDefaults.ALLOWED.contains(call);
                    long expected = allowed ? 0 : verdict == Verdict.ALLOW ? 1 : verdict.errno();
                    assertEquals(expected, profile.errno(call, arguments), filter + " " + call);
                }
            });
        }
    }

    @ParameterizedTest
    @Tag("A04")
    @ValueSource(
            strings = {"io_uring_setup", "io_uring_enter", "io_uring_register", "bpf", "mount", "keyctl", "unshare"})
    void deniesWhatTheProgramDenies(String call) {
        assertEquals(1, Profile.of(ON).errno(call, 0));
    }

    @Test
    void keepsWhatTheEngineAllows() {
        Profile profile = Profile.of(OFF);
        for (String call : List.of("read", "execve", "futex", "inotify_add_watch", "shmget", "ptrace", "arch_prctl")) {
            assertEquals(0, profile.errno(call), call);
        }
    }

    @Test
    void keepsWhatTheEngineDeniesThoughNoRuleOfOursNamesIt() {
        Profile profile = Profile.of(ON);
        for (String call : List.of("kcmp", "move_pages", "uselib", "fanotify_init", "unshare")) {
            assertEquals(1, profile.errno(call, 0), call);
        }
        assertEquals(0, profile.errno("personality", 0));
        assertEquals(1, profile.errno("personality", 0x40000)); // ADDR_NO_RANDOMIZE
    }

    @Test
    @Tag("S13")
    void closesVsockAndUnixSocketsThatTheEngineLeavesOpen() {
        assertEquals(97, Profile.of(ON).errno("socket", Calls.AF_VSOCK, Calls.STREAM, 0));
        assertEquals(97, Profile.of(ON).errno("socket", (1L << 32) | Calls.AF_VSOCK, Calls.STREAM, 0));
        assertEquals(13, Profile.of(OFF).errno("socket", Calls.AF_UNIX, Calls.STREAM, 0));
        assertEquals(0, Profile.of(ON).errno("socket", Calls.AF_UNIX, Calls.STREAM, 0));
        assertEquals(0, Profile.of(OFF).errno("socket", Calls.AF_INET, Calls.STREAM, 0));
    }

    @ParameterizedTest
    @EnumSource
    void namesNo32BitArchitectureNoMultiplexerAndNo64BitComparison(Sockets sockets) {
        String text = SeccompFilter.of(sockets).dockerProfile();
        assertFalse(text.contains("\"SCMP_ARCH_X86\"") || text.contains("X32") || text.contains("SCMP_ARCH_ARM\""));
        assertFalse(text.replace("SCMP_CMP_MASKED_EQ", "").contains("SCMP_CMP_"), "compares high halves as well");
        assertFalse(text.contains("socketcall") || text.contains("\"ipc\""));
        assertTrue(text.contains("SCMP_ARCH_X86_64") && text.contains("SCMP_ARCH_AARCH64"));
    }
}
