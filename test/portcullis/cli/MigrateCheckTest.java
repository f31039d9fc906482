package portcullis.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MigrateCheckTest {
  private static final String RULE = "version: 1alpha4\nrules: [{id: r, match: {routes: [{path: /x}], methods: [%s]}, "
      + "execute: [{authenticator: a}]}]\n";

  @TempDir
  private Path folder;

  private String file(String name, String text) throws IOException {
    return Files.writeString(folder.resolve(name), text).toString();
  }

  @Test
  void showsPlaceDifferenceAndWhatToDo() throws IOException {
    String config = file("heimdall.yaml", "mechanisms: {error_handlers: [{id: w, type: www_authenticate}]}\n");
    String rules = file("rules.yaml", RULE.formatted("'!GET'"));
    CommandResult reported = CommandResult.of("migrate", "check", "-c", config, rules);
    assertEquals(1, reported.status());
    assertTrue(reported.out().startsWith(config
        + ":1:45: mechanisms.error_handlers[0].type\n    differs: `www_authenticate`\n    here: 401 "
        + "with a `WWW-Authenticate` challenge, so that browsers ask for a password\n    to do: `type: default` for a "
        + "plain 401\n" + rules + ":2:58: rules[0].match.methods[0]\n    differs: `methods: "), reported.out());
    assertTrue(reported.out().contains("2 differences concern this configuration and 1 rule set, 2 need a look"),
        reported.out());
  }

  @Test
  void rulesAreThoseOfTheProviderUnlessNamed() throws IOException {
    Files.createDirectory(folder.resolve("rules"));
    file("rules/a.yaml", RULE.formatted("'!GET'"));
    String config = file("heimdall.yaml", "providers: {file_system: {src: '" + folder.resolve("rules") + "'}}\n");
    CommandResult reported = CommandResult.of("migrate", "check", "-c", config, "-o", "json");
    assertEquals(1, reported.status());
    assertTrue(reported.out().contains("\"line\":2") && reported.out().contains("\"instead\":\"put `ALL` first"),
        reported.out());
  }

  @Test
  void withoutFindingsTheStatusIsZero() throws IOException {
    CommandResult reported = CommandResult.of("migrate", "check", "-c", file("heimdall.yaml", "log: {level: info}\n"),
        "-o", "json");
    assertEquals(new CommandResult(0, "{\"findings\":[]}\n", ""), reported);
  }

  @Test
  void missingFilesAreNamed() {
    assertEquals(2, CommandResult.of("migrate", "check").status());
    CommandResult reported = CommandResult.of("migrate", "check", "-c", folder.resolve("nowhere.yaml").toString());
    assertEquals(1, reported.status());
    assertTrue(reported.err().contains("cannot read the configuration file"), reported.err());
  }
}
