/**
 * What a backend's author uses. Most backends are a {@link dev.stockade.api.spi.Planner}: they turn a profile and a
 * command into a {@link dev.stockade.api.spi.Launch}, as a pure function, and the library does the rest.
 */
@NullMarked
package dev.stockade.api.spi;

import org.jspecify.annotations.NullMarked;
