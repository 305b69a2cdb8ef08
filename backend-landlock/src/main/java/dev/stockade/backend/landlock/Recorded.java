package dev.stockade.backend.landlock;

import dev.stockade.api.Network;
import dev.stockade.api.Profile;
import dev.stockade.api.Profile.Access;
import dev.stockade.api.Profile.Grant;
import dev.stockade.api.Profile.Reads;
import dev.stockade.api.Profile.Tmp;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.stream.Collectors;

/**
 * What another JVM needs to know to confine itself in this one's place: properties in a private file, for they hold the
 * values of variables.
 *
 * @param profile its paths are looked up already
 * @param facts what could be held when that was said
 * @param inNamespace whether that takes a user namespace, which the other JVM has
 * @param told where it leaves whether it became the command, if anybody asks
 * @param tmp the sandbox's directory for temporary files
 * @param directory where the command starts
 * @param environment all of its variables
 */
record Recorded(
        Profile profile,
        String facts,
        boolean inNamespace,
        Optional<Path> told,
        Path tmp,
        Path directory,
        Map<String, String> environment) {

    private static final String WORKSPACE = "workspace";
    private static final String WORKSPACE_ACCESS = "workspace.access";
    private static final String READS = "reads";
    private static final String NETWORK = "network";
    private static final String SHARES_TMP = "tmp";
    private static final String FACTS = "facts";
    private static final String IN_NAMESPACE = "in.namespace";
    private static final String TOLD = "told";
    private static final String OWN_TMP = "own.tmp";
    private static final String DIRECTORY = "directory";
    private static final String GRANT = "grant.";
    private static final String VARIABLE = "variable.";

    byte[] bytes() {
        Properties all = new Properties();
        all.setProperty(WORKSPACE, profile.workspace().toString());
        all.setProperty(WORKSPACE_ACCESS, profile.workspaceAccess().name());
        all.setProperty(READS, profile.reads().name());
        all.setProperty(NETWORK, profile.network().name());
        all.setProperty(SHARES_TMP, profile.tmp().name());
        all.setProperty(FACTS, facts);
        all.setProperty(IN_NAMESPACE, Boolean.toString(inNamespace));
        told.ifPresent(file -> all.setProperty(TOLD, file.toString()));
        all.setProperty(OWN_TMP, tmp.toString());
        all.setProperty(DIRECTORY, directory.toString());
        int number = 0;
        for (Grant grant : profile.grants()) {
            all.setProperty(GRANT + number++, grant.access().name() + " " + grant.path());
        }
        environment.forEach((name, value) -> all.setProperty(VARIABLE + name, value));
        try {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            all.store(bytes, null);
            return bytes.toByteArray();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static Recorded read(InputStream in) throws IOException {
        Properties all = new Properties();
        all.load(in);
        Profile.Builder profile = Profile.builder(Path.of(all.getProperty(WORKSPACE)))
                .reads(Reads.valueOf(all.getProperty(READS)))
                .network(Network.valueOf(all.getProperty(NETWORK)))
                .tmp(Tmp.valueOf(all.getProperty(SHARES_TMP)));
        if (Access.valueOf(all.getProperty(WORKSPACE_ACCESS)) != Access.WRITE) {
            profile.workspaceReadOnly();
        }
        grants(all).forEach(grant -> {
            int space = grant.indexOf(' ');
            Path path = Path.of(grant.substring(space + 1));
            switch (Access.valueOf(grant.substring(0, space))) {
                case READ -> profile.readable(path);
                case WRITE -> profile.writable(path);
                case HIDE -> profile.hidden(path);
            }
        });
        return new Recorded(
                profile.build(),
                all.getProperty(FACTS),
                Boolean.parseBoolean(all.getProperty(IN_NAMESPACE)),
                Optional.ofNullable(all.getProperty(TOLD)).map(Path::of),
                Path.of(all.getProperty(OWN_TMP)),
                Path.of(all.getProperty(DIRECTORY)),
                all.stringPropertyNames().stream()
                        .filter(name -> name.startsWith(VARIABLE))
                        .collect(Collectors.toMap(name -> name.substring(VARIABLE.length()), all::getProperty)));
    }

    /** In the order in which they were granted. */
    private static List<String> grants(Properties all) {
        return all.stringPropertyNames().stream()
                .filter(name -> name.startsWith(GRANT))
                .sorted(Comparator.comparingInt(name -> Integer.parseInt(name.substring(GRANT.length()))))
                .map(all::getProperty)
                .toList();
    }

    /** Without the values of variables. */
    @Override
    public String toString() {
        return profile + " in " + directory + " with " + environment.keySet();
    }
}
