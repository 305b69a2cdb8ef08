package dev.stockade.linux.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EtcSecretsTest {

    @TempDir
    Path etc;

    @Test
    @Tag("M18")
    void findsWhatOnlyRootMayRead() throws IOException {
        for (String name : List.of("shadow", "shadow-", "gshadow", "sudoers", "krb5.keytab", "passwd", "hosts")) {
            Files.createFile(etc.resolve(name));
        }
        Files.createDirectories(etc.resolve("ssh"));
        Files.createFile(etc.resolve("ssh/ssh_host_rsa_key"));
        Files.createFile(etc.resolve("ssh/ssh_host_rsa_key.pub"));
        Files.createDirectories(etc.resolve("ssl/private"));
        Files.createDirectories(etc.resolve("ssl/certs"));
        Files.createDirectories(etc.resolve("sudoers.d"));

        assertEquals(
                List.of(
                        "gshadow",
                        "krb5.keytab",
                        "shadow",
                        "shadow-",
                        "ssh/ssh_host_rsa_key",
                        "ssl/private",
                        "sudoers",
                        "sudoers.d"),
                EtcSecrets.under(etc).stream()
                        .map(path -> etc.relativize(path).toString())
                        .toList());
    }

    @Test
    void hidesALinkToASecretAsTheLinkItIs() throws IOException {
        Files.createSymbolicLink(etc.resolve("krb5.keytab"), Path.of("/nowhere"));
        assertEquals(List.of(etc.resolve("krb5.keytab")), EtcSecrets.under(etc));
    }

    @Test
    void findsNothingWhereThereIsNoEtc() {
        assertTrue(EtcSecrets.under(etc.resolve("none")).isEmpty());
    }

    @Test
    void leavesWhatProgramsNeed() {
        List<Path> secrets = EtcSecrets.under(Path.of("/etc"));
        for (String needed : List.of("passwd", "group", "hosts", "resolv.conf", "ssl/certs", "nsswitch.conf")) {
            Path path = Path.of("/etc", needed);
            assertFalse(secrets.stream().anyMatch(path::startsWith), needed);
        }
    }
}
