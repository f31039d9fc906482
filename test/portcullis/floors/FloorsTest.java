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
            background lang.source lang.value lang.address lang.inputs
            lang.regex lang.markup
            lang.template lang.expression lang.gjson
            http.message
            http.wire http.grpc
            http.h2
            config
            crypto.keys
            crypto.jwt crypto.apikeys crypto.session crypto.passwords
            http.server http.client
            observe.tracing observe.metrics
            observe.telemetry
            observe.decisions
            observe.client observe.otel observe.profiling
            policy.cache
            policy.limit
            policy.endpoint policy.route
            policy.mechanism
            policy.authenticator policy.authorizer policy.contextualizer policy.finalizer policy.errorhandler
            policy.login
            policy.pipeline policy.catalogue
            policy.rule policy.lock
            policy.decision policy.event
            policy.replay
            serve.bundle
            serve.redis serve.provider serve.shadow
            serve.stream serve.lock serve.debug serve.feed
            serve.fleet
            serve.service
            serve.explain
            serve.console
            serve.runtime
            verify
            reference migration
            demo
            cli""");

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
            import portcullis.lang.value.Value;                       |
            import static portcullis.lang.value.Value.of;             |
            import portcullis.policy.rule.Rule;                       |
            import portcullis.serve.service.Proxy;                    | serve.service
            import static portcullis.cli.Main.main;                   | cli
            import portcullis.serve.provider.Provider;                | serve.provider
            import portcullis.unheard.Of;                             | unheard
            import portcullis.lang.unheard.Of;                        | lang.unheard
            var x = new portcullis.cli.Main();                        | cli
            portcullis.lang.value.Value x() { return null; }          |
            // portcullis.cli.Main                                    |
            /** {@link portcullis.cli.Main} */                        |
            var s = "portcullis.cli.Main \\" portcullis.cli.A";       |
            var c = '"'; var m = portcullis.cli.Main.M;               | cli
            var s = ""; var m = portcullis.cli.Main.M;                | cli
            """)
  void reportsForbiddenUsesOfPackages(String line, String forbidden) {
    var path = Path.of("portcullis/policy/decision/Decider.java");
    var expected = forbidden == null ? List.of() : List.of(path + ": policy.decision must not use " + forbidden);
    assertEquals(expected,
        HOUSE.complaints(path, "package portcullis.policy.decision;\n" + line + "\nclass Decider {}\n"));
  }

  @Test
  void textBlocksAreNoCode() {
    var text = "var s = \"\"\"\n  \"portcullis.cli.Main\" \\\"\"\" portcullis.cli.Main\n\"\"\";";
    assertEquals(List.of(), HOUSE.complaints(Path.of("portcullis/lang/value/Text.java"), text));
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', textBlock = """
            portcullis/lang/value/Value.java      |
            portcullis/config/Node.java           |
            portcullis/lang/values/Value.java     | portcullis/lang/values/Value.java: package `lang.values` stands \
            on no floor
            portcullis/lang/util/Texts.java       | portcullis/lang/util/Texts.java: `util` says nothing about what \
            is in it
            portcullis/lang/value/json/Text.java  | portcullis/lang/value/json/Text.java: a source file is \
            portcullis/ROOM/FILE.java or portcullis/ROOM/PACKAGE/FILE.java
            portcullis/Main.java                  | portcullis/Main.java: a source file is portcullis/ROOM/FILE.java \
            or portcullis/ROOM/PACKAGE/FILE.java
            """)
  void reportsFilesOutsideOfPackages(String path, String complaint) {
    assertEquals(complaint == null ? List.of() : List.of(complaint), HOUSE.complaints(Path.of(path), ""));
  }

  @Test
  void reportsFilesThatAreTooLong() {
    var path = Path.of("portcullis/lang/value/Value.java");
    assertEquals(List.of(), HOUSE.complaints(path, "\n".repeat(400)));
    assertEquals(List.of(path + ": 401 lines, 400 are the limit"), HOUSE.complaints(path, "\n".repeat(401)));
  }

  private static List<Path> javaFiles(Path root) throws IOException {
    try (var files = Files.walk(root)) {
      return files.filter(file -> file.toString().endsWith(".java")).sorted().toList();
    }
  }
}
