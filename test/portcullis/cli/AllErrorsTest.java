package portcullis.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** All errors of configuration and rules are reported at once, and no other as their consequence. */
class AllErrorsTest {
  private static final String RULES = """
      version: 1alpha4
      rules:
      - id: inherits
        match: {routes: [{path: /a}]}
        execute: [{authorizer: all}]
      - id: own
        match: {routes: [{path: /b}]}
        execute: [{authenticator: people}, {authorizer: all}]
      - id: wrong
        match: {routes: [{path: /c}]}
        execute: [{authenticator: people}, {authorizer: al}]
      """;

  private static final String CONFIG = """
      management:
        host: 127.0.0.1
        console:
          enabled: true
          execute: [{authenticator: people}]
      mechanisms:
        authenticators: [{id: people, type: basic_auth, config: {users: FOLDER/users.yaml}}]
        authorizers: [{id: all, type: allow}]
      default_rule: {execute: [{authenticator: people}]}
      providers: {file_system: {src: FOLDER/rules.yaml}}
      """;

  @TempDir
  private Path folder;

  private CommandResult validated(String config, String... more) throws IOException {
    Files.writeString(folder.resolve("c.yaml"), config.replace("FOLDER", folder.toString()));
    return CommandResult.of(Stream.concat(
        Stream.of("validate", "config", "--insecure", "-c", folder.resolve("c.yaml").toString()), Stream.of(more))
        .toArray(String[]::new));
  }

  /** The lines with places, without folder and hint. */
  private List<String> problems(String config, String... more) throws IOException {
    return validated(config, more).err().lines().filter(line -> line.contains(".yaml:"))
        .map(line -> line.replace(folder + "/", "").replaceAll(", (known|did you mean|right is|it is|write).*", ""))
        .toList();
  }

  private void rules(String text) throws IOException {
    Files.writeString(folder.resolve("rules.yaml"), text);
  }

  @Test
  void aBrokenAuthenticatorOfTheConsoleIsTheOnlyError() throws IOException {
    rules(RULES.replace("authorizer: al}", "authorizer: all}"));
    CommandResult missing = validated(CONFIG);
    assertTrue(missing.err().contains("users.yaml") && !missing.err().contains("there is no authenticator"),
        missing.err());
    assertEquals(1, missing.err().lines().filter(line -> line.contains("c.yaml:")).count(), missing.err());
    Files.writeString(folder.resolve("users.yaml"), "nonsense: 1\n");
    assertFalse(validated(CONFIG).err().contains("there is no authenticator"), validated(CONFIG).err());
    String none = CONFIG.replace("execute: [{authenticator: people}]\nmech", "execute: [{authorizer: all}]\nmech");
    assertTrue(validated(none).err().contains("there is no authenticator"), validated(none).err());
  }

  @Test
  void errorsOfRulesAreShownBesideThoseOfTheConfiguration() throws IOException {
    rules(RULES);
    String broken = CONFIG.replace("users: FOLDER", "usres: FOLDER");
    String wrong = "rules.yaml:11:51: rules[2].execute[1].authorizer: no authorizer `al`";
    assertEquals(List.of(wrong), problems(broken).stream().filter(line -> line.startsWith("rules")).toList(),
        validated(broken).err());
    String unknown = "log: {level: loud}\n" + broken.replace("type: basic_auth", "type: basic");
    assertEquals(List.of(wrong), problems(unknown).stream().filter(line -> line.startsWith("rules")).toList(),
        validated(unknown).err());
    assertTrue(problems(unknown).contains("c.yaml:1:14: log.level: `loud` is not known here"),
        problems(unknown).toString());
    Path other = Files.writeString(folder.resolve("other.yaml"), RULES.replace("/c", "/d"));
    CommandResult named = CommandResult.of("validate", "rules", "--insecure", "-c", folder.resolve("c.yaml").toString(),
        other.toString());
    assertTrue(named.err().contains("other.yaml:11:51") && !named.err().contains("rules.yaml:11:51"), named.err());
  }

  @Test
  void whatCannotBeReadIsNotMissedInRules() throws IOException {
    rules(RULES);
    for (String broken : List.of("authorizers: {}", "authorizers: [{type: allow}]",
        "authorizors: [{id: all, type: allow}]",
        "authorizers: [{id: [], type: allow}]")) {
      String config = CONFIG.replace("authorizers: [{id: all, type: allow}]", broken);
      assertEquals(List.of(), problems(config).stream().filter(line -> line.startsWith("rules")).toList(),
          validated(config).err());
      assertEquals(1, validated(config).status());
    }
  }

  @Test
  void proxyModeNeedsAnUpstreamInEveryRule() throws IOException {
    rules("version: 1alpha4\nrules: [{id: r, match: {routes: [{path: /x}]}, execute: [{authenticator: a}]}]\n");
    String config = "mechanisms: {authenticators: [{id: a, type: anonymous}]}\n"
        + "providers: {file_system: {src: FOLDER/rules.yaml}}\n";
    assertEquals(0, validated(config).status());
    CommandResult proxied = validated(config, "--proxy-mode");
    assertEquals(1, proxied.status());
    assertTrue(proxied.err().contains("`forward_to` is missing"), proxied.err());
  }

  @Test
  void anEmptyConfigurationIsWarnedOf() throws IOException {
    for (String empty : List.of("", "# nothing\n", "---\n")) {
      CommandResult reported = validated(empty);
      assertEquals(0, reported.status());
      assertTrue(reported.err().contains("c.yaml:1:1: warning: the file is empty: there are no rules"), reported.err());
    }
    assertFalse(validated("{}\n").err().contains("is empty"));
  }

  @Test
  void aMisplacedKeyAndALargePortAreNamed() throws IOException {
    String rule = "version: 1alpha4\nrules: [{id: r, match: {routes: [{path: /x}]}, execute: [{authenticator: a}], "
        + "forward_to: {%s}}]\n";
    String config = "mechanisms: {authenticators: [{id: a, type: anonymous}]}\n"
        + "providers: {file_system: {src: FOLDER/rules.yaml}}\n";
    rules(rule.formatted("host: a.local, scheme: http"));
    assertTrue(validated(config).err().contains("unknown key `scheme`, it belongs into `rewrite`"),
        validated(config).err());
    rules(rule.formatted("host: \"127.0.0.1:228011\""));
    assertTrue(validated(config).err().contains("invalid port `228011`, it is a number from 1 to 65535"),
        validated(config).err());
    rules(rule.formatted("host: \"http://a.local:8080\""));
    assertTrue(validated(config).err().contains("without scheme and path"), validated(config).err());
  }

  @Test
  void copiesOfRuleFilesAreWarnedOf() throws IOException {
    Files.createDirectory(folder.resolve("rules"));
    String rule = "version: 1alpha4\nrules: [{id: r, match: {routes: [{path: /x}]}, execute: [{authenticator: a}]}]\n";
    Files.writeString(folder.resolve("rules/shop.yaml"), rule);
    Files.writeString(folder.resolve("rules/shop.yaml.bak"), rule);
    CommandResult reported = validated("mechanisms: {authenticators: [{id: a, type: anonymous}]}\n"
        + "providers: {file_system: {src: FOLDER/rules}}\n");
    assertEquals(0, reported.status(), reported.err());
    assertTrue(
        reported.err().contains("/rules/shop.yaml.bak`: its name is that of a copy or a disabled file: its rules "
            + "are not used"),
        reported.err());
    CommandResult rules = CommandResult.of("validate", "rules", "--insecure", "-c", folder.resolve("c.yaml").toString(),
        folder.resolve("rules").toString());
    assertEquals(0, rules.status(), rules.err());
    assertTrue(rules.err().contains("shop.yaml.bak"), rules.err());
  }
}
