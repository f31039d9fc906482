package portcullis.http.wire;

import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;
import portcullis.http.message.Fields;

/**
 * The body of a message as it comes in, without its framing. A body that ends early, or whose framing is broken, ends
 * in {@link MalformedMessageException}. For one thread; closing it reads nothing and leaves the connection alone.
 */
public abstract sealed class BodyInput extends InputStream permits ChunkedInput, LengthInput, UntilCloseInput {
  // reads nothing, so that it can be everybody's
  private static final BodyInput NONE = new LengthInput(new WireInput(InputStream.nullInputStream()), 0);

  final WireInput in;
  private Optional<IOException> error = Optional.empty();

  BodyInput(WireInput in) {
    this.in = in;
  }

  /**
   * Returns the body that follows the head.
   *
   * @param trailers limits of the trailer section, and of what chunk extensions may cost
   */
  public static BodyInput of(Framing framing, WireInput in, HeadLimits trailers) {
    return switch (framing) {
      case Framing.None() -> NONE;
      case Framing.Length(long bytes) -> new LengthInput(in, bytes);
      case Framing.Chunked() -> new ChunkedInput(in, trailers);
      case Framing.UntilClose() -> new UntilCloseInput(in);
    };
  }

  /** Returns the body of a message that has none. */
  public static BodyInput none() {
    return NONE;
  }

  /** Returns whether all of it has been read, trailers included: the next message may follow. */
  public abstract boolean isComplete();

  /** Returns the trailer section, once all has been read; none before. */
  public Fields trailers() {
    return Fields.NONE;
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  /** After a failure every read fails: what follows on the connection belongs to no body. */
  @Override
  public final int read(byte[] into, int offset, int length) throws IOException {
    if (error.isPresent()) {
      throw error.get();
    }
    try {
      return length == 0 ? 0 : next(into, offset, length);
    } catch (IOException e) {
      error = Optional.of(e);
      throw e;
    }
  }

  /** Returns whether reading it has failed. */
  public final boolean isBroken() {
    return error.isPresent();
  }

  /** Reads at least one byte like {@link #read}. */
  abstract int next(byte[] into, int offset, int length) throws IOException;

  /** Reads bytes of the body from the connection, which must not end here. */
  final int data(byte[] into, int offset, int length) throws IOException {
    int n = in.read(into, offset, length);
    if (n < 0) {
      throw ended();
    }
    return n;
  }

  static MalformedMessageException ended() {
    return new MalformedMessageException(400, "the connection ended inside a body");
  }
}
