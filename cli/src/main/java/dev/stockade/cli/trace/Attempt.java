package dev.stockade.cli.trace;

/**
 * A system call that failed.
 *
 * @param operation what it was to do
 * @param target what to
 * @param creates whether it would have made its target
 * @param error such as {@code ENOENT}
 */
record Attempt(Operation operation, Target target, boolean creates, String error) {}
