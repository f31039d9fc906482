package portcullis.policy.decision;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import portcullis.http.message.Accept;
import portcullis.http.message.Answer;
import portcullis.http.message.Field;
import portcullis.http.message.Fields;
import portcullis.lang.value.JsonText;
import portcullis.lang.value.Value;
import portcullis.observe.telemetry.Log;
import portcullis.policy.mechanism.Failure;

/**
 * Answers failures that no error handler answered: a status by kind and, where that is wanted, a body that says what
 * was wrong.
 */
public final class ErrorResponses {
  private static final String HTML = "text/html";
  private static final String JSON = "application/json";
  private static final String PLAIN = "text/plain";
  private static final String XML = "application/xml";
  private static final List<String> FORMS = List.of(HTML, JSON, PLAIN, XML);
  private static final List<String> FORMS_OF_CHECKS = List.of(JSON, XML, HTML, PLAIN);

  private final ResponseSettings respond;
  private final Log log;

  public ErrorResponses(ResponseSettings respond, Log log) {
    this.respond = respond;
    this.log = log;
  }

  /** The answer to a request that does not pass: that of its error handler, or of the failure's kind. */
  public Answer of(Decision.Refuse refuse, Fields request) {
    Failure failure = refuse.fault().failure();
    return refuse.answer().map(handled -> handled.explained()
        ? headed(handled.answer(), of(failure, handled.answer().status(), request))
        : handled.answer())
        .orElseGet(() -> of(failure, request));
  }

  /** The same for Envoy. */
  public Answer ofCheck(Decision.Refuse refuse, Fields request) {
    Failure failure = refuse.fault().failure();
    return refuse.answer().map(handled -> handled.explained()
        ? headed(handled.answer(), ofCheck(failure, handled.answer().status(), request))
        : handled.answer())
        .orElseGet(() -> ofCheck(failure, request));
  }

  /** The header fields of one, with the body of another and what says what that is. */
  private static Answer headed(Answer head, Answer body) {
    Answer out = new Answer(head.status(), head.fields(), body.body());
    for (Field field : body.fields()) {
      out = out.with(field.name(), field.value());
    }
    return out;
  }

  /** @param request the fields of the request, which say what form the client takes */
  public Answer of(Failure failure, Fields request) {
    return of(failure, status(failure), request);
  }

  /** The same for Envoy, which sends it on: JSON before all else where anything goes, HTML where nothing else does. */
  public Answer ofCheck(Failure failure, Fields request) {
    return ofCheck(failure, status(failure), request);
  }

  private Answer ofCheck(Failure failure, int status, Fields request) {
    if (!respond.verbose()) {
      return Answer.of(status);
    }
    boolean told = request.joined("Accept").filter(accept -> !accept.isBlank()).isPresent();
    String form = told ? Accept.best(FORMS_OF_CHECKS, request).orElse(HTML) : HTML;
    return Answer.of(status, form, body(form, failure));
  }

  /**
   * The same for an upstream: one that is silent is 504, unless failures of communication have a status of their own.
   */
  public Answer ofUpstream(Failure.Communication failure, Fields request) {
    boolean configured = respond.with().communication() != ResponseSettings.Codes.STANDARD.communication();
    return of(failure, failure.timeout() && !configured ? 504 : respond.with().communication(), request);
  }

  private Answer of(Failure failure, int status, Fields request) {
    if (!respond.verbose()) {
      return Answer.of(status);
    }
    Optional<String> form = Accept.best(FORMS, request);
    if (form.isEmpty()) {
      log.warn("Response format negotiation failed. No body is sent");
      return Answer.of(status);
    }
    return Answer.of(status, form.get(), body(form.get(), failure)).with("X-Content-Type-Options", "nosniff");
  }

  private int status(Failure failure) {
    ResponseSettings.Codes codes = respond.with();
    return switch (FailureKind.of(failure)) {
      case AUTHENTICATION -> codes.authentication();
      case AUTHORIZATION -> codes.authorization();
      case COMMUNICATION -> codes.communication();
      case PRECONDITION -> codes.precondition();
      case NO_RULE -> codes.noRule();
      case INTERNAL -> codes.internal();
    };
  }

  private static String body(String form, Failure failure) {
    return switch (form) {
      case JSON ->
        JsonText.of(new Value.Dict(Map.of("code", Value.of(code(failure)), "message", Value.of(failure.getMessage()))));
      case XML ->
        "<error><code>" + code(failure) + "</code><message>" + escaped(failure.getMessage()) + "</message></error>";
      case PLAIN -> failure.title() + ": " + failure.getMessage();
      default -> "<p>" + escaped(failure.title() + ": " + failure.getMessage()) + "</p>";
    };
  }

  /** The title in one word, as {@code authenticationError}. */
  private static String code(Failure failure) {
    StringBuilder out = new StringBuilder();
    for (String word : failure.title().split(" ")) {
      out.append(out.isEmpty() ? word : word.substring(0, 1).toUpperCase(Locale.ROOT) + word.substring(1));
    }
    return out.toString();
  }

  private static String escaped(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace("\"", "&#34;").replace("'",
        "&#39;");
  }
}
