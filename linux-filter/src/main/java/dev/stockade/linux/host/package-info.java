/** What the Linux backends know about a Linux host, so that none of them forgets a part of it. */
@NullMarked
package dev.stockade.linux.host;

import org.jspecify.annotations.NullMarked;
