package portcullis.http.message;

import java.nio.charset.StandardCharsets;
import java.util.List;

/** An answer made by this program. The body must not be modified. */
public record Answer(int status, Fields fields, byte[] body) {
  private static final byte[] NOTHING = new byte[0];

  /** A status and nothing else. */
  public static Answer of(int status) {
    return of(status, Fields.NONE);
  }

  /** Without a body. */
  public static Answer of(int status, Fields fields) {
    return new Answer(status, fields, NOTHING);
  }

  /** With a text as its body, and its type. */
  public static Answer of(int status, String contentType, String text) {
    return new Answer(status, Fields.of("Content-Type", contentType), text.getBytes(StandardCharsets.UTF_8));
  }

  public Answer with(String name, String value) {
    return new Answer(status, fields.with(name, value), body);
  }

  /** With these lines behind its own. */
  public Answer with(List<Field> more) {
    Answer out = this;
    for (Field field : more) {
      out = out.with(field.name(), field.value());
    }
    return out;
  }
}
