package portcullis.mechanism;

import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Optional;
import portcullis.endpoint.Reply;
import portcullis.message.Body;
import portcullis.value.Json;
import portcullis.value.Value;
import portcullis.value.ValueFault;

/** What the answer of a remote party says, by its content type: JSON, a form or YAML, else text. */
public final class Payload {
  private Payload() {}

  /** Empty where the answer has no content or says null. */
  public static Optional<Value> of(Reply reply) throws Failure {
    if (reply.body().length == 0) {
      return Optional.empty();
    }
    String type = reply.contentType().toLowerCase(Locale.ROOT);
    Value value = type.contains("json") ? json(reply.body()) : decoded(reply.body(), type);
    return value instanceof Value.Null ? Optional.empty() : Optional.of(value);
  }

  private static Value decoded(byte[] body, String type) throws Failure {
    Value value = Body.of(body, type).value();
    boolean structured = type.contains("yaml") || type.contains("x-www-form-urlencoded");
    if (structured && value instanceof Value.Text) {
      throw new Failure.Internal("failed to unmarshal response: it is no " + (type.contains("yaml") ? "YAML" : "form"));
    }
    return value;
  }

  /** The JSON that must be there. */
  public static Value json(byte[] body) throws Failure {
    try {
      return Json.read(body);
    } catch (ValueFault e) {
      throw new Failure.Internal("failed to unmarshal response", e.getMessage());
    }
  }

  /** The bytes of a rendered text. */
  public static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
