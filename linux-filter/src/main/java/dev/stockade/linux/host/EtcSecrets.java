package dev.stockade.linux.host;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The secrets that lie in {@code /etc}. A command of root's reads them without any capability, since uid 0 owns them;
 * so a backend that shows {@code /etc} hides these.
 *
 * <p>Not covered: secrets that an administrator keeps under names of his own, or outside {@code /etc}.
 */
public final class EtcSecrets {

    /** Relative to {@code /etc}; {@code *} within one name as in a shell. A directory stands for all below it. */
    private static final List<String> PATTERNS = List.of(
            "shadow*",
            "gshadow*",
            "security/opasswd",
            "sudoers*",
            "doas.conf",
            "ssh/ssh_host_*_key",
            "ssl/private",
            "pki/tls/private",
            "letsencrypt",
            "krb5.keytab",
            "sssd",
            "docker",
            "containers/auth.json",
            "kubernetes",
            "rancher",
            "ceph",
            "NetworkManager/system-connections",
            "wpa_supplicant",
            "iwd",
            "ppp/*-secrets",
            "ipsec.secrets",
            "ipsec.d/private",
            "swanctl/private",
            "wireguard",
            "openvpn",
            "postfix/sasl*",
            "cups/ssl",
            "crypttab",
            "luks",
            "apt/auth.conf*",
            "mysql/debian.cnf",
            "exim4/passwd.client",
            "credstore*");

    private EtcSecrets() {}

    /**
     * The secrets that exist.
     *
     * @param etc {@code /etc}, of any file system
     * @return files and directories below it, sorted, links not followed, none below another; empty if there is no such
     *     directory. A directory that the caller may not list stands for the secrets in it
     * @throws UncheckedIOException if a directory cannot be read for another reason: it is not known then what to hide
     */
    public static List<Path> under(Path etc) {
        NavigableSet<Path> found = new TreeSet<>();
        Map<String, List<String>> globs = new TreeMap<>();
        for (String pattern : PATTERNS) {
            if (pattern.indexOf('*') >= 0) {
                String directory = pattern.substring(0, Math.max(0, pattern.lastIndexOf('/')));
                globs.computeIfAbsent(directory, none -> new ArrayList<>())
                        .add(pattern.substring(pattern.lastIndexOf('/') + 1));
            } else if (Files.exists(etc.resolve(pattern), LinkOption.NOFOLLOW_LINKS)) {
                found.add(etc.resolve(pattern));
            }
        }
        globs.forEach((directory, names) -> addMatching(found, etc.resolve(directory), names));
        return List.copyOf(found);
    }

    private static void addMatching(NavigableSet<Path> to, Path directory, List<String> globs) {
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory)) {
            for (Path entry : entries) {
                String name = entry.getFileName().toString();
                for (String glob : globs) {
                    if (matches(name, glob)) {
                        to.add(entry);
                    }
                }
            }
        } catch (AccessDeniedException e) {
            to.add(directory);
        } catch (NoSuchFileException | NotDirectoryException e) {
            // Nothing there, nothing to hide.
        } catch (DirectoryIteratorException e) {
            throw new UncheckedIOException(e.getCause());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Globs here have one star. A {@code PathMatcher} would compile regular expressions, at every start. */
    private static boolean matches(String name, String glob) {
        int star = glob.indexOf('*');
        String end = glob.substring(star + 1);
        return name.length() >= glob.length() - 1 && name.startsWith(glob.substring(0, star)) && name.endsWith(end);
    }
}
