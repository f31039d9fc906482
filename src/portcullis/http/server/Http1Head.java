package portcullis.http.server;

import java.util.List;
import portcullis.http.message.ConnectionFields;
import portcullis.http.message.Field;
import portcullis.http.message.Fields;
import portcullis.http.wire.Framing;
import portcullis.http.wire.RequestHead;
import portcullis.http.wire.WireOutput;
import portcullis.lang.value.Digits;

/**
 * Writes heads of answers in HTTP/1 (RFC 9112, 4): the given lines, but framing and connection fields as they really
 * are.
 *
 * @param date where the lines have none
 */
record Http1Head(DateHeader date) {
  /**
   * Writes the head of a final answer.
   *
   * @param request that it answers
   * @param length as in {@link Carrier#respond}
   * @param keep whether the connection may go on; it does not where only its end can end the body
   * @return how the body has to be framed; none where the answer has no body whatever its length (RFC 9110, 6.4.1)
   */
  Framing write(WireOutput out, RequestHead request, int status, Fields fields, long length, boolean keep) {
    boolean bare = request.method().equals("HEAD") || status == 204 || status == 304;
    out.line(StatusLine.of(status));
    boolean dated = false;
    boolean upgrade = false;
    List<Field> lines = fields.lines();
    for (int i = 0; i < lines.size(); i++) {
      Field line = lines.get(i);
      if (!ConnectionFields.isWrittenByConnection(line.name())) {
        out.field(line.name(), line.value());
        dated |= line.is("Date");
        upgrade |= line.is("Upgrade");
      }
    }
    if (!dated) {
      out.line(date.line());
    }
    Framing framing = framing(request, length);
    length(out, status, fields, length, bare);
    if (framing.equals(Framing.CHUNKED) && !bare) {
      out.write("Transfer-Encoding: chunked\r\n");
    }
    connection(out, request, keep && (bare || !framing.equals(Framing.UNTIL_CLOSE)), upgrade);
    out.write("\r\n");
    return bare ? Framing.NONE : framing;
  }

  private static Framing framing(RequestHead request, long length) {
    if (length < 0) {
      return request.minor() == 1 ? Framing.CHUNKED : Framing.UNTIL_CLOSE;
    }
    return length == 0 ? Framing.NONE : new Framing.Length(length);
  }

  /** {@code Content-Length} (RFC 9110, 8.6): none in 204, in HEAD and 304 what the body of a GET would have. */
  private static void length(WireOutput out, int status, Fields fields, long length, boolean bare) {
    if (bare && length <= 0 && status != 204) {
      fields.first("Content-Length").filter(Http1Head::isNumber)
          .ifPresent(value -> out.field("Content-Length", value));
    } else if (length >= 0 && status != 204) {
      out.write("Content-Length: ");
      out.number(length);
      out.write("\r\n");
    }
  }

  private static boolean isNumber(String text) {
    return Digits.are(text, 18);
  }

  private static void connection(WireOutput out, RequestHead request, boolean keep, boolean upgrade) {
    if (upgrade) {
      out.write(keep ? "Connection: upgrade\r\n" : "Connection: upgrade, close\r\n");
    } else if (!keep) {
      out.write("Connection: close\r\n");
    } else if (request.minor() == 0) {
      out.write("Connection: keep-alive\r\n");
    }
  }

  /** Writes the head of an interim answer (RFC 9110, 15.2), of 101 too. */
  static void interim(WireOutput out, int status, Fields fields) {
    out.line(StatusLine.of(status));
    for (Field line : fields.lines()) {
      if (!ConnectionFields.isWrittenByConnection(line.name())) {
        out.field(line.name(), line.value());
      }
    }
    out.write(status == 101 ? "Connection: upgrade\r\n\r\n" : "\r\n");
  }

  /** Returns whether an answer's own lines ask for the connection's end. */
  static boolean closes(Fields fields) {
    for (Field line : fields.lines()) {
      if (line.is("Connection")) {
        for (String option : line.value().split(",")) {
          if (option.strip().equalsIgnoreCase("close")) {
            return true;
          }
        }
      }
    }
    return false;
  }
}
