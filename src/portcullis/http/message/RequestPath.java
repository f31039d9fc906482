package portcullis.http.message;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * The path of a request, made clear once before anything sees it: absolute, no empty segments, no dot segments, none of
 * them hidden behind escapes. Rules are matched against one form for all spellings that mean the same (RFC 3986, 3.3
 * and 6.2.2): an escape of what may stand in a segment equals its character, but for the semicolon. The upstream gets
 * the very same segments as the client spelled them. Immutable.
 */
public final class RequestPath {
  public static final RequestPath ROOT = new RequestPath("/", "/", 0);
  private static final String DOTS = "path contains dot segments, which are not allowed";
  private static final String BACKSLASH = "path contains a backslash, which is not allowed";

  private final String spelling;
  private final String canonical;
  private final int otherReadings;
  private final boolean plain;

  private RequestPath(String spelling, String canonical, int otherReadings) {
    this(spelling, canonical, otherReadings, false);
  }

  private RequestPath(String spelling, String canonical, int otherReadings, boolean plain) {
    this.spelling = spelling;
    this.canonical = canonical;
    this.otherReadings = otherReadings;
    this.plain = plain;
  }

  /**
   * Merges slashes and resolves plain dot segments, as far as the root (RFC 3986, 5.2.4); a path that ended in a slash
   * still does.
   *
   * @param raw what stands before the question mark, byte for byte
   * @throws ResponseStatusException where it does not begin with a slash, has a broken escape, a control character, a
   *     plain backslash, NUL or a fragment, or dot segments in any other spelling
   */
  public static RequestPath read(String raw) throws ResponseStatusException {
    return read(raw, true);
  }

  /** Reads a path like {@link #read}, but refuses plain dot segments too: another proxy forwards the path as it is. */
  public static RequestPath readUnresolved(String raw) throws ResponseStatusException {
    return read(raw, false);
  }

  private static RequestPath read(String raw, boolean resolve) throws ResponseStatusException {
    if (!raw.startsWith("/")) {
      throw ResponseStatusException.badRequest("path does not begin with a slash");
    }
    int plain = plain(raw);
    if (plain >= 0) {
      return new RequestPath(raw, raw, plain, true);
    }
    List<String> segments = List.of(raw.substring(1).split("/", -1));
    for (String segment : segments) {
      if (isDotted(segment) && !(resolve && isDots(segment))) {
        throw ResponseStatusException.badRequest(DOTS);
      }
      check(segment);
    }
    String spelling = resolved(segments);
    String canonical = canonical(spelling);
    return new RequestPath(spelling, canonical, PathReadings.applicable(canonical));
  }

  /**
   * Returns the bits of its other readings where there is nothing to do, as with most paths; negative where there is.
   */
  private static int plain(String raw) {
    int bits = raw.length() > 1 ? Reading.TRAILING_SLASH.bit() : 0;
    char before = ' ';
    for (int i = 0; i < raw.length(); i++) {
      char c = raw.charAt(i);
      if (!(c == '/' || Escapes.isPathCharacter(c)) || before == '/' && (c == '/' || c == '.')) {
        return -1;
      }
      if (c <= 'Z') {
        bits |= bits(c, before);
      }
      before = c;
    }
    return before == '.' ? bits | Reading.TRAILING_DOT.bit() : bits;
  }

  private static int bits(char c, char before) {
    if (c >= 'A') {
      return Reading.CASE.bit();
    }
    int dot = before == '.' && (c == '/' || c == ';') ? Reading.TRAILING_DOT.bit() : 0;
    return c == ';' ? dot | Reading.PARAMETERS.bit() : dot;
  }

  private static boolean isDots(String part) {
    return part.equals(".") || part.equals("..");
  }

  /**
   * Returns whether some server takes it for a dot segment: decoded, split at backslashes and encoded slashes too, and
   * without the parameters that some servers remove.
   */
  private static boolean isDotted(String segment) {
    if (segment.indexOf('.') < 0 && segment.indexOf('%') < 0) {
      return false;
    }
    String text = Escapes.bytes(segment).replace('\\', '/');
    int from = 0;
    for (int end = text.indexOf('/'); end >= 0; end = text.indexOf('/', from)) {
      if (isDotPart(text.substring(from, end))) {
        return true;
      }
      from = end + 1;
    }
    return isDotPart(text.substring(from));
  }

  private static boolean isDotPart(String part) {
    int end = part.indexOf(';');
    return isDots(end < 0 ? part : part.substring(0, end));
  }

  private static void check(String segment) throws ResponseStatusException {
    for (int i = 0; i < segment.length(); i++) {
      char c = segment.charAt(i);
      if (c == '%' && !Escapes.isEscape(segment, i)) {
        throw ResponseStatusException.badRequest("path contains a broken escape");
      }
      check(c == '%' ? Escapes.octet(segment, i) : c, c == '%');
    }
  }

  private static void check(int octet, boolean escaped) throws ResponseStatusException {
    if (octet == '\\' && !escaped) {
      throw ResponseStatusException.badRequest(BACKSLASH);
    }
    if (octet == 0 || !escaped && (octet <= ' ' || octet >= 0x7f)) {
      throw ResponseStatusException
          .badRequest("path contains a blank, a control or an 8-bit character, which is not allowed");
    }
    if (!escaped && (octet == '#' || octet == '?')) {
      throw ResponseStatusException.badRequest("path contains a fragment or query, which is not allowed");
    }
  }

  private static String resolved(List<String> segments) {
    List<String> kept = new ArrayList<>(segments.size());
    for (String segment : segments) {
      if (segment.equals("..")) {
        if (!kept.isEmpty()) {
          kept.removeLast();
        }
      } else if (!segment.isEmpty() && !segment.equals(".")) {
        kept.add(segment);
      }
    }
    String end = segments.getLast().isEmpty() && !kept.isEmpty() ? "/" : "";
    return "/" + String.join("/", kept) + end;
  }

  /**
   * Returns the one spelling of a path, or of a part of one, by which paths are compared; a percent sign that begins no
   * escape is escaped.
   */
  public static String normalized(String text) {
    return canonical(Grammar.wire(text));
  }

  private static String canonical(String spelling) {
    StringBuilder out = new StringBuilder(spelling.length());
    for (int i = 0; i < spelling.length(); i += width(spelling, i)) {
      unit(spelling, i, out);
    }
    return spelling.contentEquals(out) ? spelling : out.toString();
  }

  private static int width(String spelling, int at) {
    return Escapes.isEscape(spelling, at) ? 3 : 1;
  }

  /** Appends a character or escape in canonical form. */
  private static void unit(String spelling, int at, StringBuilder out) {
    char c = spelling.charAt(at);
    boolean escaped = Escapes.isEscape(spelling, at);
    int octet = escaped ? Escapes.octet(spelling, at) : c;
    if (escaped ? Escapes.isSameEscaped(octet) : c == '/' || Escapes.isPathCharacter(c)) {
      out.append((char) octet);
    } else {
      Escapes.escape(octet, out);
    }
  }

  /**
   * Returns the path that rules, templates and expressions see: escapes of characters that may stand in a segment are
   * decoded, all others are in upper case, and characters that may not stand in a path are escaped.
   */
  public String canonical() {
    return canonical;
  }

  /** Returns the path for the upstream: the same segments, with the escapes as the client wrote them. */
  public String spelling() {
    return spelling;
  }

  /** Returns whether the spelling has no escapes, but slashes and what may stand in a segment (RFC 3986, 3.3) only. */
  public boolean isPlain() {
    return plain;
  }

  /** Returns the decoded path. An encoded slash becomes a slash; {@link #canonical} distinguishes the two. */
  public String text() {
    return Escapes.text(canonical, "");
  }

  public boolean hasEncodedSlash() {
    return (otherReadings & Reading.SLASHES.bit()) != 0;
  }

  /** @throws ResponseStatusException where an escape stands for a backslash, which only rules that say so let pass */
  public void refuseBackslashes() throws ResponseStatusException {
    if ((otherReadings & Reading.BACKSLASHES.bit()) != 0) {
      throw ResponseStatusException.badRequest(BACKSLASH);
    }
  }

  /**
   * The bits of the readings under which this may be another path; {@link Reading#CASE} is among them where the path
   * itself has a capital or a letter beyond ASCII.
   */
  public int otherReadings() {
    return otherReadings;
  }

  /**
   * Returns the path as an upstream with all these readings sees it; letter case is left to the comparison.
   *
   * @param from where the reading begins; what comes before is unchanged
   */
  public String read(Set<Reading> readings, int from) {
    return from >= canonical.length() ? canonical : PathReadings.read(canonical, readings, from);
  }

  /** Returns the path with encoded slashes as separators, checked again. */
  public RequestPath withSlashesDecoded() throws ResponseStatusException {
    return hasEncodedSlash() ? readUnresolved(spelling.replace("%2F", "/").replace("%2f", "/")) : this;
  }

  /**
   * Without the prefix {@code cut}, where it has that, and then with {@code put} in front. What is left is made
   * absolute; the result is checked like any other path.
   *
   * @throws ResponseStatusException where the result has dot segments
   */
  public RequestPath rewritten(String cut, String put) throws ResponseStatusException {
    String rest = spelling.substring(lengthOf(cut));
    if (rest.isEmpty() && put.isEmpty()) {
      return ROOT;
    }
    return readUnresolved(absolute(Escapes.path(put) + (rest.isEmpty() ? "" : absolute(rest))));
  }

  private static String absolute(String path) {
    return path.startsWith("/") ? path : '/' + path;
  }

  /** Returns how much of the spelling a prefix is; 0 where the path does not begin with it. */
  private int lengthOf(String prefix) {
    String wanted = canonical(Escapes.path(prefix));
    StringBuilder seen = new StringBuilder(wanted.length());
    int at = 0;
    while (at < spelling.length() && seen.length() < wanted.length()) {
      unit(spelling, at, seen);
      at += width(spelling, at);
    }
    return wanted.contentEquals(seen) ? at : 0;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof RequestPath path && path.spelling.equals(spelling);
  }

  @Override
  public int hashCode() {
    return spelling.hashCode();
  }

  @Override
  public String toString() {
    return canonical;
  }
}
