package portcullis.serve.console;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import portcullis.http.message.Response;
import portcullis.observe.telemetry.Log;
import portcullis.policy.decision.Decider;
import portcullis.policy.decision.ErrorResponses;
import portcullis.policy.decision.Snapshot;
import portcullis.policy.pipeline.Observer;
import portcullis.policy.pipeline.StepSummary;
import portcullis.serve.explain.Explanation;
import portcullis.serve.explain.LiveExplanations;
import portcullis.serve.explain.SecretMask;
import portcullis.serve.service.DryRun;
import portcullis.serve.service.ListenerSettings;

class TryPageTest {
  private final Snapshot rules = PageRules.snapshot();
  private final Log log = rules.catalogue().context().log();
  private RequestTrial trial = (request, answers) -> {
    StepSummary steps = new StepSummary(Observer.NONE);
    Decider decider = new Decider(() -> rules, log);
    ListenerSettings settings = ListenerSettings.defaults(1);
    DryRun.Outcome outcome = new DryRun(settings, new ErrorResponses(settings.respond(), log))
        .of(request, decider, steps);
    return Optional.of(new RequestTrial.Result(new Explanation(request, outcome,
        outcome.request().flatMap(decider::match), List.of(), steps.reports(), LiveExplanations::place,
        SecretMask.of(request)), answers.isPresent() ? List.of("GET http://idp.example/keys of step `a`") : List.of()));
  };

  private Response post(String... namesAndValues) {
    StringBuilder form = new StringBuilder();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      form.append(i == 0 ? "" : "&").append(namesAndValues[i]).append('=')
          .append(URLEncoder.encode(namesAndValues[i + 1], StandardCharsets.UTF_8));
    }
    return setup().send("POST", "http://localhost:4457/console/try", form.toString(), "Origin",
        "http://localhost:4457");
  }

  private ConsoleSetup setup() {
    return new ConsoleSetup("[{authenticator: anon}]", List.of(new TryPage(trial, log)));
  }

  @Test
  void theFormIsShownWithoutTryingAnything() {
    trial = (_, _) -> {
      throw new AssertionError();
    };
    String text = ConsoleSetup.text(setup().get("/console/try?url=https://shop.example/orders/1"));
    assertTrue(text.contains("<form class=\"try\" method=\"post\""), text);
    assertTrue(text.contains("value=\"https://shop.example/orders/1\""), text);
  }

  @Test
  void anAllowedRequestShowsStepsAndGoal() {
    String text = ConsoleSetup.text(post("url", "https://shop.example/orders/42?x=1", "method", "GET", "headers",
        "Authorization: " + ConsoleSetup.CREDENTIALS, "services", "real"));
    assertTrue(text.contains(">allowed</span>"), text);
    assertTrue(text.contains("<dd>GET https://shop.internal:8080/42?x=1</dd>"), text);
    assertTrue(text.contains("<dd>shop.yaml:3</dd>"), text);
    assertTrue(text.contains("<th scope=\"row\">staff</th><td data-label=\"Type\">basic_auth</td>"), text);
    assertFalse(text.contains("No answer was given"), text);
  }

  @Test
  void aDeniedRequestShowsTheReason() {
    String text = ConsoleSetup.text(post("url", "https://shop.example/orders/42"));
    assertTrue(text.contains(">denied with 401</span>"), text);
    assertTrue(text.contains("No answer was given to GET http://idp.example/keys of step `a`"), text);
  }

  @Test
  void secretsAreNotShownAgain() {
    String text = ConsoleSetup.text(post("url", "https://shop.example/orders/42?token=s3cr3tvalue", "headers",
        "Authorization: " + ConsoleSetup.CREDENTIALS + "\nAccept: text/html", "body", "password=s3cr3tvalue"));
    assertFalse(text.contains("s3cr3tvalue"), text);
    assertFalse(text.contains(ConsoleSetup.CREDENTIALS), text);
    assertTrue(text.contains(">Accept: text/html</textarea>"), text);
  }

  @ParameterizedTest
  @CsvSource({"url, ''", "headers, no colon", "client, host.example", "answers, nonsense", "headers, 'A B: c'"})
  void mistakesAreExplained(String name, String value) {
    Response refused = name.equals("url") ? post(name, value) : post("url", "https://a.example/", name, value);
    assertEquals(400, refused.status());
    assertTrue(ConsoleSetup.text(refused).contains("role=\"alert\""));
  }

  @Test
  void tooManyAtOnceAreToldToWait() {
    trial = (_, _) -> Optional.empty();
    assertTrue(ConsoleSetup.text(post("url", "https://a.example/")).contains("try again in a moment"));
  }

  @Test
  void answersAreForStepsOrForAll() {
    assertEquals(List.of(new StubAnswer("session", 200, "{\"a\": 1}"), new StubAnswer("*", 503, "")),
        StubAnswer.read("session 200 {\"a\": 1}\n\n * 503"));
    assertEquals("application/json", StubAnswer.read("a 200 {}").getFirst().fields().first("Content-Type").orElse(""));
  }
}
