package portcullis.policy.decision;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import portcullis.http.message.Accept;
import portcullis.http.message.Field;
import portcullis.http.message.Fields;
import portcullis.http.message.Response;
import portcullis.lang.value.JsonText;
import portcullis.lang.value.Value;
import portcullis.observe.telemetry.Log;
import portcullis.policy.mechanism.Failure;

/**
 * Creates the responses to failures that no error handler has handled: a status by kind and, if verbose, a body with
 * the message.
 */
public final class ErrorResponses {
  private static final String HTML = "text/html";
  private static final String JSON = "application/json";
  private static final String PLAIN = "text/plain";
  private static final String XML = "application/xml";
  private static final List<String> FORMS = List.of(HTML, JSON, PLAIN, XML);
  private static final List<String> CHECK_FORMS = List.of(JSON, XML, HTML, PLAIN);

  private final ResponseSettings respond;
  private final Log log;

  public ErrorResponses(ResponseSettings respond, Log log) {
    this.respond = respond;
    this.log = log;
  }

  /** Returns the response to a refused request: that of its error handler, or the default of the kind of failure. */
  public Response of(Decision.Refuse refuse, Fields request) {
    Failure failure = refuse.stepFailure().failure();
    return refuse.answer().map(handled -> handled.explained()
        ? headed(handled.answer(), of(failure, handled.answer().status(), request))
        : limited(failure, handled.answer()))
        .orElseGet(() -> of(failure, request));
  }

  /** Returns the response for an Envoy check. */
  public Response ofCheck(Decision.Refuse refuse, Fields request) {
    Failure failure = refuse.stepFailure().failure();
    return refuse.answer().map(handled -> handled.explained()
        ? headed(handled.answer(), ofCheck(failure, handled.answer().status(), request))
        : limited(failure, handled.answer()))
        .orElseGet(() -> ofCheck(failure, request));
  }

  /** Combines status and header fields of one response with the body of another and the fields that describe it. */
  private static Response headed(Response head, Response body) {
    Response out = new Response(head.status(), head.fields(), body.body());
    for (Field field : body.fields()) {
      out = out.with(field.name(), field.value());
    }
    return out;
  }

  /**
   * Returns the response to a failure.
   *
   * @param request the header fields of the request, of which {@code Accept} decides the format
   */
  public Response of(Failure failure, Fields request) {
    return of(failure, status(failure), request);
  }

  /**
   * Returns the response to a failure for an Envoy check: JSON is preferred if the client accepts anything, HTML is
   * used if it accepts none of the formats.
   */
  public Response ofCheck(Failure failure, Fields request) {
    return ofCheck(failure, status(failure), request);
  }

  private Response ofCheck(Failure failure, int status, Fields request) {
    return challenging(failure, ofCheckAlone(failure, status, request));
  }

  private Response ofCheckAlone(Failure failure, int status, Fields request) {
    if (!respond.verbose()) {
      return Response.of(status);
    }
    boolean accepts = request.joined("Accept").filter(accept -> !accept.isBlank()).isPresent();
    String form = accepts ? Accept.best(CHECK_FORMS, request).orElse(HTML) : HTML;
    return Response.of(status, form, body(form, failure));
  }

  /**
   * Returns the response to a failed call to the upstream: 504 for a timeout, unless a status for communication errors
   * is configured.
   */
  public Response ofUpstream(Failure.Communication failure, Fields request) {
    boolean configured = respond.with().communication() != ResponseSettings.Codes.DEFAULT.communication();
    return of(failure, failure.timeout() && !configured ? 504 : respond.with().communication(), request);
  }

  private Response of(Failure failure, int status, Fields request) {
    return challenging(failure, ofAlone(failure, status, request));
  }

  /** Adds when to try again to a response with status 429 that does not say it. */
  private static Response limited(Failure failure, Response plain) {
    Response out = plain;
    if (plain.status() == 429) {
      for (Field field : failure.find(Failure.TooManyRequests.class).map(Failure.TooManyRequests::headers)
          .orElse(Fields.NONE)) {
        out = plain.fields().has(field.name()) ? out : out.with(field.name(), field.value());
      }
    }
    return out;
  }

  /** Adds the challenge of the failure to a response with status 401. */
  private static Response challenging(Failure failure, Response plain) {
    Response out = limited(failure, plain);
    if (plain.status() == 401) {
      for (Field field : failure.find(Failure.Authentication.class).map(Failure.Authentication::headers)
          .orElse(Fields.NONE)) {
        out = out.with(field.name(), field.value());
      }
    }
    return out;
  }

  private Response ofAlone(Failure failure, int status, Fields request) {
    if (!respond.verbose()) {
      return Response.of(status);
    }
    Optional<String> form = Accept.best(FORMS, request);
    if (form.isEmpty()) {
      log.warn("Response format negotiation failed. No body is sent");
      return Response.of(status);
    }
    return Response.of(status, form.get(), body(form.get(), failure)).with("X-Content-Type-Options", "nosniff");
  }

  private int status(Failure failure) {
    return respond.with().of(FailureKind.of(failure));
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

  /** Returns the title in camel case, as {@code authenticationError}. */
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
