package portcullis.policy.endpoint;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpTimeoutException;

/**
 * The body of a response, read to its end or to a limit; for one thread.
 *
 * @param end of the time limit, by {@link System#nanoTime}
 */
record LimitedBody(InputStream in, CallLimits limits, long end) {
  private static final int CHUNK = 8 * 1024;

  /**
   * Reads the whole body.
   *
   * @throws HttpTimeoutException if it takes too long
   * @throws CallFailure.Unreachable if it is too large
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

  /** Returns whether a failed read was ended by the HTTP client after a whole pause. */
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
