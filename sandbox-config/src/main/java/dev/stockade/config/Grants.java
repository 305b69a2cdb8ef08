package dev.stockade.config;

import dev.stockade.api.Profile;
import dev.stockade.api.Profile.Access;
import java.nio.file.Path;

/** Says an access in a builder's words. */
final class Grants {

    private Grants() {}

    static void add(Profile.Builder words, Access access, Path path) {
        switch (access) {
            case HIDE -> words.hidden(path);
            case READ -> words.readable(path);
            case WRITE -> words.writable(path);
        }
    }

    static String word(Access access) {
        return switch (access) {
            case HIDE -> "hidden";
            case READ -> "readable";
            case WRITE -> "writable";
        };
    }
}
