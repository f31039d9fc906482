package portcullis.http.wire;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import portcullis.http.message.Field;
import portcullis.http.message.Fields;

/**
 * Lines up to an empty one, as they lie in the buffer: a start line and fields, or the fields of a trailer section.
 * First all of it is awaited, then it is read line by line.
 */
final class Section {
  private final WireInput in;
  private final HeadLimits limits;
  private final int end;
  private int at;

  private Section(WireInput in, HeadLimits limits, int end) {
    this.in = in;
    this.limits = limits;
    this.end = end;
    this.at = in.position();
  }

  /**
   * Waits for the empty line. Every line ends in CRLF; neither stands alone (RFC 9112, 2.2).
   *
   * @param tooLong status for a first line that does not end within the limit
   */
  static Section await(WireInput in, HeadLimits limits, int tooLong) throws IOException {
    int line = 0;
    int seen = 0;
    int refusal = tooLong;
    while (true) {
      byte[] bytes = in.buffer();
      int from = in.position();
      int last = in.limit() - 1;
      for (int i = from + seen; i < last; i++) {
        byte b = bytes[i];
        if (b == '\n') {
          throw new MalformedMessageException(400, "a line feed without carriage return");
        }
        if (b == '\r') {
          if (bytes[i + 1] != '\n') {
            throw new MalformedMessageException(400, "a carriage return without line feed");
          }
          check(i + 2 - from, limits, refusal);
          if (i == from + line) {
            return new Section(in, limits, i + 2);
          }
          i++;
          line = i + 1 - from;
          refusal = 431;
        }
        seen = i + 1 - from;
      }
      check(in.limit() - from, limits, refusal);
      if (!in.fill(limits.maxBytes())) {
        throw new MalformedMessageException(400, "the connection ended inside a head");
      }
    }
  }

  private static void check(int length, HeadLimits limits, int refusal) throws MalformedMessageException {
    if (length > limits.maxBytes()) {
      throw new MalformedMessageException(refusal, "the head is longer than allowed");
    }
  }

  byte[] bytes() {
    return in.buffer();
  }

  int at() {
    return at;
  }

  /** Goes on behind what was read of the first line, which must be its whole. */
  void lineEnd(int place) throws MalformedMessageException {
    if (in.buffer()[place] != '\r') {
      throw new MalformedMessageException(400, "something behind the first line's end");
    }
    at = place + 2;
  }

  /** Reads the fields of a head. Lines that equal those of the previous head byte for byte are shared with it. */
  Fields fields() throws MalformedMessageException {
    Fields before = in.recent();
    int same = 0;
    while (same < before.size() && isNext(before.lines().get(same))) {
      same++;
    }
    boolean all = same == before.size() && at == end - 2 && same <= limits.maxFields();
    Fields out = all ? before : fields(before, same);
    in.advanceTo(end);
    in.recent(out);
    return out;
  }

  /** Reads the fields of a trailer section. */
  Fields trailers() throws MalformedMessageException {
    Fields out = fields(Fields.NONE, 0);
    in.advanceTo(end);
    return out;
  }

  /** {@code *( field-line CRLF ) CRLF} (RFC 9112, 2.1), of which that many lines have been found to be those before. */
  private Fields fields(Fields before, int same) throws MalformedMessageException {
    List<Field> lines = new ArrayList<>(Math.max(8, before.size() + 2));
    lines.addAll(before.lines().subList(0, same));
    while (at < end - 2) {
      int next = lines.size();
      if (next >= limits.maxFields()) {
        throw new MalformedMessageException(431, "more header lines than allowed");
      }
      boolean known = next < before.size() && isNext(before.lines().get(next));
      lines.add(known ? before.lines().get(next) : fieldLine());
    }
    return Fields.of(lines);
  }

  /** Returns whether that line comes next, written in the plainest way; goes on behind it if so. */
  private boolean isNext(Field line) {
    int colon = at + line.name().length();
    int stop = colon + 2 + line.value().length();
    byte[] bytes = in.buffer();
    boolean fits = stop < end && bytes[colon] == ':' && bytes[colon + 1] == ' ' && bytes[stop] == '\r';
    if (!fits || !isText(line.value(), bytes, colon + 2) || !isText(line.name(), bytes, at)) {
      return false;
    }
    at = stop + 2;
    return true;
  }

  private static boolean isText(String text, byte[] bytes, int from) {
    for (int i = 0; i < text.length(); i++) {
      if (text.charAt(i) != (bytes[from + i] & 0xff)) {
        return false;
      }
    }
    return true;
  }

  /** {@code field-line = field-name ":" OWS field-value OWS}, {@code field-name = token} (RFC 9112, 5). */
  private Field fieldLine() throws MalformedMessageException {
    byte[] bytes = in.buffer();
    int i = at;
    while (Octets.isToken(bytes[i])) {
      i++;
    }
    if (i == at || bytes[i] != ':') {
      throw new MalformedMessageException(400, "invalid header name, or no colon behind it");
    }
    String name = StringInterner.text(bytes, at, i);
    return new Field(name, value(bytes, i + 1));
  }

  /** {@code field-value = *( VCHAR / obs-text / SP / HTAB )}, blanks around it no part of it (RFC 9110, 5.5). */
  private String value(byte[] bytes, int begin) throws MalformedMessageException {
    int from = begin;
    while (isBlank(bytes[from])) {
      from++;
    }
    int i = from;
    while (Octets.isValue(bytes[i])) {
      i++;
    }
    if (bytes[i] != '\r') {
      throw new MalformedMessageException(400, "a control character in a header value");
    }
    at = i + 2;
    int to = i;
    while (to > from && isBlank(bytes[to - 1])) {
      to--;
    }
    return to == from ? "" : new String(bytes, from, to - from, ISO_8859_1);
  }

  private static boolean isBlank(byte b) {
    return b == ' ' || b == '\t';
  }
}
