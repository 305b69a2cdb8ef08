package dev.stockade.conformance.probe;

import dev.stockade.api.Profile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;

/**
 * Where one sandbox is tried: a workspace, and bait around it that the kit itself has laid out: files, listeners,
 * processes. Scripts find it by variables {@code BAIT_…}; what could not be laid out has a reason instead.
 */
final class Ground implements AutoCloseable {

    /** What a file holds that nobody has touched. */
    static final String CANARY = "sings";

    static final Instant OLD = Instant.parse("2001-02-03T04:05:06Z");

    private static final List<String> HIDDEN = List.of("hidden", "hidden-moved", "hidden-linked", "hidden-below");
    private static final List<String> CARVED = List.of("written", "renamed", "removed", "remounted");

    private final Path root;
    private final Path workspace;
    private final Map<String, Path> places = new LinkedHashMap<>();
    private final Map<String, String> bait = new LinkedHashMap<>();
    private final Map<String, String> missing = new LinkedHashMap<>();
    private final Listeners listeners;
    private final Victims victims;

    private Ground() throws IOException {
        String unique = UUID.randomUUID().toString().substring(0, 8);
        root = place(Path.of(System.getProperty("java.io.tmpdir")), "ground-" + unique);
        workspace = Files.createDirectory(root.resolve("workspace")).toRealPath();
        bait.put("BAIT_CANARY", CANARY);
        bait.put("BAIT_PID", Long.toString(ProcessHandle.current().pid()));
        place("BAIT_HOME", Path.of(System.getProperty("user.home")), unique);
        place("BAIT_ELSEWHERE", Path.of("/var/tmp"), unique);
        place("BAIT_TMP", Path.of("/tmp"), unique);
        furnishWorkspace();
        listeners = Listeners.open(workspace, Optional.ofNullable(places.get("BAIT_HOME")), unique, bait, missing);
        victims = Victims.start(unique, bait);
    }

    static Ground lay() throws IOException {
        return new Ground();
    }

    private void place(String name, Path parent, String unique) throws IOException {
        if (!Files.isDirectory(parent) || !Files.isWritable(parent)) {
            missing.put(name, parent + " cannot be written here, so no bait lies there");
            return;
        }
        Path place = place(parent, unique);
        for (String file : List.of(
                "canary",
                "appended",
                "truncated",
                "taken",
                "unlinked",
                "hard",
                "linked",
                "mode",
                "times",
                "owner",
                "attribute")) {
            Files.setLastModifiedTime(Files.writeString(place.resolve(file), CANARY + "\n"), FileTime.from(OLD));
        }
        places.put(name, place);
        bait.put(name, place.toString());
    }

    private static Path place(Path parent, String unique) throws IOException {
        Remains.sweep(parent);
        return Files.createDirectory(
                parent.resolve(Remains.name(unique)),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwxr-xr-x")));
    }

    private void furnishWorkspace() throws IOException {
        Path home = places.getOrDefault("BAIT_HOME", root);
        Files.createSymbolicLink(workspace.resolve("to-canary"), home.resolve("canary"));
        Files.createSymbolicLink(workspace.resolve("to-linked"), home.resolve("linked"));
        Files.createDirectories(workspace.resolve("below/deep er"));
        for (String hidden : HIDDEN.subList(0, 3)) {
            Files.writeString(workspace.resolve(hidden), CANARY + "\n");
        }
        Files.writeString(
                Files.createDirectories(workspace.resolve("hidden-below/deep")).resolve("file"), CANARY + "\n");
        for (String carved : CARVED) {
            Path directory = Files.createDirectories(workspace.resolve(carved).resolve("carved"));
            Files.writeString(directory.resolve("file"), CANARY + "\n");
        }
        plantSetuid();
    }

    /** A program that runs as somebody else, if set-user-ID works. Only root can make one that proves anything. */
    private void plantSetuid() throws IOException {
        Path id = Path.of("/usr/bin/id");
        if (!System.getProperty("user.name", "").equals("root") || !Files.isRegularFile(id)) {
            missing.put("BAIT_SETUID", "only root can plant a set-user-ID program of another user");
            return;
        }
        Path copy = Files.copy(id, workspace.resolve("as-nobody"));
        Files.setAttribute(copy, "unix:uid", 65534);
        Files.setAttribute(copy, "unix:mode", 0104755);
        bait.put("BAIT_SETUID", copy.toString());
    }

    Path workspace() {
        return workspace;
    }

    Map<String, String> bait() {
        return bait;
    }

    /** Why a piece of bait is not there. */
    Optional<String> whyMissing(String name) {
        return bait.containsKey(name)
                ? Optional.empty()
                : Optional.of(missing.getOrDefault(name, "this host has nothing to lay out as " + name));
    }

    Listeners listeners() {
        return listeners;
    }

    Victims victims() {
        return victims;
    }

    /** Whether a grant of the profile covers bait, which is then no bait any more. */
    boolean isGranted(Profile profile, Profile.Access least) {
        return profile.grants().stream()
                .filter(grant -> grant.access().compareTo(least) >= 0)
                .anyMatch(grant -> places.values().stream().anyMatch(place -> place.startsWith(grant.path())));
    }

    /** The same profile, hiding and guarding parts of the workspace as well. */
    Profile restricted(Profile profile) {
        Profile.Builder more = profile.toBuilder();
        HIDDEN.forEach(name -> more.hidden(workspace.resolve(name)));
        CARVED.forEach(name -> more.readable(workspace.resolve(name).resolve("carved")));
        return more.build();
    }

    private Path at(String place, String name) {
        return places.getOrDefault(place, root.resolve("nowhere")).resolve(name);
    }

    /** Whether something has appeared that was not there. */
    boolean appeared(String place, String name) {
        return Files.exists(at(place, name));
    }

    /** Whether something is gone. */
    boolean isGone(String place, String name) {
        return places.containsKey(place) && !Files.exists(at(place, name));
    }

    /** Whether a file holds something else. */
    boolean isChanged(String place, String name) {
        return holdsAnother(at(place, name));
    }

    boolean isTouched(String place, String name) {
        try {
            return !Files.getLastModifiedTime(at(place, name)).toInstant().equals(OLD);
        } catch (IOException e) {
            return true;
        }
    }

    /** An attribute of a file, as text. */
    String attribute(String place, String name, String attribute) {
        try {
            return String.valueOf(Files.getAttribute(at(place, name), attribute));
        } catch (IOException | UnsupportedOperationException e) {
            return e.toString();
        }
    }

    /** Whether a directory that was to stay as it is has changed. */
    boolean isCarvedChanged(String name) {
        Path directory = workspace.resolve(name).resolve("carved");
        try (Stream<Path> entries = Files.list(directory)) {
            return !entries.toList().equals(List.of(directory.resolve("file")))
                    || holdsAnother(directory.resolve("file"));
        } catch (IOException e) {
            return true;
        }
    }

    private static boolean holdsAnother(Path file) {
        try {
            return !Files.readString(file).equals(CANARY + "\n");
        } catch (IOException e) {
            return true;
        }
    }

    @Override
    public void close() {
        victims.close();
        listeners.close();
        places.values().forEach(Remains::remove);
        Remains.remove(root);
    }
}
