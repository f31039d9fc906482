package portcullis.policy.decision;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import portcullis.http.message.Fields;
import portcullis.http.message.Response;
import portcullis.observe.telemetry.Level;
import portcullis.observe.telemetry.Log;
import portcullis.observe.telemetry.LogFormat;
import portcullis.observe.telemetry.LogWriter;
import portcullis.policy.mechanism.Failure;
import portcullis.policy.mechanism.HandlerResponse;
import portcullis.policy.mechanism.StepFailure;

class ErrorResponsesTest {
  private static final ResponseSettings.Codes OWN = new ResponseSettings.Codes(201, 481, 483, 482, 480, 484, 489, 485);

  /** A failure and the status by its kind, as it is and renumbered. */
  record Row(Failure failure, int status, int own) {}

  private static ErrorResponses answers(boolean verbose, ResponseSettings.Codes codes) {
    Log log = new Log(Level.DISABLED, LogFormat.TEXT, new LogWriter(new ByteArrayOutputStream()),
        InstantSource.system(), "");
    return new ErrorResponses(new ResponseSettings(verbose, codes, false), log);
  }

  static List<Row> rows() {
    Failure argument = new Failure.Precondition("p");
    Failure communication = new Failure.Communication("c", false);
    return List.of(new Row(new Failure.Exhausted("e"), 503, 503), new Row(argument, 400, 480),
        new Row(new Failure.Authentication("a"), 401, 481),
        new Row(new Failure.Authentication("a", argument), 401, 481), new Row(new Failure.Authorization("z"), 403, 483),
        new Row(new Failure.NoRule("n"), 404, 484), new Row(new Failure.Internal("i"), 500, 485),
        new Row(new Failure.Unavailable("u"), 503, 503), new Row(communication, 502, 482),
        new Row(new Failure.Communication("c", true), 502, 482),
        new Row(new Failure.Internal("i", communication), 502, 482));
  }

  @ParameterizedTest
  @MethodSource("rows")
  void failureKindDecidesStatusWithoutDetails(Row row) {
    Response answer = answers(false, ResponseSettings.Codes.DEFAULT).of(row.failure, Fields.NONE);
    assertEquals(row.status, answer.status());
    assertEquals(Fields.NONE, answer.fields());
    assertEquals(0, answer.body().length);
    assertEquals(row.own, answers(false, OWN).of(row.failure, Fields.NONE).status());
  }

  @Test
  void byDefaultNothingIsAdded() {
    Log log = new Log(Level.DISABLED, LogFormat.TEXT, new LogWriter(new ByteArrayOutputStream()),
        InstantSource.system(), "");
    assertEquals(0, new ErrorResponses(ResponseSettings.DEFAULT, log).of(new Failure.NoRule("n"), Fields.NONE)
        .body().length);
    assertFalse(ResponseSettings.DEFAULT.emptyHeaders());
  }

  @Test
  void detailsThatTheClientDoesNotAcceptAreLoggedAsSuch() {
    ByteArrayOutputStream written = new ByteArrayOutputStream();
    try (LogWriter writer = new LogWriter(written)) {
      Log log = new Log(Level.WARN, LogFormat.TEXT, writer, InstantSource.system(), "");
      ErrorResponses verbose = new ErrorResponses(new ResponseSettings(true, ResponseSettings.Codes.DEFAULT, false),
          log);
      assertEquals(0, verbose.of(new Failure.NoRule("n"), Fields.of("Accept", "image/png")).body().length);
    }
    assertTrue(written.toString(StandardCharsets.UTF_8).contains("Response format negotiation failed"));
  }

  @ParameterizedTest
  @CsvSource({"true", "false"})
  void challengesAreInResponsesWith401Only(boolean verbose) {
    Fields challenge = Fields.of("WWW-Authenticate", "DPoP algs=\"ES256\"", "DPoP-Nonce", "n");
    Failure failure = new Failure.Authentication("a", challenge);
    ErrorResponses plain = answers(verbose, ResponseSettings.Codes.DEFAULT);
    for (Response answer : List.of(plain.of(failure, Fields.NONE), plain.ofCheck(failure, Fields.NONE))) {
      assertEquals("DPoP algs=\"ES256\" n", answer.fields().first("WWW-Authenticate").orElse("") + " "
          + answer.fields().first("DPoP-Nonce").orElse(""));
    }
    Response other = answers(verbose, OWN).of(failure, Fields.NONE);
    assertEquals(Optional.empty(), other.fields().first("WWW-Authenticate"));
  }

  @Test
  void aDetailIsForLogsAlone() {
    Failure failure = new Failure.Internal("failed to render x", "/etc/portcullis.yaml:7:3");
    for (String type : List.of("text/html", "application/json", "text/plain", "application/xml")) {
      String body = new String(
          answers(true, ResponseSettings.Codes.DEFAULT).of(failure, Fields.of("Accept", type)).body(),
          StandardCharsets.UTF_8);
      assertEquals(List.of(true, false), List.of(body.contains("failed to render x"), body.contains("/etc")), body);
    }
    assertEquals("internal error: failed to render x: /etc/portcullis.yaml:7:3", failure.report());
  }

  @Test
  void silentUpstreamIs504AndUnreachableOne502() {
    ErrorResponses answers = answers(false, ResponseSettings.Codes.DEFAULT);
    assertEquals(504, answers.ofUpstream(new Failure.Communication("late", true), Fields.NONE).status());
    assertEquals(502, answers.ofUpstream(new Failure.Communication("away", false), Fields.NONE).status());
    assertEquals(482, answers(false, OWN).ofUpstream(new Failure.Communication("late", true), Fields.NONE).status());
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', value = {
    "application/json|{\"code\":\"authorizationError\",\"message\":\"\\u003cb\\u003e \\u0026 \\\"q\\\"\"}",
    "text/plain|authorization error: <b> & \"q\"",
    "application/xml|<error><code>authorizationError</code><message>&lt;b&gt; &amp; &#34;q&#34;</message></error>",
    "*/*|<p>authorization error: &lt;b&gt; &amp; &#34;q&#34;</p>",
  })
  void verboseBodyHasAcceptedTypeAndIsEscaped(String accept, String body) {
    Response answer = answers(true, ResponseSettings.Codes.DEFAULT).of(new Failure.Authorization("<b> & \"q\""),
        Fields.of("Accept", accept));
    assertEquals(body, new String(answer.body(), StandardCharsets.UTF_8));
    assertEquals(List.of("nosniff"), answer.fields().all("X-Content-Type-Options"));
  }

  @Test
  void anAuthenticationChallengeIsExplained() {
    StepFailure stepFailure = new StepFailure(new Failure.Authentication("who?"), "", "");
    Response challenge = Response.of(401, Fields.of("WWW-Authenticate", "Basic realm=\"x\""));
    Decision.Refuse refuse = new Decision.Refuse(Optional.empty(), stepFailure,
        Optional.of(HandlerResponse.explaining(challenge)));
    Decision.Refuse asItIs = new Decision.Refuse(Optional.empty(), stepFailure,
        Optional.of(HandlerResponse.with(challenge)));
    ErrorResponses answers = answers(true, OWN);
    for (Response answer : List.of(answers.of(refuse, Fields.of("Accept", "application/json")),
        answers.ofCheck(refuse, Fields.of("Accept", "application/json")))) {
      assertEquals("{\"code\":\"authenticationError\",\"message\":\"who?\"}",
          new String(answer.body(), StandardCharsets.UTF_8));
      assertEquals(List.of("application/json"), answer.fields().all("Content-Type"));
      assertEquals(List.of("Basic realm=\"x\""), answer.fields().all("WWW-Authenticate"));
      assertEquals(401, answer.status());
    }
    assertEquals(0, answers.of(asItIs, Fields.NONE).body().length);
    assertEquals(challenge.fields(), answers.ofCheck(asItIs, Fields.of("Accept", "application/json")).fields());
    assertEquals(0, answers.ofCheck(asItIs, Fields.NONE).body().length);
    assertEquals(List.of("nosniff"),
        answers.of(refuse, Fields.of("Accept", "application/json")).fields().all("X-Content-Type-Options"));
    Decision.Refuse unhandled = new Decision.Refuse(Optional.empty(), stepFailure, Optional.empty());
    assertEquals(List.of(481, 481),
        List.of(answers.of(unhandled, Fields.NONE).status(), answers.ofCheck(unhandled, Fields.NONE).status()));
    assertEquals(0, answers(false, OWN).of(refuse, Fields.NONE).body().length);
    assertEquals(0, answers.of(refuse, Fields.of("Accept", "image/png")).body().length);
  }

  @Test
  void challengesAreInTheResponsesOfHandlersWith401Too() {
    StepFailure stepFailure = new StepFailure(new Failure.Authentication("who?", Fields.of("DPoP-Nonce", "n")), "", "");
    Map.of(Response.of(401, Fields.of("WWW-Authenticate", "Basic")), "401 [WWW-Authenticate: Basic, DPoP-Nonce: n]",
        Response.of(303, Fields.of("Location", "/login")), "303 [Location: /login]").forEach((own, expected) -> {
          Decision.Refuse refuse = new Decision.Refuse(Optional.empty(), stepFailure,
              Optional.of(HandlerResponse.explaining(own)));
          ErrorResponses answers = answers(false, OWN);
          assertEquals(List.of(expected, expected),
              List.of(shown(answers.of(refuse, Fields.NONE)), shown(answers.ofCheck(refuse, Fields.NONE))));
        });
  }

  @Test
  void aVerboseAnswerHasNoBodyWhereNoneIsAccepted() {
    Response answer = answers(true, ResponseSettings.Codes.DEFAULT).of(new Failure.NoRule("n"),
        Fields.of("Accept", "image/png"));
    assertEquals(404, answer.status());
    assertEquals(0, answer.body().length);
  }

  @Test
  void retryAfterIsAddedToAnyResponseWith429ThatLacksIt() {
    Failure failure = new Failure.TooManyRequests("t", "", Duration.ofMillis(1500), Fields.of("RateLimit", "r"));
    ErrorResponses answers = answers(false, ResponseSettings.Codes.DEFAULT);
    for (Response answer : List.of(answers.of(failure, Fields.NONE), answers.ofCheck(failure, Fields.NONE))) {
      assertEquals("429 [RateLimit: r, Retry-After: 2]", shown(answer));
    }
    assertEquals("489 []", shown(answers(false, OWN).of(failure, Fields.NONE)));
    StepFailure stepFailure = new StepFailure(failure, "", "");
    Map<Response, String> handled = Map.of(Response.of(429), "429 [RateLimit: r, Retry-After: 2]",
        Response.of(429, Fields.of("Retry-After", "60")), "429 [Retry-After: 60, RateLimit: r]",
        Response.of(303, Fields.of("Location", "/slow")), "303 [Location: /slow]");
    handled.forEach((own, expected) -> {
      Decision.Refuse refuse = new Decision.Refuse(Optional.empty(), stepFailure,
          Optional.of(HandlerResponse.with(own)));
      assertEquals(List.of(expected, expected),
          List.of(shown(answers.of(refuse, Fields.NONE)), shown(answers.ofCheck(refuse, Fields.NONE))));
    });
  }

  private static String shown(Response answer) {
    return answer.status() + " "
        + answer.fields().lines().stream().map(field -> field.name() + ": " + field.value()).toList();
  }
}
