package dev.stockade.posix;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;

/** What a process reads. Its descriptor goes when the process has ended, also if nobody closes it. */
final class PipeOutput extends BufferedOutputStream {

    PipeOutput(OutputStream out) {
        super(out);
    }

    void processEnded() {
        try {
            out.close();
        } catch (IOException e) {
            // There is no reader any more, so nothing is lost.
        }
    }
}
