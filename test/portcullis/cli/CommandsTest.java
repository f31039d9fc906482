package portcullis.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CommandsTest {
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();
  @TempDir
  private Path folder;

  private int run(String... words) {
    return new Commands(new Console(print(out), print(err))).run(List.of(words));
  }

  private static PrintStream print(ByteArrayOutputStream bytes) {
    return new PrintStream(bytes, true, StandardCharsets.UTF_8);
  }

  private String errors() {
    return err.toString(StandardCharsets.UTF_8);
  }

  private String file(String name, String text) throws IOException {
    return Files.writeString(folder.resolve(name), text).toString();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "help", "--help", "-h", "help --help", "help -h", "help serve proxy",
    "serve proxy --help", "help validate",
    "serve --help", "help validate rules"})
  void acceptsSeveralSpellingsOfHelp(String words) {
    assertEquals(0, words.isEmpty() ? run() : run(words.split(" ")));
    assertTrue(out.toString(StandardCharsets.UTF_8).contains("portcullis "));
    assertEquals("", errors());
  }

  @Test
  void eachCommandRefusesAnOptionThatIsGivenTwice() {
    for (Command command : new Commands(new Console(print(out), print(err))).all()) {
      command.options().stream().filter(option -> !option.value().isEmpty() && !option.repeatable()).forEach(option -> {
        String value = option.choices().isEmpty() ? "1" : option.choices().getFirst();
        List<String> words = new ArrayList<>(List.of(command.name().split(" ")));
        words.addAll(List.of(option.name() + "=" + value, option.name() + "=" + value));
        err.reset();
        assertEquals(2, run(words.toArray(String[]::new)), words::toString);
        assertTrue(errors().startsWith("portcullis: `" + option.name() + "` is given twice"), errors());
      });
    }
  }

  @Test
  void printsVersion() {
    assertEquals(0, run("--version"));
    assertTrue(out.toString(StandardCharsets.UTF_8).startsWith("portcullis version "));
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', value = {
    "serv proxy|unknown command `serv proxy`, did you mean `serve proxy`?",
    "serve prox|unknown command `serve prox`, did you mean `serve proxy`?",
    "serve proxy --insecur|unknown option `--insecur`, did you mean `--insecure`?",
    "serve proxy x|`x` is not expected here",
    "demo --port x|`--port` is a port, a number from 0 to 65535",
    "validate rules|exactly one file or folder of rules is needed",
    "validate rules -c LICENSE LICENSE|`LICENSE` is the configuration: name a file or folder of rules",
    "validate config --output xml|`--output` is text or json, not `xml`",
    "validate config --output|`--output` is text or json",
    "schema rule|there is no schema of `rule`, did you mean `rules`?",
    "completion tcsh|there is no completion for `tcsh`, known: bash, fish, zsh",
    "completion|name one shell: bash, zsh or fish",
    "validate config|no config file provided: name one by `-c FILE`",
    "health|name the management service by `--endpoint URL` or `--config FILE`",
    "health -e x --wait soon|`--wait` is a duration, as 30s",
    "health --insecure -c x|`health` has no `--insecure`: nothing of the configuration is enforced",
    "--wrong|unknown command `--wrong`, known: --help, --version",
    "--verison|unknown command `--verison`, did you mean `--version`?",
    "serev|unknown command `serev`, did you mean `serve`?",
    "serev -c x|unknown command `serev`, did you mean `serve`?",
    "help serev|unknown command `serev`, did you mean `serve`?",
    "help mechansim jwt|unknown command `help mechansim`, did you mean `help mechanism`?",
    "hlep|unknown command `hlep`, did you mean `help`?",
    "helth -e x|unknown command `helth`, did you mean `health`?",
    "explane --config x request|unknown command `explane`, did you mean `explain`?",
    "complet bash|unknown command `complet`, did you mean `completion`?",
    "validte confg -c x|unknown command `validte confg`, did you mean `validate config`?",
    "validate confg -c x|unknown command `validate confg`, did you mean `validate config`?",
    "validate everything|unknown command `validate everything`, known: validate config, validate rules",
    "serve -c x|`serve` is half a command, known: serve decision, serve proxy",
    "serve|`serve` is half a command, known: serve decision, serve proxy",
    "validate|`validate` is half a command, known: validate config, validate rules",
    "start|unknown command `start`, known: analyze, audit verify, bundle show, bundle sign, bundle verify",
    "serve proxy --cofig x|unknown option `--cofig`, did you mean `--config`?",
    "health --endpont x|unknown option `--endpont`, did you mean `--endpoint`?",
  })
  void wrongUseIsExitStatusTwoAndSaysWhatWouldBeRight(String words, String message) {
    assertEquals(2, run(words.split(" ")));
    assertTrue(errors().startsWith("portcullis: " + message), errors());
  }

  @Test
  void reportsValidConfiguration() throws IOException {
    String config = file("c.yaml", "mechanisms: {authenticators: [{id: a, type: unauthorized}]}\ndefault_rule: "
        + "{execute: [{authenticator: a}]}\n");
    assertEquals(0, run("validate", "config", "--insecure", "-c", config), errors());
    assertEquals("Configuration is valid\n", errors());
    assertEquals(0, run("validate", "-c", config, "--insecure", "config"), errors());
  }

  @Test
  void allErrorsAreShownAtOnceEachWithItsLine() throws IOException {
    String config = file("c.yaml", "log: {level: loud}\nserve: {prot: 80}\nmechanisms: {authenticators: [{id: a, "
        + "type: anonymos}]}\n");
    assertEquals(1, run("validate", "config", "--insecure", "-c", config));
    assertTrue(errors().contains("c.yaml:1:14: log.level: `loud` is not known here"), errors());
    assertTrue(errors().contains("c.yaml:2:9: serve: unknown key `prot`, did you mean `port`?\n    serve: {prot: "
        + "80}\n            ^^^^\n"), errors());
    assertFalse(errors().contains("Exception"), errors());
  }

  @Test
  void programsGetOneLineOfJson() throws IOException {
    String good = file("good.yaml", "log: {level: info}\n");
    assertEquals(new CommandResult(0, "{\"problems\":[],\"valid\":true}\n", ""),
        CommandResult.of("validate", "config", "--insecure", "-c", good, "-o", "json"));
    String bad = file("bad.yaml", "log: {level: loud}\n");
    assertEquals(
        new CommandResult(1, "{\"problems\":[{\"column\":14,\"file\":\"" + bad + "\",\"hint\":\"right is one of: "
            + "trace, debug, info, warn, error,"
            + " fatal, panic, disabled\",\"length\":4,\"line\":1,\"message\":\"`loud` is not known "
            + "here\",\"path\":\"log.level\",\"severity\":\"error\"}],"
            + "\"valid\":false}\n", ""),
        CommandResult.of("validate", "config", "--insecure", "-c", bad, "--output=json"));
    assertEquals(2, CommandResult.of("validate", "config", "-c", bad, "--output", "xml").status());
    assertEquals(new CommandResult(0, "{\"version\":\"unpackaged\"}\n", ""), CommandResult.of("version", "-o", "json"));
  }

  @Test
  void theFileMustBeThere() {
    assertEquals(1, run("validate", "config", "-c", folder.resolve("nowhere.yaml").toString()));
    assertTrue(errors().contains("no such configuration file: `" + folder.resolve("nowhere.yaml") + "`"), errors());
  }

  @Test
  void rulesAreCheckedAgainstTheCatalogueAndEachOther() throws IOException {
    String config = file("c.yaml", "mechanisms: {authenticators: [{id: a, type: unauthorized}]}\n");
    String rule = "version: 1alpha4\nrules: [{id: %s, match: {routes: [{path: /x}]}, execute: [{authenticator: "
        + "%s}]}]\n";
    Path rules = Files.createDirectory(folder.resolve("rules"));
    Files.writeString(rules.resolve("one.yaml"), rule.formatted("r", "a"));
    assertEquals(0, run("validate", "rules", "--insecure", "-c", config, rules.toString()), errors());
    assertEquals(1, run("validate", "rules", "--insecure", "--proxy-mode", "-c", config, rules.toString()));
    assertTrue(errors().contains("`forward_to` is missing"), errors());
    Files.writeString(rules.resolve("two.yaml"), rule.formatted("s", "a"));
    assertEquals(1, run("validate", "rules", "--insecure", "-c", config, rules.toString()));
    assertTrue(errors().contains("is in conflict with route"), errors());
  }

  @Test
  void reportsHealthOfNoServiceInRequestedFormat() throws IOException {
    String dead;
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      dead = "http://127.0.0.1:" + socket.getLocalPort();
    }
    assertEquals(new CommandResult(1, "{\"error\":\"" + dead + ": no answer, connection refused\"}\n", ""),
        CommandResult.of("health", "-e", dead, "-o", "json"));
    assertEquals(new CommandResult(1, "error: \"" + dead + ": no answer, connection refused\"\n", ""),
        CommandResult.of("health", "-e", dead, "--output=yaml"));
    assertEquals(new CommandResult(1, "", "portcullis: " + dead + ": no answer, connection refused\n"),
        CommandResult.of("health", "-e", dead));
  }

  @ParameterizedTest
  @CsvSource(textBlock = """
      200 | {"status":"ready","reasons":[]}            | 0 | ready |
      503 | {"status":"not ready","reasons":["stops"]} | 1 |       | not ready: stops
      503 | {"status":"not ready","reasons":["a","b"]} | 1 |       | not ready: a, b
      503 | {}                                         | 1 |       | unexpected status 503 from URL/ready
      503 | <html>                                     | 1 |       | unexpected status 503 from URL/ready
      404 | {"reasons":["a"]}                          | 1 |       | unexpected status 404 from URL/ready
      """, delimiter = '|')
  void readinessIsWhatTheServiceSays(int status, String body, int result, String out, String error)
      throws IOException {
    HttpServer service = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    service.createContext("/ready", exchange -> {
      byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
      exchange.sendResponseHeaders(status, bytes.length);
      exchange.getResponseBody().write(bytes);
      exchange.close();
    });
    service.start();
    try {
      String url = "http://127.0.0.1:" + service.getAddress().getPort();
      assertEquals(new CommandResult(result, out == null ? "" : out + "\n",
          error == null ? "" : "portcullis: " + error.replace("URL", url) + "\n"),
          CommandResult.of("health", "--ready", "-e", url));
    } finally {
      service.stop(0);
    }
  }
}
