package portcullis.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class InitTest {
  private static final String[] LINES = {"--kind oidc", "--kind session", "--kind api",
    "--kind api --tokens introspection", "--kind oidc --mode decision", "--kind session --mode decision",
    "--kind api --mode decision", "--kind api --mode=decision --tokens=introspection",
    "--kind oidc --issuer https://x.example/ --upstream https://[::1]:99 --audience https://api.example/",
    "--kind session --session http://127.0.0.1:9/who --login http://localhost/in --cookie 12",
    "--kind api --issuer http://127.0.0.1:1/realms/a"};

  @TempDir
  private Path folder;

  static Stream<String> lines() {
    return Stream.of(LINES);
  }

  private CommandResult init(String line, Path to) {
    List<String> words = new ArrayList<>(List.of("init"));
    words.addAll(List.of(line.split(" ")));
    words.add(to.toString());
    return CommandResult.of(words.toArray(String[]::new));
  }

  /** The words of the printed command that begins so. */
  private static String[] next(CommandResult reported, String command) {
    String line = reported.out().lines().map(String::strip).filter(l -> l.startsWith("portcullis " + command))
        .findFirst()
        .orElseThrow(() -> new AssertionError(reported.out()));
    return line.substring("portcullis ".length()).split(" ");
  }

  @ParameterizedTest
  @MethodSource("lines")
  void whatIsWrittenIsValidAndTested(String line) {
    CommandResult reported = init(line, folder.resolve("new/app"));
    assertEquals(0, reported.status(), reported.err());
    assertEquals("Configuration is valid\n", reported.err());
    String folderOfAll = folder.resolve("new/app").toString();
    CommandResult rules = CommandResult.of("validate", "rules", "--insecure", "-c", folderOfAll + "/portcullis.yaml",
        folderOfAll);
    assertEquals(0, rules.status(), rules.err());
    assertEquals(folderOfAll + "/portcullis.yaml:1:1: warning: this is the configuration, which has no rules, it need "
        + "not be in the folder of the rules", rules.err().lines().findFirst().orElseThrow());
    assertEquals(3, reported.out().lines().filter(l -> l.startsWith("  portcullis ")).count(), reported.out());

    CommandResult tested = CommandResult.of(Stream.concat(Stream.of("test", "--coverage=100"),
        Stream.of(next(reported, "test")).skip(1)).toArray(String[]::new));
    assertEquals(0, tested.status(), tested.out() + tested.err());
    CommandResult explained = CommandResult.of(next(reported, "explain"));
    assertEquals(0, explained.status(), explained.out() + explained.err());
  }

  @ParameterizedTest
  @ValueSource(strings = {"oidc", "session", "api"})
  void onlyPublicPathsAreFound(String kind) {
    CommandResult reported = init("--kind " + kind, folder);
    String[] flags = next(reported, "serve proxy");
    CommandResult analyzed = CommandResult
        .of(Stream.concat(Stream.of("analyze"), Stream.of(flags).skip(2)).toArray(String[]::new));
    List<String> kinds = analyzed.out().lines().filter(l -> l.startsWith("  id ")).map(l -> l.strip().split("\\s+")[1]
        .split("/")[0]).distinct().toList();
    assertEquals(List.of("public"), kinds, analyzed.out());
  }

  @Test
  void filesNameTheirSchemas() throws IOException {
    init("--kind oidc", folder);
    for (String name : List.of("portcullis", "rules")) {
      String first = Files.readString(folder.resolve(name + ".yaml")).lines().findFirst().orElseThrow();
      assertEquals("# yaml-language-server: $schema=" + name + ".schema.json", first);
      assertTrue(Files.readString(folder.resolve(name + ".schema.json")).contains("\"$schema\""));
    }
  }

  @Test
  void givenValuesAreWritten() throws IOException {
    init("--kind oidc --issuer https://id.example/realms/a --upstream https://app:8443 --audience shop", folder);
    String config = Files.readString(folder.resolve("portcullis.yaml"));
    assertTrue(config.contains("https://id.example/realms/a/.well-known/openid-configuration"), config);
    assertTrue(config.contains("audience: [ \"shop\" ]"), config);
    String rules = Files.readString(folder.resolve("rules.yaml"));
    assertTrue(rules.contains("forward_to: { host: \"app:8443\", rewrite: { scheme: https } }"), rules);
    assertFalse((config + rules).matches("(?s).*(@[A-Z]+@|\\n\\?).*"));
  }

  @Test
  void existingFilesAreKept() throws IOException {
    Path mine = Files.writeString(folder.resolve("rules.yaml"), "mine");
    CommandResult reported = init("--kind api", folder);
    assertEquals(1, reported.status());
    assertEquals("portcullis: nothing was written, as `" + mine + "` exists\n", reported.err());
    assertEquals("mine", Files.readString(mine));
    try (Stream<Path> files = Files.list(folder)) {
      assertEquals(List.of(mine), files.toList());
    }
  }

  @Test
  void aFileInTheWayOfTheFolderIsNamed() throws IOException {
    Path file = Files.writeString(folder.resolve("file"), "");
    CommandResult reported = init("--kind api", file);
    assertEquals(1, reported.status());
    assertTrue(reported.err().startsWith("portcullis: nothing was written: " + file), reported.err());
  }

  @Test
  void namesOfFoldersMayHaveAnyCharacters() {
    Path odd = folder.resolve("a ${b} $c 'd\"");
    CommandResult reported = init("--kind session", odd);
    assertEquals(0, reported.status(), reported.err());
    assertTrue(reported.out().contains("'\\''d\"/portcullis.yaml'"), reported.out());
    assertEquals(0, CommandResult.of("test", "--insecure", odd.toString()).status());
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', value = {
    "init|name the kind of application: --kind oidc (tokens of an OpenID provider), session (browsers, a login page) "
        + "or api (tokens with scopes)",
    "init --kind web|`--kind` is oidc or session or api, not `web`",
    "init --kind oidc a b|name one folder: `portcullis init --kind oidc DIR`",
    "init --kind oidc --login http://h/|`--login` is not an option of `--kind oidc`",
    "init --kind session --issuer http://h/|`--issuer` is not an option of `--kind session`",
    "init --kind oidc --issuer login|`--issuer` is a URL, like https://login.example.com, not `login`",
    "init --kind oidc --upstream http://h/path|`--upstream` is the scheme, host and port of a service, like "
        + "http://127.0.0.1:8080, not `http://h/path`",
    "init --kind session --cookie a;b|`--cookie` is the name of a cookie, not `a;b`",
    "init --kind api --audience {{x}}|`--audience` is a name or URL, not `{{x}}`"})
  void invalidOptionsAreExplained(String line, String message) {
    CommandResult reported = CommandResult.of(line.split(" "));
    assertEquals(2, reported.status());
    assertTrue(reported.err().startsWith("portcullis: " + message + "\n"), reported.err());
  }
}
