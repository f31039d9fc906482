package portcullis.policy.mechanism;

import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Optional;
import portcullis.http.message.BodyFormat;
import portcullis.http.message.Grammar;
import portcullis.http.message.Request;
import portcullis.lang.value.BudgetExceededException;
import portcullis.lang.value.Json;
import portcullis.lang.value.ParseBudget;
import portcullis.lang.value.ParseMeter;
import portcullis.lang.value.Value;
import portcullis.lang.value.ValueException;
import portcullis.policy.endpoint.EndpointResponse;

/** Parses the responses of remote services by their content type: JSON, form or YAML; anything else is a string. */
public final class Payload {
  private Payload() {}

  /**
   * Returns the value; empty if the response has no content or is null.
   *
   * @param request whose share of memory is used
   */
  public static Optional<Value> of(EndpointResponse reply, Request request) throws Failure {
    if (reply.body().length == 0) {
      return Optional.empty();
    }
    String type = reply.contentType().toLowerCase(Locale.ROOT);
    Value value = type.contains("json") ? json(reply.body(), request) : decoded(reply.body(), type, request);
    return value instanceof Value.Null ? Optional.empty() : Optional.of(value);
  }

  private static Value decoded(byte[] body, String type, Request request) throws Failure {
    Optional<BodyFormat> format = YamlFormat.orOther(type);
    if (format.isEmpty()) {
      return Value.of(Grammar.text(body));
    }
    try {
      return format.get().read(body, ParseBudget.ofRead(body.length), request.body().memory())
          .orElseThrow(() -> new Failure.Internal(
              "failed to unmarshal response: it is not " + (format.get() instanceof YamlFormat ? "YAML" : "a form")));
    } catch (BudgetExceededException e) {
      throw over(e);
    }
  }

  /**
   * Parses JSON.
   *
   * @param request whose share of memory is used
   */
  public static Value json(byte[] body, Request request) throws Failure {
    try {
      return Json.read(body, ParseMeter.compact(ParseBudget.ofRead(body.length), request.body().memory()));
    } catch (BudgetExceededException e) {
      throw over(e);
    } catch (ValueException e) {
      throw new Failure.Internal("failed to unmarshal response", e.getMessage());
    }
  }

  /**
   * Returns the failure for a document that exceeds its budget, or that cannot be parsed as memory is exhausted for
   * now.
   */
  private static Failure over(BudgetExceededException e) {
    return unreadable("failed to unmarshal response", e);
  }

  /**
   * Returns the failure for invalid JSON of a remote service, or for JSON that cannot be parsed as memory is exhausted
   * for now.
   */
  public static Failure unreadable(String message, ValueException e) {
    return e instanceof BudgetExceededException b && b.exhausted() ? new Failure.Exhausted(b.getMessage())
        : new Failure.Internal(message, e.getMessage());
  }

  /** Returns the UTF-8 bytes of a rendered string. */
  public static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
