package portcullis.http.grpc;

import java.nio.charset.StandardCharsets;
import java.util.Locale;
import portcullis.http.message.Fields;

/** Thrown if a call fails, with the status for its client. An expected outcome, so without stack trace. */
public final class GrpcException extends Exception {
  private static final long serialVersionUID = 1;

  private final Code code;

  public GrpcException(Code code, String message) {
    super(message, null, false, false);
    this.code = code;
  }

  /** Creates the exception for an invalid message; servers answer INTERNAL (gRPC, status codes). */
  static GrpcException broken(String how) {
    return new GrpcException(Code.INTERNAL, "the message is broken: " + how);
  }

  public Code code() {
    return code;
  }

  /** {@code Status [ Status-Message ]}, the message with its percent signs and all but plain ASCII escaped. */
  public Fields fields() {
    return Fields.of("grpc-status", Integer.toString(code.number()), "grpc-message", escaped(getMessage()));
  }

  private static String escaped(String text) {
    StringBuilder out = new StringBuilder(text.length());
    for (byte octet : text.getBytes(StandardCharsets.UTF_8)) {
      if (octet >= ' ' && octet <= '~' && octet != '%') {
        out.append((char) octet);
      } else {
        out.append(String.format(Locale.ROOT, "%%%02X", octet & 0xff));
      }
    }
    return out.toString();
  }
}
