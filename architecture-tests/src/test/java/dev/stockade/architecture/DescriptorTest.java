package dev.stockade.architecture;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.toMap;
import static java.util.stream.Collectors.toSet;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.module.ModuleDescriptor.Provides;
import java.lang.module.ModuleDescriptor.Requires;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class DescriptorTest {
    private static final int JAVA_17 = 61;
    private static final String BACKEND = "dev.stockade.api.spi.Backend";
    private static final String SERVICES = "META-INF/services/";
    private static final Set<String> A_BACKEND_MAY_NEED =
            Set.of("java.base", "dev.stockade.api", "dev.stockade.linux.filter", "dev.stockade.posix", "org.jspecify");

    static List<StockadeModule> modules() {
        return StockadeModule.all();
    }

    static Stream<StockadeModule> backends() {
        return modules().stream().filter(StockadeModule::isBackend);
    }

    @Test
    void seesEveryModuleOfTheReactor() throws IOException {
        Set<String> declared = Pattern.compile("<module>(.+?)</module>")
                .matcher(Files.readString(StockadeModule.ROOT.resolve("pom.xml")))
                .results()
                .map(match -> StockadeModule.ROOT.resolve(match.group(1)).resolve("src/main/java/module-info.java"))
                .filter(Files::exists)
                .map(DescriptorTest::moduleName)
                .collect(toSet());
        assertEquals(declared, modules().stream().map(StockadeModule::name).collect(toSet()));
    }

    @ParameterizedTest
    @MethodSource("modules")
    void namesTheSameProvidersForModulePathAndClassPath(StockadeModule module) {
        Map<String, Set<String>> onModulePath = module.descriptor().provides().stream()
                .collect(toMap(Provides::service, provides -> Set.copyOf(provides.providers())));
        Map<String, Set<String>> onClassPath = module.files().stream()
                .filter(file -> file.startsWith(SERVICES))
                .collect(toMap(file -> file.substring(SERVICES.length()), file -> providers(module, file)));
        assertEquals(onModulePath, onClassPath);
    }

    @ParameterizedTest
    @MethodSource("modules")
    void letsAJava17MachineStartAndLookAtItsProviders(StockadeModule module) {
        assertTrue(module.classVersion("module-info.class") <= JAVA_17, module::name);
        for (Provides provides : module.descriptor().provides()) {
            for (String provider : provides.providers()) {
                assertTrue(module.classVersion(provider.replace('.', '/') + ".class") <= JAVA_17, provider);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("backends")
    void aBackendProvidesItselfAndExportsNothing(StockadeModule module) {
        List<String> providers = module.descriptor().provides().stream()
                .filter(provides -> provides.service().equals(BACKEND))
                .flatMap(provides -> provides.providers().stream())
                .toList();
        assertEquals(1, providers.size(), providers::toString);
        assertEquals(Set.of(), module.descriptor().exports());
        assertEquals(Set.of(), module.descriptor().opens());
    }

    @ParameterizedTest
    @MethodSource("backends")
    void aBackendNeedsNoLibraryAndNoOtherBackend(StockadeModule module) {
        for (Requires requires : module.descriptor().requires()) {
            assertTrue(A_BACKEND_MAY_NEED.contains(requires.name()), () -> module + " requires " + requires);
        }
    }

    @Test
    void theApiNeedsNothingButJavaBase() {
        StockadeModule api = modules().stream()
                .filter(module -> module.name().equals("dev.stockade.api"))
                .findFirst()
                .orElseThrow();
        Set<String> atRunTime = api.descriptor().requires().stream()
                .filter(requires -> !requires.modifiers().contains(Requires.Modifier.STATIC))
                .map(Requires::name)
                .collect(toSet());
        assertEquals(Set.of("java.base"), atRunTime);
        assertEquals(
                Set.of("java.base", "org.jspecify"),
                api.descriptor().requires().stream().map(Requires::name).collect(toSet()));
    }

    private static Set<String> providers(StockadeModule module, String file) {
        return UTF_8.decode(module.read(file))
                .toString()
                .lines()
                .map(line -> line.replaceFirst("#.*", "").strip())
                .filter(line -> !line.isEmpty())
                .collect(toSet());
    }

    private static String moduleName(Path source) {
        try {
            var declaration =
                    Pattern.compile("(?m)^(?:open )?module ([\\w.]+) \\{").matcher(Files.readString(source));
            assertTrue(declaration.find(), source::toString);
            return declaration.group(1);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
