package dev.stockade.planted;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;

final class StartsAProcess {
    private StartsAProcess() {}

    static Process builds(List<String> command) throws IOException {
        return new ProcessBuilder(command).start();
    }

    static Process executes(String[] command) throws IOException {
        return Runtime.getRuntime().exec(command);
    }

    static Callable<Process> hides(ProcessBuilder filledIn) {
        return filledIn::start;
    }
}
