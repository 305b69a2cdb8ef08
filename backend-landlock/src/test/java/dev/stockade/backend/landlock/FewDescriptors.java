package dev.stockade.backend.landlock;

import dev.stockade.api.Backends;
import dev.stockade.api.Command;
import dev.stockade.api.LaunchException;
import dev.stockade.api.Profile;
import dev.stockade.api.Sandbox;
import dev.stockade.posix.Errors;
import java.io.FileInputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;

/** A JVM that has used up its descriptors, and gives back one after the other until commands start again. */
final class FewDescriptors {

    private static final int STARTS = 5;
    private static final int MOST_NEEDED = 30;

    private FewDescriptors() {}

    /** Arguments: the workspace. Prints what was said, and at last how many descriptors a start takes. */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        Profile profile = Profile.builder(Path.of(arguments[0])).build();
        try (Sandbox sandbox = Backends.installed().only("landlock").open(profile)) {
            sandbox.run(Command.of("true"));
            Errors.text(0); // A class in a directory cannot be loaded without a descriptor.
            Deque<FileInputStream> held = new ArrayDeque<>();
            fill(held);
            for (int free = 0; free < MOST_NEEDED; free++) {
                int started = 0;
                for (int i = 0; i < STARTS; i++) {
                    started += starts(sandbox) ? 1 : 0;
                }
                if (started != 0) {
                    System.out.println(started + " of " + STARTS + " with " + free);
                    return;
                }
                held.removeLast().close();
            }
        }
    }

    private static void fill(Deque<FileInputStream> held) {
        try {
            while (true) {
                held.add(new FileInputStream("/dev/null"));
            }
        } catch (IOException e) {
            // There are none left.
        }
    }

    private static boolean starts(Sandbox sandbox) throws InterruptedException {
        try {
            return sandbox.start(Command.of("true")).waitFor() == 0;
        } catch (LaunchException e) {
            System.out.println(e.getMessage());
            return false;
        }
    }
}
