/** The contracts that a backend's author runs, on JUnit Jupiter. */
@NullMarked
package dev.stockade.conformance;

import org.jspecify.annotations.NullMarked;
