package portcullis.http.wire;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.Optional;
import portcullis.http.message.DirectInput;
import portcullis.http.message.Fields;

/**
 * The body of a message as it comes in, without its framing. A body that ends early, or whose framing is broken, ends
 * in {@link MalformedMessageException}. For one thread; closing it reads nothing and leaves the connection alone.
 */
public abstract sealed class BodyInput extends InputStream implements DirectInput
    permits ChunkedInput, LengthInput, UntilCloseInput {
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

  @Override
  public final boolean isDirect() {
    return in.isDirect();
  }

  @Override
  public final int read(byte[] into, int offset, int length) throws IOException {
    return read(length, (done, most) -> in.read(into, offset + done, most));
  }

  @Override
  public final int read(ByteBuffer into) throws IOException {
    int end = into.limit();
    try {
      return read(into.remaining(), (_, most) -> in.read(into.limit(into.position() + most)));
    } finally {
      into.limit(end);
    }
  }

  /** Reads bytes of the connection behind those that have been read, that many at most. */
  private interface Source {
    int read(int done, int most) throws IOException;
  }

  /** After a failure every read fails: what follows on the connection belongs to no body. */
  private int read(int length, Source source) throws IOException {
    if (error.isPresent()) {
      throw error.get();
    }
    try {
      int most = length == 0 ? 0 : begin(length);
      return most > 0 ? more(length, source, received(source.read(0, most))) : most;
    } catch (IOException e) {
      error = Optional.of(e);
      throw e;
    }
  }

  /** Reads on while that is sure not to wait; after a failure there, what was read before it still counts. */
  private int more(int length, Source source, int first) {
    int n = first;
    try {
      while (n < length && follows()) {
        n += received(source.read(n, begin(length - n)));
      }
    } catch (IOException e) {
      error = Optional.of(e);
    }
    return n;
  }

  /**
   * Waits until more of the body, its end or that of the connection can be read, or the connection's read timeout has
   * passed. A read may still have to wait, as what has come may be a part of its framing. Fails where the connection
   * has ended inside the body.
   *
   * @return false where nothing came in that time
   */
  public final boolean comes() throws IOException {
    if (error.isPresent() || isComplete()) {
      return true;
    }
    try {
      settle();
      boolean comes = in.comes();
      if (comes && !in.hasBuffered() && !endsWithConnection()) {
        throw ended();
      }
      return comes;
    } catch (IOException e) {
      error = Optional.of(e);
      throw e;
    }
  }

  /** Returns whether the end of the connection is that of the body. */
  boolean endsWithConnection() {
    return false;
  }

  /** Returns whether more of the body can be read without waiting, behind framing that has come as a whole. */
  boolean follows() {
    return false;
  }

  /** Reads what belongs to the content before, as far as it has come. */
  void settle() throws IOException {}

  /** Returns whether reading it has failed. */
  public final boolean isBroken() {
    return error.isPresent();
  }

  /** Returns how many of the next bytes belong to the body, as far as they are wanted; -1 at its end. */
  abstract int begin(int wanted) throws IOException;

  /** Counts bytes that have been read from the connection, -1 for its end, and returns their number. */
  abstract int received(int count) throws IOException;

  /** Returns the number of bytes; the connection must not end inside the body. */
  static int within(int count) throws MalformedMessageException {
    if (count < 0) {
      throw ended();
    }
    return count;
  }

  static MalformedMessageException ended() {
    return new MalformedMessageException(400, "the connection ended inside a body");
  }
}
