package portcullis.http.wire;

import java.io.IOException;
import java.nio.ByteBuffer;
import portcullis.http.message.Fields;

/**
 * A body in chunks (RFC 9112, 7.1). What is written between two flushes becomes one chunk, gathered in the connection's
 * buffer behind room for its size.
 */
final class ChunkedOutput extends BodyOutput {
  private static final int SIZE_LINE = 6;
  private static final int GATHERED = 16384;
  private static final byte[] LINE_END = {'\r', '\n'};

  private int chunk = -1;
  private boolean closed;
  private boolean complete;
  private Fields trailers = Fields.NONE;

  ChunkedOutput(WireOutput out) {
    super(out);
  }

  @Override
  public boolean isComplete() {
    return complete;
  }

  @Override
  public void trail(Fields lines) {
    trailers = lines;
  }

  @Override
  public Framing rest() {
    return Framing.CHUNKED;
  }

  @Override
  public void write(byte[] bytes, int offset, int length) throws IOException {
    if (length == 0) {
      return;
    }
    if (closed) {
      throw new IOException("the body has ended");
    }
    if (length > GATHERED) {
      endChunk();
      sizeLine(length);
      out.write(bytes, offset, length);
      out.write("\r\n");
      return;
    }
    if (chunk >= 0 && out.size() - chunk + length > GATHERED) {
      flush();
    }
    gather(bytes, offset, length);
  }

  @Override
  public void write(ByteBuffer bytes, Runnable progress) throws IOException {
    if (!bytes.hasRemaining()) {
      return;
    }
    if (closed) {
      throw new IOException("the body has ended");
    }
    endChunk();
    sizeLine(bytes.remaining());
    out.write(bytes, LINE_END, progress);
  }

  private void gather(byte[] bytes, int offset, int length) {
    if (chunk < 0) {
      chunk = out.size() + SIZE_LINE;
      out.reserve(SIZE_LINE);
      out.size(chunk);
    }
    out.reserve(length);
    System.arraycopy(bytes, offset, out.buffer(), out.size(), length);
    out.size(out.size() + length);
  }

  /** Writes the size where room was left for it, in as few digits as it takes, and moves the data up to it. */
  private void endChunk() {
    if (chunk < 0) {
      return;
    }
    int end = out.size();
    out.size(chunk - SIZE_LINE);
    sizeLine(end - chunk);
    System.arraycopy(out.buffer(), chunk, out.buffer(), out.size(), end - chunk);
    out.size(out.size() + end - chunk);
    out.write("\r\n");
    chunk = -1;
  }

  private void sizeLine(int length) {
    int digits = Math.max(1, (35 - Integer.numberOfLeadingZeros(length)) / 4);
    for (int shift = 4 * (digits - 1); shift >= 0; shift -= 4) {
      out.write("0123456789abcdef".charAt(length >> shift & 15));
    }
    out.write("\r\n");
  }

  @Override
  public void flush() throws IOException {
    endChunk();
    out.flush();
  }

  @Override
  public void close() throws IOException {
    if (closed) {
      return;
    }
    closed = true;
    endChunk();
    out.write("0\r\n");
    out.fields(trailers);
    out.write("\r\n");
    out.flush();
    complete = true;
  }
}
