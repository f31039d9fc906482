package portcullis.http.wire;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.util.Optional;
import portcullis.http.message.Fields;

/**
 * The head of a request (RFC 9112, 3): lines that fit the grammar, not interpreted yet.
 *
 * @param target byte for byte, a character a byte
 * @param minor of the version: 1 for HTTP/1.1, 0 for HTTP/1.0
 */
public record RequestHead(String method, String target, int minor, Fields fields) {
  private static final byte[] VERSION = "HTTP/1.".getBytes(ISO_8859_1);

  /**
   * Reads one; empty where the connection ends before its first byte. One empty line before it is passed over (RFC
   * 9112, 2.2).
   */
  public static Optional<RequestHead> read(WireInput in, HeadLimits limits) throws IOException {
    in.shrink();
    int first = in.read();
    if (first == '\r' && in.read() == '\n') {
      first = in.read();
    }
    if (first < 0) {
      return Optional.empty();
    }
    if (!Octets.isToken(first)) {
      throw new MalformedMessageException(400, "a request that begins with no method");
    }
    in.advanceTo(in.position() - 1);
    return Optional.of(parse(Section.await(in, limits, 414)));
  }

  /** {@code request-line = method SP request-target SP HTTP-version}, {@code method = token} (RFC 9112, 3). */
  private static RequestHead parse(Section section) throws MalformedMessageException {
    byte[] bytes = section.bytes();
    int from = section.at();
    int method = from;
    while (Octets.isToken(bytes[method])) {
      method++;
    }
    int target = method + 1;
    while (bytes[method] == ' ' && Octets.isTarget(bytes[target])) {
      target++;
    }
    if (target == method + 1 || bytes[target] != ' ') {
      throw new MalformedMessageException(400, "a request line other than method, target and version");
    }
    int minor = minor(bytes, target + 1);
    section.lineEnd(target + 1 + VERSION.length + 1);
    String name = StringInterner.text(bytes, from, method);
    return new RequestHead(name, new String(bytes, method + 1, target - method - 1, ISO_8859_1), minor,
        section.fields());
  }

  /** {@code HTTP-version = "HTTP/" DIGIT "." DIGIT}; a minor version above 1 is taken as 1 (RFC 9110, 2.5). */
  static int minor(byte[] bytes, int from) throws MalformedMessageException {
    for (int i = 0; i < VERSION.length; i++) {
      if (bytes[from + i] != VERSION[i]) {
        throw i == 5 && Octets.isDigit(bytes[from + i]) && bytes[from + 6] == '.' && Octets.isDigit(bytes[from + 7])
            ? new MalformedMessageException(505, "a version of HTTP other than 1")
            : new MalformedMessageException(400, "no version of HTTP");
      }
    }
    int minor = bytes[from + VERSION.length] - '0';
    if (minor < 0 || minor > 9) {
      throw new MalformedMessageException(400, "no version of HTTP");
    }
    return Math.min(minor, 1);
  }
}
