/**
 * Profiles from files. {@link dev.stockade.config.Configuration} asks, {@link dev.stockade.config.Loaded} is the
 * answer:
 *
 * <pre>{@code
 * Loaded loaded = Configuration.of(workspace, Host.local())
 *         .flag("--network", "network", "on")
 *         .load();
 * loaded.notices().forEach(System.err::println);
 * try (Sandbox sandbox = loaded.open(Backends.installed())) {
 *     Sandbox fitting = sandbox.with(loaded.profileFor(command, Host.local()));
 *     fitting.run(command);
 * }
 * }</pre>
 *
 * <p>Later sources are stronger: the chosen profile, the user's own file, the file that was named, variables
 * ({@code STOCKADE_SANDBOX}, {@code STOCKADE_NETWORK}, {@code STOCKADE_FS_RW}), flags. A file that lies in the
 * workspace or was only found may tighten what these come to, and nothing else: each word of it that would widen is an
 * error.
 */
@NullMarked
package dev.stockade.config;

import org.jspecify.annotations.NullMarked;
