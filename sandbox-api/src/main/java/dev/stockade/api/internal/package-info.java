/** How sandboxes are found, proven and run. Not exported: nothing here is promised to anyone. */
@NullMarked
package dev.stockade.api.internal;

import org.jspecify.annotations.NullMarked;
