/**
 * What callers use: say what a command may touch ({@link dev.stockade.api.Profile}), open a
 * {@link dev.stockade.api.Sandbox} that holds it, run {@link dev.stockade.api.Command}s in it and ask what they can
 * still do ({@link dev.stockade.api.Capabilities}).
 *
 * <p>Values are immutable and copied on the way in. Nothing takes or returns {@code null}. Builders belong to one
 * thread, everything else may be shared.
 */
@NullMarked
package dev.stockade.api;

import org.jspecify.annotations.NullMarked;
