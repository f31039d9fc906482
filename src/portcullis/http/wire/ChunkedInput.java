package portcullis.http.wire;

import java.io.IOException;
import portcullis.http.message.Fields;

/**
 * A body in chunks (RFC 9112, 7.1): {@code chunked-body = *chunk last-chunk trailer-section CRLF}, {@code chunk =
 * chunk-size [ chunk-ext ] CRLF chunk-data CRLF}. Extensions are checked and dropped; those that outweigh the data by
 * more than a head may have are refused.
 */
final class ChunkedInput extends BodyInput {
  private final HeadLimits limits;
  private long left;
  private long overhead;
  /** Whether a line end is due, that of the chunk before. */
  private boolean lineEndDue;
  private boolean complete;
  private Fields trailers = Fields.NONE;

  ChunkedInput(WireInput in, HeadLimits limits) {
    super(in);
    this.limits = limits;
  }

  @Override
  public boolean isComplete() {
    return complete;
  }

  @Override
  public Fields trailers() {
    return trailers;
  }

  @Override
  int begin(int wanted) throws IOException {
    if (left == 0 && !complete) {
      nextChunk();
    }
    return complete ? -1 : (int) Math.min(wanted, left);
  }

  @Override
  int received(int count) throws IOException {
    left -= within(count);
    return count;
  }

  /** Without this each chunk would be passed on by itself, which costs far more than a client needs to send one. */
  @Override
  boolean follows() {
    int next = in.position() + (lineEndDue ? 2 : 0);
    int end = in.limit();
    if (left > 0 || complete || next >= end || in.buffer()[next] == '0') {
      return false; // behind the last chunk more is read, which may be missing
    }
    while (next < end && in.buffer()[next] != '\n') {
      next++;
    }
    return next + 1 < end;
  }

  @Override
  public int available() throws IOException {
    return (int) Math.min(in.available(), left);
  }

  @Override
  void settle() throws IOException {
    if (lineEndDue && left == 0 && in.buffered() >= 2) {
      lineEnd(octet());
      lineEndDue = false;
    }
  }

  private void nextChunk() throws IOException {
    if (lineEndDue) {
      lineEnd(octet());
    }
    lineEndDue = true;
    left = size();
    overhead = Math.max(0, overhead - left);
    if (left == 0) {
      trailers = Section.await(in, limits, 431).trailers();
      complete = true;
    }
  }

  /** {@code chunk-size = 1*HEXDIG}, below 2^59, and what else is on its line. */
  private long size() throws IOException {
    long size = 0;
    int digits = 0;
    int c = octet();
    for (; hex(c) >= 0; c = octet()) {
      size = size << 4 | hex(c);
      if (++digits > limits.maxBytes() || size >> 59 != 0) {
        throw new MalformedMessageException(400, "a chunk whose size is too large");
      }
    }
    if (digits == 0) {
      throw new MalformedMessageException(400, "a chunk without a size");
    }
    lineEnd(c == '\r' ? c : extensions(c));
    return size;
  }

  /** {@code chunk-ext = *( BWS ";" BWS chunk-ext-name [ BWS "=" BWS chunk-ext-val ] )} (RFC 9112, 7.1.1). */
  private int extensions(int first) throws IOException {
    int c = afterBlanks(first);
    do {
      expect(c == ';');
      c = afterToken(afterBlanks(next()));
      c = afterBlanks(c);
      if (c == '=') {
        c = afterBlanks(next());
        c = c == '"' ? afterQuoted() : afterToken(c);
        c = afterBlanks(c);
      }
    } while (c != '\r');
    return c;
  }

  private int afterBlanks(int first) throws IOException {
    int c = first;
    while (c == ' ' || c == '\t') {
      c = next();
    }
    return c;
  }

  private int afterToken(int first) throws IOException {
    expect(Octets.isToken(first));
    int c = next();
    while (Octets.isToken(c)) {
      c = next();
    }
    return c;
  }

  /** {@code quoted-string = DQUOTE *( qdtext / quoted-pair ) DQUOTE} (RFC 9110, 5.6.4). */
  private int afterQuoted() throws IOException {
    int c = next();
    while (c != '"') {
      c = c == '\\' ? next() : c;
      expect(Octets.isValue(c));
      c = next();
    }
    return next();
  }

  private int next() throws IOException {
    if (++overhead > limits.maxBytes()) {
      throw new MalformedMessageException(400, "chunk extensions longer than allowed");
    }
    return octet();
  }

  private int octet() throws IOException {
    int c = in.read();
    if (c < 0) {
      throw ended();
    }
    return c;
  }

  private void lineEnd(int first) throws IOException {
    expect(first == '\r' && octet() == '\n');
  }

  private static void expect(boolean fits) throws MalformedMessageException {
    if (!fits) {
      throw new MalformedMessageException(400, "a chunk that is not framed as its size says");
    }
  }

  private static int hex(int c) {
    if (c >= '0' && c <= '9') {
      return c - '0';
    }
    int letter = c | 0x20;
    return letter >= 'a' && letter <= 'f' ? letter - 'a' + 10 : -1;
  }
}
