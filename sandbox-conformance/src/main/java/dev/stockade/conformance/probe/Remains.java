package dev.stockade.conformance.probe;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** What a process that was killed has left: its directories bear its number, so the next one that looks removes them. */
final class Remains {

    private static final String PREFIX = ".stockade-bait-";
    private static final Pattern NAME = Pattern.compile(Pattern.quote(PREFIX) + "(\\d{1,18})-.+");

    private Remains() {}

    /** What a directory of this process is called. */
    static String name(String unique) {
        return PREFIX + ProcessHandle.current().pid() + "-" + unique;
    }

    /** Removes what this user's dead processes have left in a directory. */
    static void sweep(Path parent) {
        try (DirectoryStream<Path> left = Files.newDirectoryStream(parent, PREFIX + "*")) {
            for (Path place : left) {
                Matcher name = NAME.matcher(place.getFileName().toString());
                if (name.matches()
                        && ProcessHandle.of(Long.parseLong(name.group(1))).isEmpty()
                        && isOwn(place)) {
                    remove(place);
                }
            }
        } catch (IOException e) {
            // Nothing that can be listed, so nothing that can be swept.
        }
    }

    /** Root may remove anybody's; only what it made itself is its to remove. */
    private static boolean isOwn(Path place) throws IOException {
        return Files.getOwner(place, LinkOption.NOFOLLOW_LINKS).getName().equals(System.getProperty("user.name"));
    }

    /** Removes a tree without following a link that a confined command may have left. */
    static void remove(Path tree) {
        try {
            if (Files.isDirectory(tree, LinkOption.NOFOLLOW_LINKS)) {
                Files.setPosixFilePermissions(tree, PosixFilePermissions.fromString("rwx------"));
                try (Stream<Path> below = Files.list(tree)) {
                    below.forEach(Remains::remove);
                }
            }
            Files.deleteIfExists(tree);
        } catch (IOException e) {
            // Another user's file in a directory that is not this user's: nothing more can be done.
        }
    }
}
