package dev.stockade.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * {@code stockade profiles}.
 *
 * @param json whether a program reads the answer
 */
record Profiles(boolean json) implements Action {

    private static final int SECOND = 16;

    @Override
    public int perform(Console console) {
        Map<String, String> names = ProfileSource.names();
        if (json) {
            List<Object> all = new ArrayList<>();
            names.forEach((name, about) -> all.add(Map.of("name", name, "about", about)));
            console.out().print(Json.text(all));
        } else {
            names.forEach((name, about) -> console.out().print(Paragraph.row(name, about, SECOND)));
        }
        return 0;
    }
}
