package portcullis.http.wire;

import java.util.Locale;
import java.util.Optional;
import portcullis.http.message.Field;
import portcullis.http.message.Fields;

/** How the end of a message body is determined (RFC 9112, 6). */
public sealed interface Framing {
  Framing NONE = new None();
  Framing CHUNKED = new Chunked();
  Framing UNTIL_CLOSE = new UntilClose();

  /** There is no body. */
  record None() implements Framing {}

  /** The body has that many bytes. */
  record Length(long bytes) implements Framing {}

  /** The body ends with its last chunk. */
  record Chunked() implements Framing {}

  /** The body of a response ends with the connection. */
  record UntilClose() implements Framing {}

  /**
   * Returns the framing of a request by its fields. A transfer coding other than chunked is status 501, every
   * contradiction 400.
   */
  static Framing of(RequestHead head) throws MalformedMessageException {
    Optional<Framing> declared = declared(head.fields(), head.minor());
    return declared.orElse(NONE);
  }

  /**
   * Returns the framing of a final response by its fields.
   *
   * @param method of the request that it answers
   */
  static Framing of(ResponseHead head, String method) throws MalformedMessageException {
    Optional<Framing> declared = declared(head.fields(), head.minor());
    int status = head.status();
    boolean bare = method.equals("HEAD") || status < 200 || status == 204 || status == 304;
    return bare ? NONE : declared.orElse(UNTIL_CLOSE);
  }

  private static Optional<Framing> declared(Fields fields, int minor) throws MalformedMessageException {
    String length = null;
    String codings = null;
    for (Field line : fields.lines()) {
      if (line.is("Content-Length")) {
        if (length != null) {
          throw new MalformedMessageException(400, "more than one length");
        }
        length = line.value();
      } else if (line.is("Transfer-Encoding")) {
        codings = codings == null ? line.value() : codings + "," + line.value();
      }
    }
    if (codings == null) {
      return length == null ? Optional.empty() : Optional.of(length(length));
    }
    if (length != null || minor == 0) {
      throw new MalformedMessageException(400, "a transfer coding beside a length or in HTTP/1.0");
    }
    check(codings);
    return Optional.of(CHUNKED);
  }

  /** {@code Content-Length = 1*DIGIT} (RFC 9110, 8.6), below 10^18. */
  private static Framing length(String digits) throws MalformedMessageException {
    if (digits.isEmpty() || digits.length() > 18) {
      throw new MalformedMessageException(400, "invalid Content-Length");
    }
    long out = 0;
    for (int i = 0; i < digits.length(); i++) {
      int c = digits.charAt(i);
      if (!Octets.isDigit(c)) {
        throw new MalformedMessageException(400, "invalid Content-Length");
      }
      out = out * 10 + c - '0';
    }
    return out == 0 ? NONE : new Length(out);
  }

  /** {@code Transfer-Encoding = #transfer-coding} (RFC 9112, 6.1), of which only {@code chunked} alone is taken. */
  private static void check(String codings) throws MalformedMessageException {
    if (codings.equalsIgnoreCase("chunked")) {
      return;
    }
    String[] each = codings.toLowerCase(Locale.ROOT).split(",", -1);
    for (int i = 0; i < each.length; i++) {
      String coding = each[i].strip();
      boolean misplaced = coding.equals("chunked") && i < each.length - 1;
      if (misplaced || coding.isEmpty() || !coding.chars().allMatch(Octets::isToken)) {
        throw new MalformedMessageException(400, "transfer codings that leave the end of the body open");
      }
    }
    throw new MalformedMessageException(501, "a transfer coding other than chunked");
  }
}
