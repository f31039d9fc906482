package portcullis.http.server;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import portcullis.http.h2.Http2Error;
import portcullis.http.h2.Http2Exception;
import portcullis.http.message.Field;
import portcullis.http.message.Fields;
import portcullis.http.message.Grammar;
import portcullis.http.wire.RequestHead;

/** Makes of a header block of HTTP/2 what the head of the same request would be in HTTP/1 (RFC 9113, 8.2 and 8.3). */
final class Http2Request {
  private static final Set<String> PSEUDO = Set.of(":method", ":scheme", ":authority", ":path");
  private static final Set<String> FORBIDDEN = Set.of("connection", "proxy-connection", "keep-alive",
      "transfer-encoding", "upgrade");

  private final int stream;
  private final Map<String, String> pseudo = new HashMap<>(8);
  private final List<Field> lines = new ArrayList<>();
  private final StringBuilder cookie = new StringBuilder();

  private Http2Request(int stream) {
    this.stream = stream;
  }

  /**
   * The head; {@code :authority} is its first line, as {@code Host}.
   *
   * @throws Http2Exception of the stream, where the block is malformed (RFC 9113, 8.1.1)
   */
  static RequestHead head(int stream, Fields block) throws Http2Exception {
    Http2Request request = new Http2Request(stream);
    for (Field line : block.lines()) {
      request.add(line);
    }
    return request.head();
  }

  /** The fields of a trailer section, which has no pseudo-header fields. */
  static Fields trailers(int stream, Fields block) throws Http2Exception {
    Http2Request section = new Http2Request(stream);
    for (Field line : block.lines()) {
      section.require(!line.name().startsWith(":"));
      section.check(line);
    }
    return block;
  }

  private void require(boolean fits) throws Http2Exception {
    if (!fits) {
      throw Http2Exception.stream(stream, Http2Error.PROTOCOL_ERROR, "a malformed header block");
    }
  }

  private void add(Field line) throws Http2Exception {
    String name = line.name();
    if (name.startsWith(":")) {
      require(lines.isEmpty() && cookie.isEmpty() && PSEUDO.contains(name));
      require(Grammar.isFieldValue(line.value()) && pseudo.put(name, line.value()) == null);
      return;
    }
    check(line);
    if (name.equals("cookie")) {
      // one line for all of them, as everyone else expects (RFC 9113, 8.2.3)
      cookie.append(cookie.isEmpty() ? "" : "; ").append(line.value());
    } else {
      lines.add(line);
    }
  }

  /** Names in lower case, no connection fields, no blanks around values (RFC 9113, 8.2.1 and 8.2.2). */
  private void check(Field line) throws Http2Exception {
    String name = line.name();
    for (int i = 0; i < name.length(); i++) {
      require(name.charAt(i) < 'A' || name.charAt(i) > 'Z');
    }
    require(Grammar.isToken(name) && Grammar.isFieldValue(line.value()));
    require(!FORBIDDEN.contains(name) && (!name.equals("te") || line.value().equals("trailers")));
  }

  private RequestHead head() throws Http2Exception {
    String method = pseudo.getOrDefault(":method", "");
    boolean connect = method.equals("CONNECT");
    String path = pseudo.getOrDefault(":path", "");
    require(Grammar.isToken(method) && (connect || pseudo.containsKey(":scheme") && !path.isEmpty()));
    for (int i = 0; i < path.length(); i++) {
      require(path.charAt(i) > ' ' && path.charAt(i) < 0x7f && path.charAt(i) != '#');
    }
    return new RequestHead(method, connect ? "/" : path, 1, fields());
  }

  private Fields fields() throws Http2Exception {
    String authority = pseudo.getOrDefault(":authority", "");
    if (!authority.isEmpty()) {
      for (Field line : lines) {
        require(!line.is("host") || line.value().equalsIgnoreCase(authority));
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
