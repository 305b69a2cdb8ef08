package dev.stockade.backend.seatbelt;

import static dev.stockade.backend.seatbelt.Act.file;
import static dev.stockade.backend.seatbelt.Act.lookUp;
import static dev.stockade.backend.seatbelt.Act.make;
import static dev.stockade.backend.seatbelt.Act.read;
import static dev.stockade.backend.seatbelt.Act.remove;
import static dev.stockade.backend.seatbelt.Act.write;
import static dev.stockade.backend.seatbelt.FakeMac.WORKSPACE;

import dev.stockade.api.Profile;
import dev.stockade.api.Profile.Reads;
import dev.stockade.api.Profile.Tmp;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What may be done with files, asked of the rules. Every denial has its twin. */
class FilesTest {

    private static final String HOST_FILE = "/Users/me/notes.txt";
    private static final String USER_TMP = "/private/var/folders/ab/cdef0123/T";

    private final FakeMac mac = FakeMac.fresh();

    private Profile.Builder strict() {
        return Profile.builder(mac.workspace());
    }

    private Confined system(Profile.Builder profile) {
        return Confined.by(profile.build(), mac);
    }

    private Confined host(Profile.Builder profile) {
        return Confined.by(profile.reads(Reads.HOST).build(), mac);
    }

    @Test
    @Tag("S11")
    void readsTheSystemAndTheWorkspaceOnly() {
        system(strict())
                .can(read("/usr/bin/git"), read("/bin/sh"), read("/opt/homebrew/bin/node"), read("/private/etc/hosts"))
                .can(read("/Library/Developer/CommandLineTools/usr/bin/clang"), read("/"), read(WORKSPACE + "/a"))
                .can(lookUp("/Users"), lookUp("/Users/me"), lookUp("/private/tmp"))
                .cannot(read("/Users"), read("/Users/me"), read(HOST_FILE), lookUp(HOST_FILE))
                .cannot(
                        read("/Library/Keychains/System.keychain"),
                        read("/Volumes/backup/x"),
                        read("/Applications/Mail.app"))
                .cannot(read("/System/Volumes/Data" + HOST_FILE));
    }

    @Test
    @Tag("S11")
    void readsAllOfTheHostButWhatIsHidden() {
        host(strict().hidden(mac.path("/Users/me/.ssh")))
                .can(read(HOST_FILE), read("/Users/me"), lookUp(HOST_FILE))
                .cannot(read("/Users/me/.ssh"), read("/Users/me/.ssh/id_rsa"), lookUp("/Users/me/.ssh/id_rsa"))
                .can(read("/Users/me/.sshx"))
                .cannot(read("/System/Volumes/Data/Users/me/.ssh/id_rsa"));
    }

    @Test
    void keepsTheSecretsOfEtcFromRoot() {
        system(strict())
                .can(
                        read("/private/etc/passwd"),
                        read("/private/etc/ssl/cert.pem"),
                        read("/private/etc/ssh/ssh_config"))
                .cannot(
                        read("/private/etc/master.passwd"),
                        read("/private/etc/sudoers"),
                        read("/private/etc/sudoers.d/x"))
                .cannot(read("/private/etc/ssh/ssh_host_rsa_key"));
    }

    @Test
    @Tag("S11")
    void writesTheWorkspaceOnly() {
        for (Confined confined : new Confined[] {system(strict()), host(strict())}) {
            confined.can(write(WORKSPACE + "/a"), make(WORKSPACE + "/d/a"), remove(WORKSPACE + "/a"))
                    .can(file("file-write-mode", WORKSPACE + "/a"), file("file-link", WORKSPACE + "/a"))
                    .can(write("/dev/null"), write("/dev/tty"), file("file-ioctl", "/dev/ttys003"))
                    .cannot(write(HOST_FILE), make("/Users/me/new"), remove(HOST_FILE), write(WORKSPACE + "2/a"))
                    .cannot(file("file-write-mode", HOST_FILE), file("file-write-xattr", HOST_FILE))
                    .cannot(file("file-write-owner", HOST_FILE), file("file-write-times", HOST_FILE))
                    .cannot(file("file-link", HOST_FILE), write("/dev/disk0"), write("/usr/local/bin/x"))
                    .cannot(write("/dev/ttys003"));
        }
    }

    @Test
    void aReadOnlyWorkspaceIsNotWritten() {
        for (Confined confined :
                new Confined[] {system(strict().workspaceReadOnly()), host(strict().workspaceReadOnly())}) {
            confined.can(read(WORKSPACE + "/a")).cannot(write(WORKSPACE + "/a"), make(WORKSPACE + "/b"));
        }
    }

    @Test
    @Tag("S07")
    void hasATemporaryDirectoryOfItsOwn() {
        for (Confined confined : new Confined[] {system(strict()), host(strict())}) {
            confined.can(make(Confined.TMP + "/x"), read(Confined.TMP + "/x"), lookUp("/private/tmp/stockade-1-2-3"))
                    .cannot(
                            read("/private/tmp/stockade-1-2-3/canary"),
                            read("/private/tmp"),
                            read("/private/tmp/other"))
                    .cannot(make("/private/tmp/x"), read("/private/var/tmp/x"), write("/private/var/tmp/x"));
        }
    }

    @Test
    @Tag("S11")
    void usesWhatMktempMakesWithoutListingIt() {
        for (Confined confined : new Confined[] {system(strict()), host(strict())}) {
            confined.can(make(USER_TMP + "/tmp.Ab3dEf7h"), read(USER_TMP + "/tmp.Ab3dEf7hIj/below"), lookUp(USER_TMP))
                    .cannot(read(USER_TMP), make(USER_TMP + "/other"), read(USER_TMP + "/tmp.short"))
                    .cannot(make(USER_TMP + "/xtmp.Ab3dEf7h"), make("/private/var/folders/ab/cdef0123/C/tmp.Ab3dEf7h"));
        }
    }

    @Test
    void sharesTheTemporaryDirectoriesOnlyIfToldTo() {
        FakeMac named = mac.with(Map.of("TMPDIR", "/var/folders/ab/cdef0123/T/"));
        Confined.by(strict().tmp(Tmp.SHARED).build(), named)
                .can(read("/private/tmp"), make("/private/tmp/x"), make(USER_TMP + "/other"), read(USER_TMP));
        Confined.by(strict().build(), named).cannot(make(USER_TMP + "/other"), make("/private/tmp/x"));
    }

    @Test
    @Tag("S10")
    void hidesTheRunTimeDirectory() {
        FakeMac named = mac.with(Map.of("XDG_RUNTIME_DIR", "/Users/me/run"));
        Profile profile = strict().reads(Reads.HOST).build();
        Confined.by(profile, named).cannot(read("/Users/me/run/feed3"), read("/Users/me/run"));
        Confined.by(profile, mac).can(read("/Users/me/run/feed3"));
    }

    @Test
    @Tag("S08")
    void carvesReadOnlyTreesOutOfWritableOnes() {
        Profile.Builder profile =
                strict().readable(mac.path(WORKSPACE + "/a/.git")).writable(mac.path(WORKSPACE + "/a/.git/hooks/open"));
        for (Confined confined : new Confined[] {system(profile), host(profile)}) {
            confined.can(read(WORKSPACE + "/a/.git/config"), write(WORKSPACE + "/a/x"), write(WORKSPACE + "/a/.gitx"))
                    .can(write(WORKSPACE + "/a/.git/hooks/open/x"))
                    .cannot(write(WORKSPACE + "/a/.git/config"), make(WORKSPACE + "/a/.git/hooks/pre-commit"))
                    .cannot(make(WORKSPACE + "/a/.git"), remove(WORKSPACE + "/a/.git"))
                    .cannot(file("file-link", WORKSPACE + "/a/.git/config"));
        }
    }

    @Test
    @Tag("S08")
    void nothingAboveARestrictionIsRenamedOrForged() {
        Profile.Builder profile = strict().readable(mac.path(WORKSPACE + "/a/b/.git"));
        for (Confined confined : new Confined[] {system(profile), host(profile)}) {
            confined.can(remove(WORKSPACE + "/a/c"), make(WORKSPACE + "/c"), write(WORKSPACE + "/a/b/file"))
                    .cannot(remove(WORKSPACE + "/a"), remove(WORKSPACE + "/a/b"), remove(WORKSPACE))
                    .cannot(make(WORKSPACE + "/a"), make(WORKSPACE + "/A"), make(WORKSPACE + "/a/b"));
        }
    }

    @Test
    @Tag("S09")
    void hidesInsideWritableTreesAlsoWhatDoesNotExistYet() {
        Profile.Builder profile = strict().hidden(mac.path(WORKSPACE + "/.env"));
        for (Confined confined : new Confined[] {system(profile), host(profile)}) {
            confined.can(read(WORKSPACE + "/.envx"), make(WORKSPACE + "/x.env"))
                    .cannot(read(WORKSPACE + "/.env"), write(WORKSPACE + "/.env"), make(WORKSPACE + "/.env"))
                    .cannot(remove(WORKSPACE + "/.env"), file("file-link", WORKSPACE + "/.env"))
                    .cannot(file("file-clone", WORKSPACE + "/.env"), lookUp(WORKSPACE + "/.env"));
        }
    }

    @Test
    @Tag("S09")
    void restrictionsHoldForWhatTheVolumeTakesForTheSameName() {
        Profile.Builder profile = strict().hidden(mac.path(WORKSPACE + "/gehe\u00efm's"));
        for (Confined confined : new Confined[] {system(profile), host(profile)}) {
            confined.cannot(make(WORKSPACE + "/gehe\u00efm's"), make(WORKSPACE + "/GEHE\u00cfM'S"))
                    .cannot(make(WORKSPACE + "/gehei\u0308m's"), make(WORKSPACE + "/gehei\u0308m'\u017f/x"))
                    .can(make(WORKSPACE + "/geheim's"), make(WORKSPACE + "/gehe\u00efm's2"));
        }
    }

    @Test
    void knowsPathsByTheNameTheKernelUses() {
        Profile.Builder profile = strict().writable(mac.directory("/tmp/cache"))
                .hidden(mac.path("/System/Volumes/Data/Users/me/work/secret"));
        for (Confined confined : new Confined[] {system(profile), host(profile)}) {
            confined.can(write("/private/tmp/cache/x")).cannot(write("/private/tmp/x"), read(WORKSPACE + "/secret"));
        }
    }
}
