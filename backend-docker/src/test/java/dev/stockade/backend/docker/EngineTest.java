package dev.stockade.backend.docker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.stockade.api.Availability.Available;
import dev.stockade.api.Availability.Unavailable;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Every state an engine can be in has its message. */
@Tag("M21")
class EngineTest {

    private static Unavailable unavailable(int status, String text) {
        return assertInstanceOf(Unavailable.class, Engine.availability(PretendHost.printing(1000, status, text)));
    }

    @Test
    void readsWhatTheClientPrints() {
        PretendHost host = PretendHost.printing(1000, 0, """
                endpoint|unix:///run/user/1000/docker.sock
                WARNING: something
                engine|20.10.24|linux|2|true|false|true|["name=seccomp,profile=default","name=rootless"]
                """);
        Engine engine = Engine.of(host).orElseThrow();
        assertEquals("/run/user/1000/docker.sock", engine.socket().toString());
        assertEquals(2, engine.processors());
        assertEquals(List.of("memory", "processes"), engine.limits());
        assertTrue(engine.rootless());
        assertTrue(engine.filters());
        assertInstanceOf(Available.class, Engine.availability(host));
    }

    @Test
    void saysThatItIsNotInstalled() {
        PretendHost host = PretendHost.debian();
        PretendHost without = new PretendHost(host.files(), 1000, Map.of(), Optional.empty());
        assertTrue(assertInstanceOf(Unavailable.class, Engine.availability(without))
                .reason()
                .contains("not installed"));
    }

    @Test
    void saysThatItIsNotRunning() {
        Unavailable down = unavailable(
                1,
                PretendHost.ENDPOINT
                        + "Cannot connect to the Docker daemon at unix:///run/docker.sock. Is the docker daemon running?\n"
                        + "engine||||||||\n");
        assertTrue(down.reason().startsWith("the engine is not running (Cannot connect"), down.reason());
        assertTrue(down.remedy().contains("systemctl start docker"));
        Unavailable old = unavailable(
                0,
                PretendHost.ENDPOINT
                        + "\nCannot connect to the Docker daemon at unix:///x. Is the docker daemon running?");
        assertTrue(old.reason().startsWith("the engine is not running"), old.reason());
    }

    @Test
    void saysThatTheSocketIsForOthers() {
        Unavailable denied = unavailable(
                1,
                PretendHost.ENDPOINT
                        + "permission denied while trying to connect to the Docker daemon socket at unix:///x");
        assertTrue(denied.remedy().contains("usermod -aG docker"));
    }

    @Test
    void refusesAnEngineOnAnotherMachine() {
        for (String endpoint : List.of("tcp://10.0.0.1:2376", "ssh://build@host")) {
            Unavailable remote = unavailable(0, "endpoint|" + endpoint + "\nengine|28|linux|4|true|true|true|[]\n");
            assertTrue(remote.reason().contains(endpoint));
            assertTrue(remote.remedy().contains("Unix socket"));
        }
    }

    @Test
    void saysWhatElseIsWrong() {
        assertTrue(unavailable(0, PretendHost.ENDPOINT + "engine|28|windows|4|true|true|true|[]\n")
                .reason()
                .contains("windows"));
        assertTrue(unavailable(125, PretendHost.ENDPOINT + "template: can't evaluate field ServerVersion in type")
                .reason()
                .contains("podman"));
        assertTrue(unavailable(1, "unable to resolve docker endpoint: context \"x\": context not found")
                .remedy()
                .contains("docker context ls"));
        assertTrue(unavailable(1, "boom").reason().contains("boom"));
    }

    @Test
    void turnsWhatAContainerFailsWithIntoAdvice() {
        assertTrue(DockerAdvice.sentence("No such image: a/b:1", "a/b:1").contains("`docker pull a/b:1`"));
        assertTrue(DockerAdvice.sentence("bind source path does not exist: /run/x", "i")
                .contains("another machine"));
        assertTrue(DockerAdvice.sentence("exec /bin/sh: exec format error", "i").contains("--platform"));
        assertTrue(DockerAdvice.sentence("exec: \"sh\": executable file not found in $PATH", "i")
                .contains("no sh"));
        assertTrue(DockerAdvice.sentence("Unknown runtime specified nope", "i").contains("docker.runtime"));
        assertTrue(DockerAdvice.sentence("something else", "i").contains("something else"));
    }
}
