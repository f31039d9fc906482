package portcullis.policy.decision;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import portcullis.config.Enforcement;
import portcullis.http.message.Request;
import portcullis.http.message.Response;
import portcullis.http.message.ResponseStatusException;
import portcullis.lang.source.Problems;
import portcullis.lang.source.SourceFile;
import portcullis.observe.telemetry.Level;
import portcullis.observe.telemetry.Log;
import portcullis.observe.telemetry.LogFormat;
import portcullis.observe.telemetry.LogWriter;
import portcullis.policy.catalogue.Catalogue;
import portcullis.policy.mechanism.Failure;
import portcullis.policy.mechanism.OwnEndpoints;
import portcullis.policy.pipeline.Observer;
import portcullis.policy.pipeline.Pipeline;
import portcullis.policy.route.RouteIndex;
import portcullis.policy.rule.Catalogues;
import portcullis.policy.rule.ReadingPolicy;
import portcullis.policy.rule.Rule;
import portcullis.policy.rule.RuleOrigin;
import portcullis.policy.rule.RuleReader;
import portcullis.policy.rule.Rules;

/** Which rule decides a request, when it comes and again later, and what no rule decides. */
class DeciderTest {
  private static final String ANYONE = "{id: anon, type: anonymous}, {id: nobody, type: unauthorized}";
  private static final String LOGIN = ", {id: login, type: oidc, config: {providers: [{issuer: 'https://login.test', "
      + "client_id: shop, client_auth: {client_secret: secret}}], session: {keys: '%s'}}}";
  private static final String RULES = """
      - {id: all, match: {routes: [{path: "/.portcullis/**"}, {path: "/a/:name"}]}, execute: [{authenticator: anon}]}
      - {id: back, match: {routes: [{path: "/back/:name"}]}, readings: {backslash: exact}, execute: \
      [{authenticator: anon}]}
      - {id: shut, match: {routes: [{path: "/shut"}]}, execute: [{authenticator: nobody}]}
      """;

  /** @param defaultRule its authenticator; empty for none */
  private static Decider decider(String authenticators, String defaultRule) {
    Problems problems = new Problems();
    Catalogue catalogue = Catalogues.of("authenticators: [" + authenticators + "]", Enforcement.NONE, problems);
    RouteIndex<Rule> index = new RuleReader(catalogue, Optional.empty(), false, Optional.empty())
        .read("test", new SourceFile("f", "version: 1alpha4\nrules:\n" + RULES), problems).set()
        .flatMap(set -> RouteIndex.<Rule>empty().with(List.of(set), problems))
        .orElseThrow(() -> new AssertionError(Catalogues.reported(problems)));
    Optional<Pipeline> steps = defaultRule.isEmpty() ? Optional.empty()
        : RuleReader.readDefaultRule(
            Catalogues.node("execute: [{authenticator: " + defaultRule + "}]", problems).orElseThrow(), catalogue,
            problems);
    Snapshot snapshot = new Snapshot(1, catalogue, index,
        steps.map(pipeline -> Rule.defaultRule(pipeline, ReadingPolicy.DEFAULT, RuleOrigin.UNKNOWN)),
        ProtectedHeaders.NONE);
    return new Decider(() -> snapshot, new Log(Level.DISABLED, LogFormat.TEXT,
        new LogWriter(new ByteArrayOutputStream()), InstantSource.system(), ""));
  }

  private static String shown(Decision decision) {
    return switch (decision) {
      case Decision.Allow allow -> "allowed by " + (allow.rule().isDefault() ? "default" : allow.rule().id());
      case Decision.Own own -> "own " + own.answer().status();
      case Decision.Refuse refuse -> refuse.stepFailure().failure().title();
    };
  }

  private static String decided(Decider decider, String path) throws ResponseStatusException {
    return shown(decider.decide(Rules.request(path, ""), Observer.NONE));
  }

  @Test
  void theReservedPathIsForLoginsWhereThereAreAny(@TempDir Path folder) throws IOException, ResponseStatusException {
    Path keys = Files.writeString(folder.resolve("session.keys"), "0b".repeat(32));
    Decider login = decider(ANYONE + LOGIN.formatted(keys), "");
    for (String path : List.of("/.portcullis/logout", "/.portcullis/none", "/%2Eportcullis/none", "/x/../.portcullis/a",
        "/.portcullis/callback")) {
      assertEquals(path.endsWith("logout") ? "own 200" : path.endsWith("callback") ? "own 400" : "own 404",
          decided(login, path), path);
    }
    assertEquals("argument error", decided(login, "/.portcullis/login"), "a login needs https");
    Decider choice = decider(ANYONE + LOGIN.formatted(keys).replace("[{issuer", "[{issuer: 'https://other.test', "
        + "id: other, client_id: shop, client_auth: {client_secret: secret}}, {issuer"), "");
    assertEquals("own 200", decided(choice, "/.portcullis/login"), "the user chooses a provider");
    assertEquals("allowed by all", decided(login, "/a/.portcullis"));
    assertEquals("allowed by all", decided(decider(ANYONE, ""), "/.portcullis/none"));
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', textBlock = """
      /a/b     |        | allowed by all
      /back/b%5Cc |     | allowed by back
      /shut    | anon   | authentication error
      /other   | anon   | allowed by default
      /other   | nobody | authentication error
      /other   |        | no rule found
      /a/b%2Fc | anon   | argument error
      """)
  void requestsAreDecidedAgainAsTheyWere(String path, String defaultRule, String expected)
      throws ResponseStatusException {
    Decider decider = decider(ANYONE, defaultRule == null ? "" : defaultRule);
    Request request = Rules.request(path, "");
    assertEquals(List.of(expected, expected), List.of(decided(decider, path), shown(decider.repeat(request))));
  }

  @Test
  void backslashesAreRefusedBothTimes() throws ResponseStatusException {
    Decider decider = decider(ANYONE, "");
    Request request = Rules.request("/a/b%5Cc", "");
    assertThrows(ResponseStatusException.class, () -> decider.decide(request, Observer.NONE));
    assertThrows(ResponseStatusException.class, () -> decider.repeat(request));
  }

  /** @param status of the answer; 0 for none */
  private static OwnEndpoints endpoints(int status, boolean isShared, List<Integer> asked) {
    return new OwnEndpoints() {
      @Override
      public Optional<Answer> answer(Request request) {
        asked.add(status);
        return Optional.of(new Answer(Response.of(status), "", isShared)).filter(_ -> status > 0);
      }

      @Override
      public Optional<Response> failed(Request request, Failure failure) {
        return Optional.empty();
      }

      @Override
      public Answer otherwise(Request request) {
        return Answer.of(Response.of(404));
      }

      @Override
      public List<String> cookies() {
        return List.of();
      }
    };
  }

  @ParameterizedTest
  @CsvSource({"200 503 200, true, own 503", "200 0 400, true, own 200", "400 200, true, own 200",
    "0 400, true, own 400", "0 0, true, own 404", "0 200 503, false, own 200"})
  void whatIsForSeveralLoginsIsAnsweredByAll(String statuses, boolean isShared, String expected) {
    List<Integer> asked = new ArrayList<>();
    List<Integer> all = Arrays.stream(statuses.split(" ")).map(Integer::valueOf).toList();
    List<OwnEndpoints> endpoints = all.stream().map(status -> endpoints(status, isShared, asked)).toList();
    assertEquals(expected, shown(Decider.own(endpoints, Rules.request("/.portcullis/x", "")).orElseThrow()));
    assertEquals(isShared ? all : all.subList(0, 2), asked);
  }
}
