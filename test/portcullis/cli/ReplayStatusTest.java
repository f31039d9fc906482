package portcullis.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What {@code replay} exits with. */
class ReplayStatusTest {
  private static final String LINE = "{\"time\":\"2026-01-02T03:04:05Z\",\"decision\":\"%s\",\"request\":"
      + "{\"method\":\"GET\",\"scheme\":\"https\",\"host\":\"a.test\",\"path\":\"%s\"},\"client\":[\"192.0.2.1\"],"
      + "\"steps\":[]%s}\n";

  @TempDir
  private Path folder;

  private static String lines(String name) {
    return switch (name) {
      case "unchanged" -> LINE.formatted("allowed", "/open", "");
      case "newly allowed" -> LINE.formatted("denied", "/open", ",\"error\":\"authorization_error\"");
      case "newly denied" -> LINE.formatted("allowed", "/none", "");
      case "undecided" -> LINE.formatted("allowed", "/cel", "");
      case "lost" -> lines("unchanged") + "{\"time\":\"2026-01-02T03:04:05Z\",\"lost\":3,\"reason\":\"x\"}\n";
      case "unreadable" -> lines("unchanged") + "{\"cut\n";
      default -> "";
    };
  }

  @ParameterizedTest
  @CsvSource({"unchanged, 0, 0", "newly allowed, 1, 1", "newly denied, 0, 0", "undecided, 0, 1", "lost, 0, 1",
    "unreadable, 0, 1", "empty, 2, 2"})
  void isOneForNewlyAllowedAndIfStrictForUnknown(String log, int status, int strict)
      throws Exception {
    Path rules = Files.writeString(folder.resolve("rules.yaml"), """
        version: 1alpha4
        rules:
          - { id: open, match: { routes: [ { path: /open } ] }, execute: [ { authenticator: anyone } ] }
          - id: cel
            match: { routes: [ { path: /cel } ] }
            execute: [ { authenticator: anyone }, { authorizer: a } ]
        """);
    Path config = Files.writeString(folder.resolve("config.yaml"), """
        mechanisms:
          authenticators: [ { id: anyone, type: anonymous } ]
          authorizers: [ { id: a, type: cel, config: { expressions: [ { expression: "Request.Method == 'GET'" } ] } } ]
        """);
    Path decisions = Files.writeString(folder.resolve("decisions.log"), lines(log));
    String[] words = {"replay", decisions.toString(), "--insecure", "-c", config.toString(), "--rules",
      rules.toString()};
    CommandResult plain = CommandResult.of(words);
    assertEquals(status, plain.status(), plain.out() + plain.err());
    String[] more = java.util.Arrays.copyOf(words, words.length + 1);
    more[words.length] = "--strict";
    assertEquals(strict, CommandResult.of(more).status());
  }
}
