package portcullis.http.client;

import portcullis.http.message.ConnectionFields;
import portcullis.http.message.Field;
import portcullis.http.message.WireRequest;
import portcullis.http.wire.WireOutput;

/**
 * Writes the head of a request (RFC 9112, 3): its lines unchanged, with framing and connection fields of the client.
 */
final class RequestText {
  private boolean host;
  private boolean upgrade;
  private boolean te;

  private RequestText() {}

  /**
   * Writes the head to the buffer without sending it.
   *
   * @throws IllegalArgumentException if the request could be read as another one
   */
  static void write(WireRequest.Parts parts, Route route, WireOutput out) {
    out.requestLine(parts.method(),
        route.targetPrefix().isEmpty() ? parts.target() : route.targetPrefix() + parts.target());
    RequestText text = new RequestText();
    for (Field line : parts.fields().lines()) {
      if (text.passes(line.name())) {
        out.field(line.name(), line.value());
      }
    }
    text.ownFields(parts, route, out);
    out.write("\r\n");
  }

  private boolean passes(String name) {
    switch (name.length()) {
      case 2 -> te |= name.equalsIgnoreCase("TE");
      case 4 -> host |= name.equalsIgnoreCase("Host");
      case 7 -> upgrade |= name.equalsIgnoreCase("Upgrade");
      default -> {
        return !ConnectionFields.isWrittenByConnection(name);
      }
    }
    return true;
  }

  private void ownFields(WireRequest.Parts parts, Route route, WireOutput out) {
    if (!host) {
      out.field("Host", route.origin().hostField());
    }
    if (parts.length() > 0 || parts.length() == 0 && isContentUsual(parts.method())) {
      out.write("Content-Length: ");
      out.number(parts.length());
      out.write("\r\n");
    } else if (parts.length() < 0) {
      out.write("Transfer-Encoding: chunked\r\n");
    }
    if (upgrade || te) {
      out.field("Connection", upgrade && te ? "Upgrade, TE" : upgrade ? "Upgrade" : "TE");
    }
  }

  /** Methods whose requests say that they have no content (RFC 9110, 8.6). */
  private static boolean isContentUsual(String method) {
    return method.equals("POST") || method.equals("PUT") || method.equals("PATCH");
  }
}
