package dev.stockade.cli;

import dev.stockade.api.Availability;
import dev.stockade.api.Backends;
import dev.stockade.api.spi.Host;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * {@code stockade doctor}: what works here, and how to mend the rest.
 *
 * @param json whether a program reads the answer
 * @param backends those installed
 * @param host this machine
 */
record Doctor(boolean json, Backends backends, Host host) implements Action {

    private static final String KERNEL = "os.version";
    private static final String JAVA = "java.version";

    @Override
    public int perform(Console console) {
        Map<String, Availability> all = Progress.during(console, "asking the backends", backends::availability);
        List<String> automatic = backends.automatic();
        List<String> working = new ArrayList<>();
        all.forEach((name, availability) -> {
            if (availability.isAvailable() && automatic.contains(name)) {
                working.add(name);
            }
        });
        if (json) {
            console.out().print(json(all, automatic, working));
        } else {
            console.answer(text(all, automatic, working));
        }
        return working.isEmpty() ? 1 : 0;
    }

    private String text(Map<String, Availability> all, List<String> automatic, List<String> working) {
        StringBuilder text = new StringBuilder();
        text.append("stockade ").append(Version.text()).append(", Java ").append(System.getProperty(JAVA));
        text.append(", ").append(host.os()).append(' ').append(System.getProperty(KERNEL));
        text.append(", ")
                .append(host.arch())
                .append(host.uid() == 0 ? ", as root" : "")
                .append('\n');
        untried().forEach(warning -> text.append(Paragraph.of(warning, "", "")));
        text.append('\n');
        all.forEach((name, availability) -> {
            switch (availability) {
                case Availability.Available it -> {
                    String named = automatic.contains(name) ? "" : " (only when named: --backend " + name + ")";
                    text.append(Paragraph.row(name, "works: " + it.detail() + named));
                }
                case Availability.Unavailable it -> {
                    text.append(Paragraph.row(name, "does not work here: " + it.reason()));
                    text.append(Paragraph.row("", "To mend it: " + it.remedy()));
                }
            }
        });
        String conclusion = working.isEmpty()
                ? "Nothing here can confine a command, so run refuses. Mend one of the above."
                : "Commands can be confined here, by " + String.join(" or ", working)
                        + ". What that means for a given command: stockade explain";
        return text.append('\n').append(Paragraph.of(conclusion, "", "")).toString();
    }

    private String json(Map<String, Availability> all, List<String> automatic, List<String> working) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("stockade", Version.text());
        json.put("java", System.getProperty(JAVA));
        json.put("os", host.os());
        json.put("kernel", System.getProperty(KERNEL));
        json.put("arch", host.arch());
        json.put("uid", host.uid());
        json.put("can_confine", !working.isEmpty());
        json.put("warnings", untried());
        List<Object> list = new ArrayList<>();
        all.forEach((name, availability) -> {
            Map<String, Object> one = new LinkedHashMap<>();
            one.put("name", name);
            one.put("automatic", automatic.contains(name));
            one.putAll(Explanation.availability(availability));
            list.add(one);
        });
        json.put("backends", list);
        return Json.text(json);
    }

    /** Where nobody has seen it work. */
    private List<String> untried() {
        List<String> warnings = new ArrayList<>();
        if (!host.os().equals("linux")) {
            warnings.add("Stockade has not been run on " + host.os()
                    + " yet: what it says here is untested. Please report what you see.");
        }
        if (!host.arch().equals("x86_64")) {
            warnings.add("Stockade has not been run on " + host.arch()
                    + " yet: what it says here is untested. Please report what you see.");
        }
        return warnings;
    }
}
