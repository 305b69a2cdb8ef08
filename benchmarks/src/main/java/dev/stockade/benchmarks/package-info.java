/** What a start costs, against what it would cost without. */
@NullMarked
package dev.stockade.benchmarks;

import org.jspecify.annotations.NullMarked;
