package dev.stockade.planted;

final class UsesStandardStreams {
    private UsesStandardStreams() {}

    static void writes(Exception problem) {
        System.out.println("written");
        System.err.println("written");
        problem.printStackTrace();
    }
}
