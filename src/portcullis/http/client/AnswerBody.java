package portcullis.http.client;

import java.io.IOException;
import java.io.InputStream;
import portcullis.http.message.Fields;

/**
 * The body of an answer as it comes in. A read past what came of a body that broke off, stalled or is badly framed
 * fails with {@link BrokenBody}; nothing of it ever looks like an end. For one thread, but closing, which gives up what
 * is not yet read, may be done by any.
 */
abstract class AnswerBody extends InputStream {
  /** Bounds all of it, beside the limit for each read: by {@link System#nanoTime}, the greatest for no such time. */
  abstract void endBy(long time);

  /** Whether all of it has been read; what carried it is given back by then. */
  abstract boolean isComplete();

  /** The trailer section, once all has been read; none before. */
  abstract Fields trailers();

  @Override
  public final int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public abstract int read(byte[] into, int offset, int length) throws IOException;

  @Override
  public abstract void close();
}
