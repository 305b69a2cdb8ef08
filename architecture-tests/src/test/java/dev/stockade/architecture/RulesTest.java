package dev.stockade.architecture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchRule;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class RulesTest {
    private static JavaClasses product;
    private static JavaClasses planted;

    @BeforeAll
    static void readClasses() {
        product = new ClassFileImporter()
                .importLocations(StockadeModule.all().stream()
                        .map(StockadeModule::classes)
                        .toList());
        planted = new ClassFileImporter().importPackages("dev.stockade.api.planted", "dev.stockade.planted");
    }

    static Stream<Arguments> rules() {
        return Stream.of(
                Arguments.of(Rules.API_KNOWS_NO_BACKEND, 1),
                Arguments.of(Rules.PROCESSES_START_IN_ONE_PLACE, 3),
                Arguments.of(Rules.ONLY_THE_COMMAND_LINE_TALKS_TO_THE_TERMINAL, 3),
                Arguments.of(Rules.PACKAGES_FORM_NO_CYCLE, 1));
    }

    @ParameterizedTest
    @MethodSource("rules")
    void theProjectKeepsTheRule(ArchRule rule, int ignored) {
        rule.check(product);
    }

    @ParameterizedTest
    @MethodSource("rules")
    void theRuleSeesWhatWasPlanted(ArchRule rule, int violations) {
        List<String> found = rule.evaluate(planted).getFailureReport().getDetails();
        assertEquals(violations, found.size(), () -> String.join("\n", found));
        assertTrue(found.stream().allMatch(line -> line.contains("planted")));
    }
}
