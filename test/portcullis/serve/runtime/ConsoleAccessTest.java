package portcullis.serve.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import portcullis.config.Enforcement;
import portcullis.http.message.Fields;
import portcullis.http.message.Response;
import portcullis.http.message.ValidRequest;
import portcullis.lang.source.Problem;
import portcullis.lang.source.Problems;
import portcullis.lang.source.SourceFile;
import portcullis.policy.decision.Decider;
import portcullis.policy.lock.LockTable;
import portcullis.policy.rule.Catalogues;
import portcullis.serve.console.Console;
import portcullis.serve.console.ConsoleContent;
import portcullis.serve.console.ConsolePage;
import portcullis.serve.console.ConsoleVisit;
import portcullis.serve.service.ConsoleEndpoint;
import portcullis.serve.stream.StreamRegistry;
import portcullis.serve.stream.StreamSettings;

/** Who may use the console by the configuration in force. */
final class ConsoleAccessTest {
  private static final String CONSOLE = """
      management: {host: 127.0.0.1, console: {enabled: true, execute: [{authenticator: staff}]}}
      mechanisms:
        authenticators: [{id: staff, type: basic_auth, config: {user_id: op, password: %s}}]
      """;
  private static final String MECHANISMS = """
      mechanisms:
        authenticators: [{id: anyone, type: anonymous}, {id: staff, type: basic_auth,
          config: {user_id: op, password: secret}}]
      """;

  @TempDir
  private Path folder;

  private static int status(Site site, String password) throws Exception {
    ConsolePage page = new ConsolePage() {
      @Override
      public String name() {
        return "now";
      }

      @Override
      public String title() {
        return "Now";
      }

      @Override
      public ConsoleContent render(ConsoleVisit visit) {
        return new ConsoleContent.Document(Response.of(200));
      }
    };
    String credentials = Base64.getEncoder().encodeToString(("op:" + password).getBytes(StandardCharsets.UTF_8));
    Decider decider = new Decider(site.program().reloader()::console, site.program().context().log());
    StreamRegistry streams = new StreamRegistry(decider, new LockTable(InstantSource.system()),
        StreamSettings.DEFAULT, InstantSource.system(), site.program().context().log());
    try (Console console = new Console(decider, streams, List.of("localhost"), List.of(page), "1",
        site.program().context().log(), InstantSource.system())) {
      return ((ConsoleEndpoint.Whole) console.answer(ValidRequest.of("GET", "http://localhost/console/now",
          Fields.of("Authorization", "Basic " + credentials), InetAddress.getLoopbackAddress(), new byte[0])))
          .response().status();
    }
  }

  @Test
  void reloadsChangeWhoMayUseIt() throws Exception {
    try (Site site = new Site(folder).config(CONSOLE.formatted("first")).start()) {
      assertEquals(200, status(site, "first"));
      assertEquals(401, status(site, "second"));
      site.config(CONSOLE.formatted("second"));
      site.reloadTask().request();
      site.awaitLog("Configuration reloaded");
      assertEquals(200, status(site, "second"));
      assertEquals(401, status(site, "first"));
    }
  }

  @Test
  void refusesEveryRequestWithoutSteps() throws Exception {
    try (Site site = new Site(folder).config(MECHANISMS).start()) {
      assertEquals(404, status(site, "secret"));
    }
  }

  @ParameterizedTest
  @CsvSource({"127.0.0.1, anyone, true", "127.0.0.1, staff, true", "0.0.0.0, anyone, false", "0.0.0.0, staff, true"})
  void everyoneMayUseItOnLoopbackOnly(String host, String authenticator, boolean accepted) throws IOException {
    Problems problems = new Problems();
    String yaml = "management: {host: %s, tls: {key_store: {path: k.pem}}, console: {enabled: true, execute: "
        .formatted(host) + "[{authenticator: " + authenticator + "}]}}\n" + MECHANISMS;
    Optional<Settings> settings = Settings.read(new SourceFile("f.yaml", yaml),
        new EnvironmentOverrides(Map.of(), List.of()), Enforcement.NONE, problems);
    ConfigurationPlan.of(settings.orElseThrow(), Catalogues.context(Enforcement.NONE), false, problems);
    String texts = problems.sorted().stream().map(Problem::text).collect(Collectors.joining("\n"));
    assertEquals(accepted, !problems.hasErrors(), texts);
    assertTrue(accepted || texts.contains("the authenticator `anyone` admits everyone"), texts);
  }
}
