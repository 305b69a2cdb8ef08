/**
 * Attempts from inside a sandbox that must fail, or must succeed, for a claim to stand. Needs no test framework.
 *
 * <p>A {@link dev.stockade.conformance.probe.Probe} is data: what it attacks, how, and where the host can see whether
 * it got through. The {@link dev.stockade.conformance.probe.Prover} makes each attempt twice: inside, and as a
 * <em>twin</em> where nothing stands in its way. An attempt whose twin does not get through proves nothing.
 */
@NullMarked
package dev.stockade.conformance.probe;

import org.jspecify.annotations.NullMarked;
