package dev.stockade.api.internal;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.stockade.api.Capabilities;
import dev.stockade.api.Command;
import dev.stockade.api.LaunchException;
import dev.stockade.api.Reach;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class InheritedStreamsTest {

    private static final Command ATTACHED = Command.of("true").attached();
    private static final Capabilities OFFLINE = Capabilities.EVERYTHING.closing(Reach.SEND_OFF_MACHINE, "off");

    @TempDir
    Path descriptors;

    @TempDir
    Path elsewhere;

    @BeforeEach
    void connectsToPipes() throws IOException {
        for (int fd = 0; fd < 3; fd++) {
            Files.createSymbolicLink(descriptors.resolve("" + fd), Path.of("pipe:[4" + fd + "]"));
        }
    }

    private void connect(int fd, String to) throws IOException {
        Files.delete(descriptors.resolve("" + fd));
        Files.createSymbolicLink(descriptors.resolve("" + fd), Path.of(to));
    }

    private InheritedStreams streams() throws IOException {
        Path list = elsewhere.resolve("unix");
        Files.writeString(list, """
                Num       RefCount Protocol Flags    Type St Inode Path
                0000000000000000: 00000003 00000000 00000000 0001 03  501
                0000000000000000: 00000002 00000000 00000000 0002 01  502 /run/systemd/notify
                0000000000000000: 00000003 00000000 00000000 0005 03  505
                0000000000000000: 00000002 00000000 00000000 0001 01  506
                0000000000000000: 00000002 00000000 00010000 0001 01  507 /run/server
                0000000000000000: 00000002 00000000 00000000 0005 01  508
                """);
        return new InheritedStreams(descriptors, list);
    }

    @Test
    void pipesAndWhatTheCallerMakesAreInherited() throws IOException {
        connect(1, "/dev/pts/3");
        connect(2, "/var/log/some.log");
        assertDoesNotThrow(() -> streams().require(ATTACHED, OFFLINE));
        connect(0, "socket:[9]");
        assertDoesNotThrow(() -> streams().require(Command.of("true"), OFFLINE));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2})
    void aSocketOfTheNetworkIsRefusedWhereTheNetworkIsClosed(int fd) throws IOException {
        connect(fd, "socket:[9]");
        LaunchException e = assertThrows(LaunchException.class, () -> streams().require(ATTACHED, OFFLINE));
        assertEquals(LaunchException.Fault.COMMAND, e.fault());
        assertTrue(e.getMessage().contains("is a socket"), e.getMessage());
        assertDoesNotThrow(() -> streams().require(ATTACHED, Capabilities.EVERYTHING));
    }

    @ParameterizedTest
    @EnumSource(names = {"SEND_OFF_MACHINE", "HOST_LOOPBACK", "HOST_UNIX_SOCKETS"})
    void whicheverPartOfItIsClosed(Reach reach) throws IOException {
        connect(0, "socket:[502]");
        Capabilities capabilities = Capabilities.EVERYTHING.closing(reach, "closed");
        assertThrows(LaunchException.class, () -> streams().require(ATTACHED, capabilities));
    }

    @ParameterizedTest
    @ValueSource(ints = {501, 505})
    void aConnectedUnixSocketIsAsGoodAsAPipe(int inode) throws IOException {
        connect(0, "socket:[" + inode + "]");
        assertDoesNotThrow(() -> streams().require(ATTACHED, OFFLINE));
    }

    @ParameterizedTest
    @ValueSource(ints = {506, 507, 508})
    void oneThatListensOrIsNotConnectedIsNot(int inode) throws IOException {
        connect(0, "socket:[" + inode + "]");
        assertThrows(LaunchException.class, () -> streams().require(ATTACHED, OFFLINE));
    }

    @Test
    void aDirectoryIsRefusedWhereAnythingIsClosed() throws IOException {
        connect(0, elsewhere.toString());
        LaunchException e = assertThrows(LaunchException.class, () -> streams().require(ATTACHED, OFFLINE));
        assertTrue(e.getMessage().startsWith("standard input is a directory"), e.getMessage());
        assertDoesNotThrow(() -> streams().require(ATTACHED, Capabilities.EVERYTHING));
    }
}
