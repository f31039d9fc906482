package portcullis.floors;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Keeps the house in order: a package uses only packages of lower floors, and no file grows too long. */
final class FloorsTest {
    /** The ground floor first. Packages on one line do not see each other. */
    private static final Floors HOUSE = Floors.of("""
            source value address background
            config template expression gjson
            keys cache
            message
            wire route grpc
            server client
            tracing metrics jwt
            telemetry
            endpoint redis otel profiling
            mechanism
            authenticator authorizer contextualizer finalizer errorhandler
            pipeline catalogue
            rule
            decision provider
            service
            demo
            app""");

    @Test
    void sourcesUseOnlyLowerFloors() throws IOException {
        var complaints = new ArrayList<String>();
        for (var file : javaFiles(Path.of("src"))) {
            complaints.addAll(HOUSE.complaints(Path.of("src").relativize(file), Files.readString(file)));
        }
        assertTrue(complaints.isEmpty(), () -> String.join("\n", complaints));
    }

    @Test
    void noTestIsTooLong() throws IOException {
        var complaints = new ArrayList<String>();
        for (var file : javaFiles(Path.of("test"))) {
            Floors.complaintOfLength(file, Files.readString(file)).ifPresent(complaints::add);
        }
        assertTrue(complaints.isEmpty(), () -> String.join("\n", complaints));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            import portcullis.value.Value;                       |
            import static portcullis.value.Value.of;             |
            import portcullis.rule.Rule;                         |
            import portcullis.service.Proxy;                     | service
            import static portcullis.app.Main.main;              | app
            import portcullis.provider.Provider;                 | provider
            import portcullis.unheard.Of;                        | unheard
            var x = new portcullis.app.Main();                   | app
            portcullis.value.Value x() { return null; }          |
            // portcullis.app.Main                               |
            /** {@link portcullis.app.Main} */                   |
            var s = "portcullis.app.Main \\" portcullis.app.A";  |
            var c = '"'; var m = portcullis.app.Main.M;          | app
            var s = ""; var m = portcullis.app.Main.M;           | app
            """)
    void judgesWhatDecisionUses(String line, String forbidden) {
        var path = Path.of("portcullis/decision/Decider.java");
        var expected = forbidden == null ? List.of() : List.of(path + ": decision must not use " + forbidden);
        assertEquals(expected, HOUSE.complaints(path, "package portcullis.decision;\n" + line + "\nclass Decider {}\n"));
    }

    @Test
    void textBlocksAreNoCode() {
        var text = "var s = \"\"\"\n  \"portcullis.app.Main\" \\\"\"\" portcullis.app.Main\n\"\"\";";
        assertEquals(List.of(), HOUSE.complaints(Path.of("portcullis/value/Text.java"), text));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            portcullis/value/Value.java      |
            portcullis/values/Value.java     | portcullis/values/Value.java: package `values` stands on no floor
            portcullis/util/Texts.java       | portcullis/util/Texts.java: `util` says nothing about what is in it
            portcullis/value/json/Text.java  | portcullis/value/json/Text.java: packages are flat: portcullis/PACKAGE/FILE.java
            portcullis/Main.java             | portcullis/Main.java: packages are flat: portcullis/PACKAGE/FILE.java
            """)
    void judgesWhereFilesLie(String path, String complaint) {
        assertEquals(complaint == null ? List.of() : List.of(complaint), HOUSE.complaints(Path.of(path), ""));
    }

    @Test
    void judgesLength() {
        var path = Path.of("portcullis/value/Value.java");
        assertEquals(List.of(), HOUSE.complaints(path, "\n".repeat(400)));
        assertEquals(List.of(path + ": 401 lines, 400 are the limit"), HOUSE.complaints(path, "\n".repeat(401)));
    }

    private static List<Path> javaFiles(Path root) throws IOException {
        try (var files = Files.walk(root)) {
            return files.filter(file -> file.toString().endsWith(".java")).sorted().toList();
        }
    }
}
