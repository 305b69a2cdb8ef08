package dev.stockade.backend.seatbelt;

import static dev.stockade.backend.seatbelt.Act.accept;
import static dev.stockade.backend.seatbelt.Act.bind;
import static dev.stockade.backend.seatbelt.Act.bindUnix;
import static dev.stockade.backend.seatbelt.Act.connect;
import static dev.stockade.backend.seatbelt.Act.connectUnix;
import static dev.stockade.backend.seatbelt.Act.plain;
import static dev.stockade.backend.seatbelt.Act.service;
import static dev.stockade.backend.seatbelt.Act.socket;
import static dev.stockade.backend.seatbelt.FakeMac.WORKSPACE;

import dev.stockade.api.Network;
import dev.stockade.api.Profile;
import dev.stockade.api.Profile.Reads;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What may be reached, in either model of reading. */
class NetworkTest {

    private static final String OUTSIDE = "93.184.216.34:443";
    private static final String OUTSIDE_6 = "[2606:2800:220::1]:443";

    private final FakeMac mac = FakeMac.fresh();

    private Confined confined(Reads reads, Network network) {
        Profile profile = Profile.builder(mac.workspace())
                .reads(reads)
                .network(network)
                .readable(mac.path(WORKSPACE + "/.git"))
                .build();
        return Confined.by(profile, mac);
    }

    @ParameterizedTest
    @EnumSource
    @Tag("S01")
    void offReachesNothing(Reads reads) {
        confined(reads, Network.OFF)
                .cannot(connect(OUTSIDE), connect(OUTSIDE_6), connect("127.0.0.1:8080"), connect("[::1]:8080"))
                .cannot(accept("127.0.0.1:8080"), bind("0.0.0.0:8080"), bind("127.0.0.1:0"))
                .cannot(
                        connectUnix(WORKSPACE + "/s"),
                        bindUnix(WORKSPACE + "/s"),
                        connectUnix("/private/var/run/docker.sock"))
                .cannot(socket("AF_SYSTEM"), socket("AF_ROUTE"), socket("AF_VSOCK"), socket("AF_UNIX"))
                .cannot(service("com.apple.trustd.agent"), service("com.apple.dnssd.service"))
                .cannot(service("com.apple.nsurlsessiond"), connectUnix(MacSystem.RESOLVER_SOCKET));
    }

    @ParameterizedTest
    @EnumSource
    @Tag("S01")
    void loopbackReachesLocalServersOnly(Reads reads) {
        confined(reads, Network.LOOPBACK)
                .can(connect("127.0.0.1:8080"), connect("[::1]:8080"), accept("127.0.0.1:8080"), bind("127.0.0.1:0"))
                .cannot(connect(OUTSIDE), connect(OUTSIDE_6), accept("192.168.1.7:8080"), connect("192.168.1.7:80"))
                .cannot(service("com.apple.trustd.agent"), service("com.apple.dnssd.service"), socket("AF_VSOCK"))
                .cannot(connectUnix(MacSystem.RESOLVER_SOCKET));
    }

    @ParameterizedTest
    @EnumSource
    @Tag("S01")
    void onReachesTheNetworkAndVerifiesCertificates(Reads reads) {
        confined(reads, Network.ON)
                .can(connect(OUTSIDE), connect(OUTSIDE_6), connect("127.0.0.1:80"), accept("192.168.1.7:8080"))
                .can(service("com.apple.trustd.agent"), service("com.apple.dnssd.service"))
                .can(connectUnix(MacSystem.RESOLVER_SOCKET), socket("AF_ROUTE"))
                .cannot(connectUnix("/private/var/run/docker.sock"), service("com.apple.SecurityServer"));
    }

    @ParameterizedTest
    @EnumSource(names = {"LOOPBACK", "ON"})
    @Tag("S10")
    @Tag("S11")
    void unixSocketsAreReachedInsideWritableTreesOnly(Network network) {
        for (Reads reads : Reads.values()) {
            confined(reads, network)
                    .can(connectUnix(WORKSPACE + "/s"), bindUnix(WORKSPACE + "/s"), bindUnix(Confined.TMP + "/s"))
                    .cannot(connectUnix(WORKSPACE + "/.git/fsmonitor--daemon.ipc"), bindUnix(WORKSPACE + "/.git/s"))
                    .cannot(
                            connectUnix("/private/tmp/com.apple.launchd.x/Listeners"),
                            connectUnix("/Users/me/.docker/s"))
                    .cannot(connectUnix("/private/var/run/docker.sock"), bindUnix("/private/tmp/s"));
        }
    }

    @ParameterizedTest
    @EnumSource
    @Tag("S11")
    void nothingIsStartedOrSteeredOutside(Reads reads) {
        for (Network network : Network.values()) {
            confined(reads, network)
                    .can(
                            service("com.apple.system.opendirectoryd.libinfo"),
                            plain("process-exec"),
                            plain("process-fork"))
                    .cannot(plain("appleevent-send"), plain("lsopen"), plain("job-creation"))
                    .cannot(service("com.apple.coreservices.launchservicesd"), service("com.apple.lsd.mapdb"))
                    .cannot(service("com.apple.coreservices.appleevents"), service("com.apple.pboard"))
                    .cannot(plain("user-preference-write"), plain("authorization-right-obtain"));
        }
    }

    @ParameterizedTest
    @EnumSource
    void otherProcessesAreNotTouched(Reads reads) {
        for (String operation : new String[] {"signal", "process-info-pidinfo", "mach-priv-task-port"}) {
            confined(reads, Network.OFF)
                    .can(new Act(operation, Map.of("target", "same-sandbox")))
                    .cannot(new Act(operation, Map.of("target", "others")));
        }
    }
}
