package dev.stockade.backend.landlock;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Who a command runs as, where root confines it: the owner of the workspace. Root without capabilities cannot write
 * another's files, and owns the system's.
 *
 * @param uid the owner
 * @param gid the owner's group of the workspace
 */
record Identity(int uid, int gid) {

    /** Another user's identity; empty if the workspace is root's own. */
    static Optional<Identity> ownerOf(Path workspace) {
        try {
            int uid = (Integer) Files.getAttribute(workspace, "unix:uid");
            int gid = (Integer) Files.getAttribute(workspace, "unix:gid");
            return uid == 0 ? Optional.empty() : Optional.of(new Identity(uid, gid));
        } catch (IOException | UnsupportedOperationException e) {
            return Optional.empty();
        }
    }

    /** Gives a directory of root's to the identity. */
    void own(Path directory) throws IOException {
        Files.setAttribute(directory, "unix:uid", uid);
        Files.setAttribute(directory, "unix:gid", gid);
    }
}
