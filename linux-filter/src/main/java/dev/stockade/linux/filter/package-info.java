/**
 * The seccomp filter of a confined command, as data: say which sockets it may open and what other mechanisms isolate
 * already ({@link dev.stockade.linux.filter.SeccompFilter}), and get a BPF program for {@code seccomp(2)} or for
 * bubblewrap, or a profile for Docker.
 *
 * <p>Nothing here touches the machine. Everything is immutable and safe for use by several threads.
 */
@NullMarked
package dev.stockade.linux.filter;

import org.jspecify.annotations.NullMarked;
