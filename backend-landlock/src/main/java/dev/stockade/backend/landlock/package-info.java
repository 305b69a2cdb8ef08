/** Landlock and seccomp. */
@NullMarked
package dev.stockade.backend.landlock;

import org.jspecify.annotations.NullMarked;
