package portcullis.http.wire;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.util.Optional;
import portcullis.http.message.Fields;

/**
 * The head of an answer, interim or final (RFC 9112, 4): lines that fit the grammar, not interpreted
 * yet.
 *
 * @param minor of the version: 1 for HTTP/1.1, 0 for HTTP/1.0
 */
public record ResponseHead(int status, String reason, int minor, Fields fields) {
  /** Reads one; empty where the connection ends before its first byte. */
  public static Optional<ResponseHead> read(WireInput in, HeadLimits limits) throws IOException {
    in.shrink();
    int first = in.read();
    if (first < 0) {
      return Optional.empty();
    }
    if (first != 'H') {
      throw new MalformedMessageException(502, "an answer that is not HTTP");
    }
    in.advanceTo(in.position() - 1);
    return Optional.of(parse(Section.await(in, limits, 502)));
  }

  /**
   * {@code status-line = HTTP-version SP status-code SP [ reason-phrase ]}, {@code status-code = 3DIGIT} (RFC 9112, 4).
   * The blank may lack where there is no reason, as many servers leave it out.
   */
  private static ResponseHead parse(Section section) throws MalformedMessageException {
    byte[] bytes = section.bytes();
    int from = section.at();
    int minor = RequestHead.minor(bytes, from);
    int code = from + 9;
    boolean digits = bytes[code - 1] == ' ' && Octets.isDigit(bytes[code]) && Octets.isDigit(bytes[code + 1])
        && Octets.isDigit(bytes[code + 2]);
    if (!digits || bytes[code] == '0' || bytes[code + 3] != ' ' && bytes[code + 3] != '\r') {
      throw new MalformedMessageException(502, "an answer without a status of three digits");
    }
    int status = (bytes[code] - '0') * 100 + (bytes[code + 1] - '0') * 10 + bytes[code + 2] - '0';
    int end = code + 3;
    while (Octets.isValue(bytes[end])) {
      end++;
    }
    section.lineEnd(end);
    String reason = new String(bytes, Math.min(code + 4, end), Math.max(end - code - 4, 0), ISO_8859_1);
    return new ResponseHead(status, reason, minor, section.fields());
  }
}
