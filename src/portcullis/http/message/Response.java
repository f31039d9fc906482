package portcullis.http.message;

import java.nio.charset.StandardCharsets;
import java.util.List;

/** An answer made by this program. The body must not be modified. */
public record Response(int status, Fields fields, byte[] body) {
  private static final byte[] NOTHING = new byte[0];

  /** Returns a status and nothing else. */
  public static Response of(int status) {
    return of(status, Fields.NONE);
  }

  /** Returns a response without a body. */
  public static Response of(int status, Fields fields) {
    return new Response(status, fields, NOTHING);
  }

  /** Returns a response with a string as its body, and its type. */
  public static Response of(int status, String contentType, String text) {
    return new Response(status, Fields.of("Content-Type", contentType), text.getBytes(StandardCharsets.UTF_8));
  }

  public Response with(String name, String value) {
    return new Response(status, fields.with(name, value), body);
  }

  /** Returns the response with these lines after its own. */
  public Response with(List<Field> more) {
    Response out = this;
    for (Field field : more) {
      out = out.with(field.name(), field.value());
    }
    return out;
  }
}
