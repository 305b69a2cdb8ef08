/** System calls as Java methods, and processes started by them. */
@NullMarked
package dev.stockade.posix;

import org.jspecify.annotations.NullMarked;
