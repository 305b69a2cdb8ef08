package dev.stockade.api.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.stockade.api.spi.Spawner;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is found does not hang on the thread that happens to look. */
class ServicesTest {

    @TempDir
    Path temporary;

    private ClassLoader before;

    @BeforeEach
    void remember() {
        before = Thread.currentThread().getContextClassLoader();
    }

    @AfterEach
    void restore() {
        Thread.currentThread().setContextClassLoader(before);
    }

    private URLClassLoader application(ClassLoader parent, String... lines) throws IOException {
        Path services = Files.createDirectories(temporary.resolve("META-INF/services"));
        Files.write(services.resolve(Spawner.class.getName()), List.of(lines));
        return new URLClassLoader(new URL[] {temporary.toUri().toURL()}, parent);
    }

    @Test
    void asksTheLibrarysOwnLoaderWhereTheThreadHasNoneOrAStrangers() {
        Services<Spawner> own = Services.own(Spawner.class);
        for (ClassLoader other : new ClassLoader[] {null, ClassLoader.getPlatformClassLoader(), before}) {
            Thread.currentThread().setContextClassLoader(other);
            Services<Spawner> visible = Services.visible(Spawner.class, own);
            assertEquals(own.usable().size(), visible.usable().size());
            assertEquals(own.broken().size(), visible.broken().size());
        }
    }

    @Test
    void addsWhatOnlyTheThreadsLoaderSees() throws IOException {
        try (URLClassLoader loader = application(Services.class.getClassLoader(), "no.such.Provider")) {
            Services<Spawner> own = Services.own(Spawner.class);
            Thread.currentThread().setContextClassLoader(loader);
            Services<Spawner> visible = Services.visible(Spawner.class, own);
            assertEquals(own.usable(), visible.usable());
            assertEquals(own.broken().size() + 1, visible.broken().size());
            String said = Services.said(visible.broken().get(visible.broken().size() - 1));
            assertTrue(said.contains("no.such.Provider"), said);
            assertSame(own, Services.visible(Spawner.class, restored(own)));
        }
    }

    private <S> Services<S> restored(Services<S> own) {
        restore();
        Thread.currentThread().setContextClassLoader(Services.class.getClassLoader());
        return own;
    }

    @Test
    void givesUpOnALoaderThatFailsWithoutEnd() throws IOException {
        String[] many = new String[500];
        for (int i = 0; i < many.length; i++) {
            many[i] = "no.such.Provider" + i;
        }
        try (URLClassLoader loader = application(Services.class.getClassLoader(), many)) {
            Thread.currentThread().setContextClassLoader(loader);
            int broken = Services.visible(Spawner.class, new Services<Spawner>(List.of(), List.of()))
                    .broken()
                    .size();
            assertTrue(broken >= 100 && broken < 500, () -> broken + " failures");
        }
    }

    @Test
    void saysTheCauseOfAFailure() {
        assertEquals("outer (java.io.IOException: inner)", Services.said(new Error("outer", new IOException("inner"))));
        assertEquals("java.lang.Error", Services.said(new Error()));
    }
}
