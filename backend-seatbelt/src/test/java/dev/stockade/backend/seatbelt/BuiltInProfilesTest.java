package dev.stockade.backend.seatbelt;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.stockade.api.Network;
import dev.stockade.api.Profile;
import dev.stockade.api.Profile.Access;
import dev.stockade.api.Profile.Reads;
import dev.stockade.api.Profile.Tmp;
import dev.stockade.api.spi.ProfileProvider;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.function.BiConsumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;

/**
 * Every built-in profile decides what its words promise. What they promise is worked out here a second time, from the
 * profile alone.
 */
class BuiltInProfilesTest {

    private static final List<String> CANARIES = List.of(
            "/Users/me/work/src/a.c",
            "/Users/me/work/.git/config",
            "/Users/me/work/.env",
            "/Users/me/notes.txt",
            "/Users/me/.ssh/id_rsa",
            "/Users/me/.aws/credentials",
            "/Users/me/.netrc",
            "/Users/me/.config/gh/hosts.yml",
            "/Users/me/.cargo/credentials.toml",
            "/Users/me/.cargo/bin/cargo",
            "/Users/me/.cargo/registry/index/x",
            "/Users/me/.npm/_cacache/x",
            "/Users/me/.m2/repository/x.jar",
            "/Users/me/Library/Keychains/login.keychain-db",
            "/Users/me/Library/Caches/pip/x",
            "/Users/other/file",
            "/Volumes/backup/file",
            "/usr/local/bin/tool",
            "/opt/homebrew/bin/tool",
            "/private/etc/hosts");

    private static final List<String> ADDRESSES =
            List.of("93.184.216.34:443", "[2606:2800:220::1]:53", "224.0.0.251:5353");

    private final FakeMac mac = FakeMac.fresh();

    private Stream<DynamicTest> each(BiConsumer<Profile, Confined> test) {
        getClass().getModule().addUses(ProfileProvider.class);
        return ServiceLoader.load(ProfileProvider.class).stream()
                .map(ServiceLoader.Provider::get)
                .flatMap(provider -> provider.names().keySet().stream().map(name -> {
                    Profile profile = provider.profile(name, mac.workspace(), mac);
                    return DynamicTest.dynamicTest(name, () -> test.accept(profile, Confined.by(profile, mac)));
                }));
    }

    @TestFactory
    @Tag("S05")
    @Tag("S06")
    Stream<DynamicTest> files() {
        return each((profile, confined) -> {
            for (String canary : CANARIES) {
                Access access = promised(profile, mac.path(canary));
                boolean read = access != Access.HIDE;
                boolean written = access == Access.WRITE;
                for (String operation : List.of("file-read-data", "file-read-xattr")) {
                    expect(read, confined, Act.file(operation, canary));
                }
                for (String operation :
                        List.of("file-write-data", "file-write-mode", "file-write-owner", "file-link")) {
                    expect(written, confined, Act.file(operation, canary));
                }
                for (String operation : List.of("file-write-times", "file-write-xattr", "file-write-flags")) {
                    expect(written, confined, Act.file(operation, canary));
                }
            }
        });
    }

    @TestFactory
    @Tag("S01")
    Stream<DynamicTest> network() {
        return each((profile, confined) -> {
            for (String address : ADDRESSES) {
                expect(profile.network() == Network.ON, confined, Act.connect(address));
            }
            for (String loopback : List.of("127.0.0.1:80", "[::1]:80")) {
                expect(profile.network() != Network.OFF, confined, Act.connect(loopback));
                expect(profile.network() != Network.OFF, confined, Act.accept(loopback));
            }
            expect(profile.network() == Network.ON, confined, Act.service("com.apple.dnssd.service"));
            for (String socket : List.of("/private/var/run/docker.sock", "/Users/me/.x/s")) {
                expect(false, confined, Act.connectUnix(socket));
            }
            boolean shared = profile.network() != Network.OFF && profile.tmp() == Tmp.SHARED;
            expect(shared, confined, Act.connectUnix("/private/tmp/agent.sock"));
            boolean own = profile.network() != Network.OFF && profile.workspaceAccess() == Access.WRITE;
            expect(own, confined, Act.connectUnix("/Users/me/work/s"));
        });
    }

    @TestFactory
    Stream<DynamicTest> other() {
        return each((profile, confined) -> {
            confined.can(Act.read("/bin/sh"), Act.write("/dev/null"), Act.make(Confined.TMP + "/x"));
            expect(profile.tmp() == Tmp.SHARED, confined, Act.read("/private/tmp/stockade-1-2-3/canary"));
            confined.cannot(Act.plain("appleevent-send"));
            assertFalse(SeatbeltProfile.of(profile, mac, true).text().contains("/Users"), "a path became text");
        });
    }

    private static void expect(boolean allowed, Confined confined, Act act) {
        assertEquals(allowed, confined.rules().allows(act), act::toString);
    }

    private static Access promised(Profile profile, Path path) {
        Optional<Access> named = Stream.concat(
                        profile.grants().stream(),
                        Stream.of(new Profile.Grant(profile.workspace(), profile.workspaceAccess())))
                .filter(grant -> path.startsWith(grant.path()))
                .max((a, b) -> a.path().getNameCount() - b.path().getNameCount())
                .map(Profile.Grant::access);
        boolean isSystem = Stream.of("/usr", "/opt", "/private/etc").anyMatch(path::startsWith);
        return named.orElse(profile.reads() == Reads.HOST || isSystem ? Access.READ : Access.HIDE);
    }
}
