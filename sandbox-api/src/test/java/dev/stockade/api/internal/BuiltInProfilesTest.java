package dev.stockade.api.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.common.jimfs.Configuration;
import com.google.common.jimfs.Jimfs;
import dev.stockade.api.Network;
import dev.stockade.api.Profile;
import dev.stockade.api.Profile.Access;
import dev.stockade.api.Profile.Reads;
import dev.stockade.api.Profile.Tmp;
import dev.stockade.api.spi.Host;
import dev.stockade.api.spi.ProfileProvider;
import java.io.IOException;
import java.nio.file.FileSystem;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class BuiltInProfilesTest {

    private final FileSystem files = Jimfs.newFileSystem(Configuration.unix());
    private final Path home = files.getPath("/home/user");
    private Path workspace = home.resolve("src/project");

    @BeforeEach
    void makeHomeAndWorkspace() throws IOException {
        Files.createDirectories(workspace);
    }

    /** A user with this home and these variables. */
    private record User(Path home, Map<String, String> environment) implements Host {

        @Override
        public String os() {
            return "linux";
        }

        @Override
        public String arch() {
            return "x86_64";
        }

        @Override
        public int uid() {
            return 1000;
        }

        @Override
        public FileSystem files() {
            return home.getFileSystem();
        }

        @Override
        public Optional<Path> find(String program) {
            return Optional.empty();
        }

        @Override
        public Optional<Printed> output(Duration limit, List<String> argv) {
            return Optional.empty();
        }
    }

    private Profile profile(String name, Map<String, String> environment) {
        return new BuiltInProfiles().profile(name, workspace, new User(home, environment));
    }

    private Profile build() {
        return profile("build", Map.of("PATH", "/usr/bin:/bin"));
    }

    private Path file(String place) throws IOException {
        Path file = home.resolve(place);
        Files.createDirectories(file.resolveSibling("x").getParent());
        return Files.exists(file) ? file : Files.createFile(file);
    }

    private Optional<Access> access(Profile profile, String place) {
        return profile.accessTo(home.resolve(place));
    }

    @Test
    @Tag("M03")
    void strictIsTheWorkspaceAndNothingElse() {
        Profile strict = profile("strict", Map.of("SECRET", "1"));
        assertEquals(Profile.builder(workspace).build(), strict);
        assertEquals(Network.OFF, strict.network());
    }

    @Test
    void readOnlyLetsNothingBeWritten() {
        Profile readOnly = profile("read-only", Map.of());
        assertEquals(Access.READ, readOnly.workspaceAccess());
        assertTrue(readOnly.isAtMost(profile("strict", Map.of())));
    }

    @Test
    @Tag("A01")
    void writeGuardLeavesAllButWritingOpen() {
        Profile guard = profile("write-guard", Map.of("ANY", "1"));
        assertEquals(Reads.HOST, guard.reads());
        assertEquals(Network.ON, guard.network());
        assertEquals(Tmp.SHARED, guard.tmp());
        assertTrue(guard.environment().contains("ANY"));
        assertEquals(Optional.of(Access.WRITE), access(guard, "src/project/file"));
        assertEquals(Optional.of(Access.WRITE), guard.accessTo(files.getPath("/tmp/file")));
        assertEquals(Optional.of(Access.READ), access(guard, ".bashrc"));
    }

    @Test
    @Tag("S05")
    void buildReadsTheHostButNoCredentials() throws IOException {
        List<String> stores = List.of(
                ".ssh",
                ".aws",
                ".azure",
                ".gnupg",
                ".netrc",
                ".docker",
                ".kube",
                ".npmrc",
                ".pypirc",
                ".git-credentials",
                ".password-store",
                ".config/gh",
                ".config/gcloud",
                ".config/hub",
                ".cargo/credentials",
                ".cargo/credentials.toml",
                ".local/share/keyrings",
                "Library/Keychains",
                ".config/containers/auth.json",
                ".m2/settings-security.xml",
                ".gradle/gradle.properties",
                ".pgpass",
                ".claude/.credentials.json",
                ".mozilla",
                ".bash_history");
        for (String store : stores) {
            assertEquals(Optional.of(Access.HIDE), access(build(), store), store + ", before there is one");
        }
        for (String store : stores) {
            file(store);
        }
        for (String store : stores) {
            assertEquals(Optional.of(Access.HIDE), access(build(), store), store);
            assertEquals(Optional.of(Access.HIDE), access(build(), store + "/below"), store);
        }
        for (String other : List.of(".gitconfig", ".cargo/config.toml", ".m2", ".config/fish", "src/other")) {
            assertEquals(Optional.of(Access.READ), access(build(), other), other);
        }
        assertTrue(CredentialStores.places().containsAll(stores));
    }

    @Test
    @Tag("S05")
    void buildHidesWhereALinkedCredentialReallyIs() throws IOException {
        Path real = file("dotfiles/netrc");
        Files.createSymbolicLink(home.resolve(".netrc"), real);
        assertEquals(Optional.of(Access.HIDE), access(build(), "dotfiles/netrc"));
        assertEquals(Optional.of(Access.READ), access(build(), "dotfiles/vimrc"));
    }

    @Test
    @Tag("S05")
    void buildFollowsTheVariablesThatMoveStoresAndCaches() throws IOException {
        Path cargo = Files.createDirectory(files.getPath("/cargo"));
        Files.createDirectory(cargo.resolve("registry"));
        Profile moved = profile("build", Map.of("CARGO_HOME", cargo.toString(), "KUBECONFIG", "/k/one:/k/two"));
        assertEquals(Optional.of(Access.HIDE), moved.accessTo(cargo.resolve("credentials.toml")));
        assertEquals(Optional.of(Access.WRITE), moved.accessTo(cargo.resolve("registry/index")));
        assertEquals(Optional.of(Access.READ), moved.accessTo(cargo.resolve("bin/cargo")));
        assertEquals(Optional.of(Access.HIDE), moved.accessTo(files.getPath("/k/two")));
    }

    @Test
    @Tag("S06")
    void buildWritesPackageCachesButNoToolsDirectoryAsAWhole() throws IOException {
        List<String> caches = List.of(
                ".cache/pip",
                ".cache/uv",
                ".cache/yarn",
                ".cargo/registry",
                ".cargo/git",
                ".npm",
                ".m2/repository",
                ".gradle/caches",
                "go/pkg/mod",
                ".local/share/pnpm/store",
                ".yarn/berry",
                "Library/Caches");
        for (String cache : caches) {
            Files.createDirectories(home.resolve(cache));
        }
        file(".cargo/.package-cache");
        Profile build = build();
        for (String cache : caches) {
            assertEquals(Optional.of(Access.WRITE), access(build, cache + "/entry"), cache);
        }
        assertEquals(Optional.of(Access.WRITE), access(build, ".cargo/.package-cache"));
        for (String tool : List.of(
                ".cargo",
                ".cargo/bin",
                ".m2",
                ".m2/wrapper",
                ".gradle",
                ".gradle/wrapper/dists",
                "go/bin",
                ".yarn",
                ".local/share/pnpm",
                ".local/bin",
                ".rustup",
                ".bashrc",
                ".profile")) {
            assertEquals(Optional.of(Access.READ), access(build, tool), tool);
        }
        assertEquals(Network.LOOPBACK, build.network());
    }

    @Test
    @Tag("S06")
    void noDirectoryWithProgramsOnThePathBecomesWritable() throws IOException {
        for (String place :
                List.of(".cache/tool/bin", ".cache/fnm/v22/bin", ".npm/bin", ".cache/pip", "bin", "go/pkg/mod")) {
            Files.createDirectories(home.resolve(place));
        }
        file(".cache/fnm/v22/bin/node");
        Files.createSymbolicLink(home.resolve("bin/node"), home.resolve(".cache/fnm/v22/bin/node"));
        String path = String.join(
                ":",
                "/usr/bin",
                home.resolve(".cache/tool/bin").toString(),
                home.resolve("bin").toString(),
                home.resolve("go/pkg/mod").toString(),
                "relative/bin");
        Profile build = profile("build", Map.of("PATH", path));
        assertEquals(Optional.of(Access.READ), access(build, ".cache/tool/bin/program"));
        assertEquals(Optional.of(Access.READ), access(build, ".cache/tool/lib/library.so"));
        assertEquals(Optional.of(Access.READ), access(build, ".cache/fnm/v22/lib/node_modules/npm"), "run by a link");
        assertEquals(Optional.of(Access.READ), access(build, "go/pkg/mod"), "itself on the path");
        assertEquals(Optional.of(Access.WRITE), access(build, ".cache/pip"));
    }

    @Test
    void aVariableThatMovesACacheCannotOpenTheHome() {
        Profile build =
                profile("build", Map.of("XDG_CACHE_HOME", home.toString(), "UV_CACHE_DIR", "/", "GOCACHE", "~"));
        assertEquals(Optional.of(Access.READ), access(build, ".bashrc"));
    }

    @Test
    @Tag("S05")
    void aCredentialInsideACacheIsHiddenOnlyWhereThereIsOne() throws IOException {
        Files.createDirectories(home.resolve(".cache"));
        String token = ".cache/huggingface/token";
        assertEquals(Optional.of(Access.WRITE), access(build(), token), "nothing can be covered that does not exist");
        file(token);
        assertEquals(Optional.of(Access.HIDE), access(build(), token));
    }

    @Test
    @Tag("S08")
    void buildKeepsTheCheckoutsGitDirectoryAsItIs() throws IOException {
        assertEquals(Optional.of(Access.WRITE), access(build(), "src/project/.git/config"));
        Files.createDirectories(workspace.resolve(".git/hooks"));
        assertEquals(Optional.of(Access.READ), access(build(), "src/project/.git/hooks/pre-commit"));
        assertEquals(Optional.of(Access.WRITE), access(build(), "src/project/src"));
    }

    @Test
    @Tag("A06")
    void builtInsAreQuietAboutWhatIsNotThere() {
        for (String name : new BuiltInProfiles().names().keySet()) {
            assertEquals(List.of(), Resolution.of(profile(name, Map.of())).notices(), name);
            assertEquals(List.of(), Resolution.of(profile(name, Map.of())).refused(), name);
        }
    }

    @Test
    void buildWorksWithTheHomeAsTheWorkspace() throws IOException {
        Files.createDirectories(home.resolve(".ssh"));
        Files.createDirectories(home.resolve(".cargo/registry"));
        workspace = home;
        assertEquals(Optional.of(Access.HIDE), access(build(), ".ssh"));
        assertEquals(List.of(), Resolution.of(build()).refused());
        assertFalse(build().grants().stream().anyMatch(grant -> grant.path().equals(home.resolve(".aws"))));
    }

    @Test
    void namesAreFoundByTheServiceLoader() {
        assertEquals(
                List.of("build", "read-only", "strict", "write-guard"),
                List.copyOf(ProfileProvider.installed().keySet()));
        assertEquals(Profile.builder(workspace).build(), Profile.named("strict", workspace));
        IllegalArgumentException unknown =
                assertThrows(IllegalArgumentException.class, () -> Profile.named("stric", workspace));
        assertEquals(
                "there is no profile \"stric\"; installed are build, read-only, strict, write-guard",
                unknown.getMessage());
    }

    @Test
    void aNameThatTwoProvidersGiveBelongsToNeither() {
        ProfileProvider other = new ProfileProvider() {
            @Override
            public SortedMap<String, String> names() {
                return new TreeMap<>(Map.of("build", "another", "own", "only here"));
            }

            @Override
            public Profile profile(String name, Path workspace, Host host) {
                return Profile.builder(workspace).reads(Reads.HOST).build();
            }
        };
        SortedMap<String, ProfileProvider> byName = InstalledProfiles.byName(List.of(new BuiltInProfiles(), other));
        assertEquals(Reads.HOST, given(byName, "own").reads());
        assertEquals(Reads.SYSTEM, given(byName, "strict").reads());
        Throwable refused = assertThrows(IllegalArgumentException.class, () -> given(byName, "build"));
        String message = String.valueOf(refused.getMessage());
        assertTrue(message.contains("BuiltInProfiles") && message.contains("remove one"), message);
    }

    private Profile given(SortedMap<String, ProfileProvider> byName, String name) {
        return Optional.ofNullable(byName.get(name)).orElseThrow().profile(name, workspace, new User(home, Map.of()));
    }
}
