package portcullis.policy.endpoint;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpTimeoutException;

/**
 * The body of an answer, read to its end or to a limit; for one thread.
 *
 * @param end when it must have come, by {@link System#nanoTime}
 */
record LimitedBody(InputStream in, CallLimits limits, long end) {
  private static final int CHUNK = 8 * 1024;

  /**
   * All of it.
   *
   * @throws HttpTimeoutException where it comes too slowly
   * @throws CallFailure.Unreachable where it is too large
   */
  byte[] read() throws IOException, CallFailure {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    byte[] chunk = new byte[CHUNK];
    for (int n = next(chunk); n >= 0; n = next(chunk)) {
      out.write(chunk, 0, n);
      if (out.size() > limits.maxBytes()) {
        throw new CallFailure.Unreachable("the answer is larger than " + limits.maxBytes() + " bytes");
      }
      if (System.nanoTime() - end > 0) {
        throw new HttpTimeoutException("the answer was not whole within " + limits.whole().toMillis() + " ms");
      }
    }
    return out.toByteArray();
  }

  /** A read that failed after the whole pause was ended by the client. */
  private int next(byte[] chunk) throws IOException {
    long begin = System.nanoTime();
    try {
      return in.read(chunk);
    } catch (IOException e) {
      if (System.nanoTime() - begin >= limits.pause().toNanos()) {
        throw new HttpTimeoutException("the answer stalled for " + limits.pause().toMillis() + " ms");
      }
      throw e;
    }
  }
}
