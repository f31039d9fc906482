package portcullis.http.client;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import portcullis.http.h2.HeaderBlock;
import portcullis.http.message.Field;
import portcullis.http.message.Fields;
import portcullis.http.message.Grammar;
import portcullis.http.message.WireRequest;

/** Makes the header block of a request (RFC 9113, 8.2 and 8.3). */
final class Http2Head {
  private Http2Head() {}

  /**
   * {@code :method :scheme :authority :path} (RFC 9113, 8.3.1).
   *
   * @throws IllegalArgumentException where one of them would be read as something else
   */
  static Fields pseudo(WireRequest.Parts parts, Origin origin) {
    String authority = parts.fields().first("Host").orElse(origin.hostField());
    boolean target = !parts.target().isEmpty() && HeaderBlock.isTarget(parts.target());
    if (!Grammar.isToken(parts.method()) || !target || !Grammar.isFieldValue(authority)) {
      throw new IllegalArgumentException("method, target or host do not fit a request");
    }
    return Fields.of(":method", parts.method(), ":scheme", origin.secure() ? "https" : "http",
        ":authority", authority, ":path", parts.target());
  }

  /** Returns the fields that go on a stream, with the length where it is known. */
  static Fields lines(WireRequest.Parts parts) {
    List<Field> out = new ArrayList<>(parts.fields().size() + 1);
    for (Field line : parts.fields().lines()) {
      if (passes(line)) {
        out.add(line);
      }
    }
    if (parts.length() > 0) {
      out.add(new Field("content-length", Long.toString(parts.length())));
    }
    return Fields.of(out);
  }

  private static boolean passes(Field line) {
    return switch (line.name().length()) {
      case 2 -> !line.is("TE") || line.value().equalsIgnoreCase("trailers");
      case 4 -> !line.is("Host");
      case 7, 10, 14, 16, 17 ->
        !HeaderBlock.isConnectionSpecific(line.name().toLowerCase(Locale.ROOT)) && !line.is("Content-Length");
      default -> true;
    };
  }

}
