package portcullis.http.client;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import portcullis.http.h2.Http2Error;
import portcullis.http.h2.Http2Exception;
import portcullis.http.message.Field;
import portcullis.http.message.Fields;
import portcullis.http.message.Grammar;
import portcullis.http.message.WireRequest;
import portcullis.http.wire.ResponseHead;

/** Heads of HTTP/2: pseudo-header fields and lines (RFC 9113, 8.2 and 8.3). */
final class Http2Head {
  // those of a connection mean nothing on a stream (RFC 9113, 8.2.2)
  private static final Set<String> OF_CONNECTION = Set.of("connection", "keep-alive", "proxy-connection",
      "transfer-encoding", "upgrade");

  private Http2Head() {}

  /**
   * {@code :method :scheme :authority :path} (RFC 9113, 8.3.1).
   *
   * @throws IllegalArgumentException where one of them would be read as something else
   */
  static Fields pseudo(WireRequest.Parts parts, Origin origin) {
    String authority = parts.fields().first("Host").orElse(origin.hostField());
    boolean target = !parts.target().isEmpty() && parts.target().chars().allMatch(c -> c > ' ' && c < 0x7f && c != '#');
    if (!Grammar.isToken(parts.method()) || !target || !Grammar.isFieldValue(authority)) {
      throw new IllegalArgumentException("method, target or host do not fit a request");
    }
    return Fields.of(":method", parts.method(), ":scheme", origin.secure() ? "https" : "http",
        ":authority", authority, ":path", parts.target());
  }

  /** The lines that go on a stream; the length is told where it is known. */
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
      case 7, 10, 14, 16, 17 -> !isOfConnection(line.name()) && !line.is("Content-Length");
      default -> true;
    };
  }

  private static boolean isOfConnection(String name) {
    return OF_CONNECTION.contains(name.toLowerCase(Locale.ROOT));
  }

  /** {@code :status} and behind it lines only (RFC 9113, 8.3.2). */
  static ResponseHead response(int stream, Fields block) throws Http2Exception {
    List<Field> lines = block.lines();
    if (lines.isEmpty() || !lines.getFirst().name().equals(":status")
        || !lines.getFirst().value().matches("[1-9][0-9]{2}")) {
      throw fault(stream, "an answer without a status of three digits");
    }
    int status = Integer.parseInt(lines.getFirst().value());
    if (status == 101) {
      throw fault(stream, "a switch of protocols, which HTTP/2 has not");
    }
    return new ResponseHead(status, "", 1, checked(stream, Fields.of(lines.subList(1, lines.size()))));
  }

  /** As they are, where every line is one that a stream may carry (RFC 9113, 8.2.1 and 8.2.2). */
  static Fields checked(int stream, Fields lines) throws Http2Exception {
    for (Field line : lines.lines()) {
      if (!isName(line.name()) || !Grammar.isFieldValue(line.value())) {
        throw fault(stream, "a header name or value that none may have");
      }
      if (OF_CONNECTION.contains(line.name())) {
        throw fault(stream, "a header of a connection on a stream");
      }
    }
    return lines;
  }

  private static boolean isName(String name) {
    for (int i = 0; i < name.length(); i++) {
      if (name.charAt(i) >= 'A' && name.charAt(i) <= 'Z') {
        return false;
      }
    }
    return Grammar.isToken(name);
  }

  private static Http2Exception fault(int stream, String reason) {
    return Http2Exception.stream(stream, Http2Error.PROTOCOL_ERROR, reason);
  }
}
