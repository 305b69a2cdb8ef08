package dev.stockade.cli;

/** {@code stockade version}. */
record Version() implements Action {

    @Override
    public int perform(Console console) {
        console.out().println("stockade " + text());
        return 0;
    }

    /** As the build wrote it into the module's descriptor, which is not read on the class path. */
    static String text() {
        var descriptor = Main.class.getModule().getDescriptor();
        return descriptor == null ? "(unpacked)" : descriptor.rawVersion().orElse("(unpacked)");
    }
}
