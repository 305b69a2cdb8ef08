package dev.stockade.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import java.util.Set;

/** What the compiler and the module descriptors don't hold. */
final class Rules {
    static final ArchRule API_KNOWS_NO_BACKEND = classes()
            .that()
            .resideInAPackage("dev.stockade.api..")
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage("dev.stockade.api..", "java..", "org.jspecify..");

    static final ArchRule PROCESSES_START_IN_ONE_PLACE = noClasses()
            .that()
            .resideOutsideOfPackages(
                    "dev.stockade.api.internal..", "dev.stockade.posix..", "dev.stockade.conformance.probe..")
            .should()
            .accessTargetWhere(startsAProcess())
            .because("every start must go through the runner, which keeps confinement, threads and clean-up right;"
                    + " probes play the starter that Stockade is not");

    static final ArchRule ONLY_THE_COMMAND_LINE_TALKS_TO_THE_TERMINAL = noClasses()
            .that()
            .resideOutsideOfPackages("dev.stockade.cli..", "dev.stockade.agent..")
            .and()
            .doNotHaveFullyQualifiedName("dev.stockade.api.internal.OwnInput")
            .and()
            // a program of its own
            .doNotHaveFullyQualifiedName("dev.stockade.backend.landlock.FrontJvm")
            .should()
            .accessTargetWhere(usesTheStandardStreams())
            .because(
                    "they belong to the program a library is used by; an agent is used by whoever starts it, and before a"
                            + " JVM starts itself again somebody has to look whether its input was touched");

    static final ArchRule PACKAGES_FORM_NO_CYCLE = slices().assignedFrom(new SliceAssignment() {
                @Override
                public SliceIdentifier getIdentifierOf(JavaClass type) {
                    // an interface for callers and one for providers know each other, as java.nio.file and its spi do
                    String name = type.getPackageName();
                    return SliceIdentifier.of(name.startsWith("dev.stockade.api") ? "dev.stockade.api" : name);
                }

                @Override
                public String getDescription() {
                    return "packages (those of the API taken as one)";
                }
            })
            .should()
            .beFreeOfCycles();

    private Rules() {}

    private static DescribedPredicate<JavaAccess<?>> startsAProcess() {
        return describe(
                "starts a process",
                // Filling a builder in for somebody else to start, as Invocation does, starts nothing.
                access -> (isOn(access, ProcessBuilder.class)
                                && access.getName().startsWith("start"))
                        || (isOn(access, Runtime.class) && access.getName().equals("exec")));
    }

    private static DescribedPredicate<JavaAccess<?>> usesTheStandardStreams() {
        Set<String> streams = Set.of("in", "out", "err", "console");
        return describe(
                "uses the standard streams",
                access -> (isOn(access, System.class) && streams.contains(access.getName()))
                        || access.getName().equals("printStackTrace"));
    }

    private static boolean isOn(JavaAccess<?> access, Class<?> owner) {
        return access.getTargetOwner().isEquivalentTo(owner);
    }
}
