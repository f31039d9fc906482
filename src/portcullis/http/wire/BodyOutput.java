package portcullis.http.wire;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import portcullis.http.message.DirectOutput;
import portcullis.http.message.Fields;

/**
 * The body of a message as it goes out, put into its framing. Bytes may wait in the connection's buffer until
 * {@link #flush} or {@link #close}, which ends the body but not the connection. For one thread.
 */
public abstract sealed class BodyOutput extends OutputStream permits ChunkedOutput, LengthOutput, UntilCloseOutput {
  static final byte[] NOTHING = {};

  final WireOutput out;

  BodyOutput(WireOutput out) {
    this.out = out;
  }

  /** Returns the body that begins here, behind a head in the same buffer. */
  public static BodyOutput of(Framing framing, WireOutput out) {
    return switch (framing) {
      case Framing.None() -> new LengthOutput(out, 0);
      case Framing.Length(long bytes) -> new LengthOutput(out, bytes);
      case Framing.Chunked() -> new ChunkedOutput(out);
      case Framing.UntilClose() -> new UntilCloseOutput(out);
    };
  }

  /** Returns whether its end has been written; if not, the connection must not be used for another message. */
  public abstract boolean isComplete();

  /** Returns the framing of what is still to be written, all that has been written having been flushed. */
  public abstract Framing rest();

  /** Sets the trailers to write after the last chunk; without effect on a body that is not chunked. */
  public void trail(Fields trailers) {}

  @Override
  public void write(int octet) throws IOException {
    write(new byte[] {(byte) octet}, 0, 1);
  }

  @Override
  public abstract void write(byte[] bytes, int offset, int length) throws IOException;

  /** Returns whether the output is a channel, so that {@link #write(ByteBuffer, Runnable)} is possible. */
  public final boolean isDirect() {
    return out.isDirect();
  }

  /**
   * Sends all bytes of a buffer at once.
   *
   * @param progress see {@link DirectOutput#write}
   */
  public abstract void write(ByteBuffer bytes, Runnable progress) throws IOException;

  @Override
  public void flush() throws IOException {
    out.flush();
  }

  /** Ends the body and sends what waits; fails where bytes that were announced are missing. */
  @Override
  public abstract void close() throws IOException;
}
