package dev.stockade.linux.filter;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class SyscallNumbersTest {

    // The generic header gives some numbers a detour: __NR3264_fcntl.
    private static final Pattern DEFINITION = Pattern.compile("#define __NR(?:3264)?_(\\w+)\\s+(\\d+)");

    @Test
    void agreeWithTheKernelsHeaderForX86() throws IOException {
        agree(Architecture.X86_64, "/usr/include/x86_64-linux-gnu/asm/unistd_64.h");
    }

    @Test
    void agreeWithTheKernelsHeaderForAarch64() throws IOException {
        agree(Architecture.AARCH64, "/usr/include/asm-generic/unistd.h");
    }

    private static void agree(Architecture architecture, String header) throws IOException {
        assumeTrue(Files.exists(Path.of(header)), "the kernel's headers are not installed");
        Map<String, Integer> numbers = new HashMap<>();
        boolean for32Bit = false;
        for (String line : Files.readAllLines(Path.of(header))) {
            for32Bit = for32Bit ? !line.startsWith("#endif") : line.contains("__BITS_PER_LONG == 32");
            Matcher definition = DEFINITION.matcher(line);
            if (!for32Bit && definition.matches()) {
                numbers.put(definition.group(1), Integer.parseInt(definition.group(2)));
            }
        }
        numbers.keySet().removeAll(java.util.Set.of("arch_specific_syscall", "syscalls"));
        assertTrue(numbers.size() > 250, "the header has other definitions than expected");

        for (String call : Policy.of(SeccompFilter.of(Sockets.OFF)).keySet()) {
            Integer number = numbers.get(call);
            if (number != null) {
                assertEquals(number, SyscallNumbers.of(architecture, call).orElse(-1), call);
            }
        }
        numbers.forEach((call, number) -> {
            for (SyscallNumbers.Range range : SyscallNumbers.unassigned(architecture)) {
                assertTrue(number < range.first() || number > range.last(), call + " is " + number);
            }
        });
    }

    @Test
    void theOldPortCallsExistOnX86Only() {
        assertTrue(SyscallNumbers.of(Architecture.X86_64, "iopl").isPresent());
        assertTrue(SyscallNumbers.of(Architecture.AARCH64, "iopl").isEmpty());
    }

    @Test
    void aCallWithoutANumberIsAnErrorAndNotLeftOut() {
        assertThrows(IllegalArgumentException.class, () -> SyscallNumbers.of(Architecture.X86_64, "no_such_call"));
    }
}
