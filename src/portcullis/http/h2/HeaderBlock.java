package portcullis.http.h2;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import portcullis.http.message.ConnectionFields;
import portcullis.http.message.Field;
import portcullis.http.message.Fields;
import portcullis.http.message.Grammar;
import portcullis.http.wire.RequestHead;
import portcullis.http.wire.ResponseHead;

/**
 * Validates the header block of a stream and turns it into what the same message has in HTTP/1.1 (RFC 9113, 8.2 and
 * 8.3). A malformed block is a stream error (RFC 9113, 8.1.1).
 */
public final class HeaderBlock {
  private static final Set<String> PSEUDO = Set.of(":method", ":scheme", ":authority", ":path");

  private final int stream;
  private final Map<String, String> pseudo = new HashMap<>(8);
  private final List<Field> lines = new ArrayList<>();
  private final StringBuilder cookie = new StringBuilder();

  private HeaderBlock(int stream) {
    this.stream = stream;
  }

  /** Returns whether a field has no meaning on a stream (RFC 9113, 8.2.2). */
  public static boolean isConnectionSpecific(String lowerCaseName) {
    return ConnectionFields.isConnectionSpecific(lowerCaseName);
  }

  /** Returns the head of a request; its first line is {@code :authority}, as {@code Host}. */
  public static RequestHead request(int stream, Fields block) throws Http2Exception {
    HeaderBlock request = new HeaderBlock(stream);
    for (Field line : block.lines()) {
      request.add(line);
    }
    return request.request();
  }

  /** Returns the head of a response: {@code :status}, and behind it fields only (RFC 9113, 8.3.2). */
  public static ResponseHead response(int stream, Fields block) throws Http2Exception {
    List<Field> lines = block.lines();
    int status = lines.isEmpty() || !lines.getFirst().name().equals(":status") ? 0 : status(lines.getFirst().value());
    if (status == 0) {
      throw malformed(stream, "a response without a status of three digits");
    }
    if (status == 101) {
      throw malformed(stream, "status 101, which HTTP/2 does not have");
    }
    return new ResponseHead(status, "", 1, trailers(stream, Fields.of(lines.subList(1, lines.size()))));
  }

  private static int status(String digits) {
    int out = 0;
    for (int i = 0; i < digits.length(); i++) {
      char c = digits.charAt(i);
      if (c < '0' || c > '9' || i > 2) {
        return 0;
      }
      out = 10 * out + c - '0';
    }
    return out < 100 ? 0 : out;
  }

  /** Returns the fields of a trailer section as they are; it has no pseudo-header fields. */
  public static Fields trailers(int stream, Fields block) throws Http2Exception {
    for (Field line : block.lines()) {
      check(stream, line);
    }
    return block;
  }

  private static void require(int stream, boolean fits) throws Http2Exception {
    if (!fits) {
      throw malformed(stream, "a malformed header block");
    }
  }

  private static Http2Exception malformed(int stream, String reason) {
    return Http2Exception.stream(stream, Http2Error.PROTOCOL_ERROR, reason);
  }

  private void add(Field line) throws Http2Exception {
    String name = line.name();
    if (name.startsWith(":")) {
      require(stream, lines.isEmpty() && cookie.isEmpty() && PSEUDO.contains(name));
      require(stream, Grammar.isFieldValue(line.value()) && pseudo.put(name, line.value()) == null);
      return;
    }
    check(stream, line);
    if (name.equals("cookie")) {
      // one line for all of them, as HTTP/1.1 has it (RFC 9113, 8.2.3)
      cookie.append(cookie.isEmpty() ? "" : "; ").append(line.value());
    } else {
      lines.add(line);
    }
  }

  /** Names in lower case, no connection-specific fields, no blanks around values (RFC 9113, 8.2.1 and 8.2.2). */
  private static void check(int stream, Field line) throws Http2Exception {
    String name = line.name();
    for (int i = 0; i < name.length(); i++) {
      require(stream, name.charAt(i) < 'A' || name.charAt(i) > 'Z');
    }
    require(stream, Grammar.isToken(name) && Grammar.isFieldValue(line.value()));
    require(stream, !isConnectionSpecific(name) && (!name.equals("te") || line.value().equals("trailers")));
  }

  private RequestHead request() throws Http2Exception {
    String method = pseudo.getOrDefault(":method", "");
    boolean connect = method.equals("CONNECT");
    String path = pseudo.getOrDefault(":path", "");
    require(stream, Grammar.isToken(method) && (connect || pseudo.containsKey(":scheme") && !path.isEmpty()));
    require(stream, isTarget(path));
    return new RequestHead(method, connect ? "/" : path, 1, fields());
  }

  /** Returns whether no octet of a {@code :path} would be read as something else. */
  public static boolean isTarget(String path) {
    for (int i = 0; i < path.length(); i++) {
      char c = path.charAt(i);
      if (c <= ' ' || c >= 0x7f || c == '#') {
        return false;
      }
    }
    return true;
  }

  private Fields fields() throws Http2Exception {
    String authority = pseudo.getOrDefault(":authority", "");
    if (!authority.isEmpty()) {
      for (Field line : lines) {
        require(stream, !line.is("host") || line.value().equalsIgnoreCase(authority));
      }
      lines.removeIf(line -> line.is("host"));
      lines.addFirst(new Field("host", authority));
    }
    if (!cookie.isEmpty()) {
      lines.add(new Field("cookie", cookie.toString()));
    }
    return Fields.of(lines);
  }
}
