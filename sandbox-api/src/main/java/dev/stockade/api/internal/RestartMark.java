package dev.stockade.api.internal;

import dev.stockade.api.Capabilities;
import dev.stockade.api.Profile;
import dev.stockade.api.Reach;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/**
 * What a JVM that starts itself again leaves to its second start: which boundaries have been drawn. It lies in a memory
 * file, inherited under some number: unlike a variable it does not get into anything else's environment, and is not
 * there by accident. It proves nothing; it says what to prove, and that starting once more would not help.
 *
 * @param namespace the mount namespace of the first start
 * @param layers the boundaries, in the order in which they were drawn
 */
record RestartMark(String namespace, List<Layer> layers) {

    /**
     * One boundary.
     *
     * @param digest of what was asked for
     * @param backend what holds it
     * @param capabilities what stays possible, told by the first start: inside, facts look different
     * @param notices for people
     */
    record Layer(String digest, String backend, Capabilities capabilities, List<String> notices) {}

    private static final String TITLE = "stockade-boundary 1";
    private static final String MEMORY_FILE = "/memfd:stockade";
    private static final Path DESCRIPTORS = Path.of("/proc/self/fd");

    static final RestartMark NONE = new RestartMark("", List.of());

    /** What this start was left; {@link #NONE} for a first start. */
    static RestartMark find() {
        RestartMark found = NONE;
        try (DirectoryStream<Path> open = Files.newDirectoryStream(DESCRIPTORS)) {
            for (Path descriptor : open) {
                RestartMark read = read(descriptor);
                found = read.layers.size() > found.layers.size() ? read : found;
            }
        } catch (IOException e) {
            return NONE;
        }
        return found;
    }

    private static RestartMark read(Path descriptor) {
        try {
            return Files.readSymbolicLink(descriptor).toString().startsWith(MEMORY_FILE)
                    ? parse(Files.readString(descriptor))
                    : NONE;
        } catch (IOException e) {
            // Closed in the meantime, or not text.
            return NONE;
        }
    }

    RestartMark with(Layer layer) {
        List<Layer> more = new ArrayList<>(layers);
        more.add(layer);
        return new RestartMark(currentNamespace(), List.copyOf(more));
    }

    static String currentNamespace() {
        try {
            return Files.readSymbolicLink(Path.of("/proc/self/ns/mnt")).toString();
        } catch (IOException | UnsupportedOperationException e) {
            return "";
        }
    }

    /** Of what a boundary depends on; variables are the JVM's own already. */
    static String digest(Profile profile) {
        String words = String.join(
                "\n",
                profile.workspace().toString(),
                profile.workspaceAccess().name(),
                profile.reads().name(),
                profile.grants().toString(),
                profile.network().name(),
                profile.tmp().name(),
                profile.limits().toString(),
                profile.settings().toString());
        try {
            return HexFormat.of()
                    .formatHex(MessageDigest.getInstance("SHA-256").digest(words.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e); // Every Java platform has it.
        }
    }

    /** As lines: a word, a space, the rest. */
    String text() {
        List<String> lines = new ArrayList<>(List.of(TITLE, "namespace " + namespace));
        for (Layer layer : layers) {
            lines.add("layer " + layer.digest + " " + layer.backend);
            for (Reach reach : Reach.values()) {
                String word = layer.capabilities.can(reach) ? "open " : "closed ";
                lines.add(word + reach + " " + oneLine(layer.capabilities.reason(reach)));
            }
            layer.notices.forEach(notice -> lines.add("notice " + oneLine(notice)));
        }
        return String.join("\n", lines) + "\n";
    }

    private static String oneLine(String text) {
        return text.replaceAll("\\R", " ");
    }

    static RestartMark parse(String text) {
        List<String> lines = text.lines().toList();
        if (lines.isEmpty() || !lines.get(0).equals(TITLE)) {
            return NONE;
        }
        String namespace = "";
        List<Layer> layers = new ArrayList<>();
        for (String line : lines.subList(1, lines.size())) {
            String[] words = line.split(" ", 3);
            switch (words[0]) {
                case "namespace" -> namespace = words[1];
                case "layer" -> layers.add(new Layer(words[1], words[2], Capabilities.EVERYTHING, List.of()));
                default -> layers.add(read(line, words, layers.remove(layers.size() - 1)));
            }
        }
        return new RestartMark(namespace, List.copyOf(layers));
    }

    private static Layer read(String line, String[] words, Layer so) {
        List<String> notices = new ArrayList<>(so.notices);
        Capabilities capabilities = so.capabilities;
        switch (words[0]) {
            case "open" -> capabilities = capabilities.opening(Reach.valueOf(words[1]), words[2]);
            case "closed" -> capabilities = capabilities.closing(Reach.valueOf(words[1]), words[2]);
            default -> notices.add(line.substring(line.indexOf(' ') + 1));
        }
        return new Layer(so.digest, so.backend, capabilities, List.copyOf(notices));
    }
}
