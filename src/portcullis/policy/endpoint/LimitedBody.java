package portcullis.policy.endpoint;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpTimeoutException;
import portcullis.lang.value.BudgetExceededException;
import portcullis.lang.value.ParseMemory;

/**
 * The body of a response, read to its end or to a limit; for one thread. While it is read, what is longer than a chunk
 * takes memory for parsing; the parser reserves its own, which covers the bytes too.
 *
 * @param memory of the process
 * @param end when it must have come, by {@link System#nanoTime}
 */
record LimitedBody(InputStream in, CallLimits limits, long end, ParseMemory memory) {
  private static final int CHUNK = 8 * 1024;

  /**
   * Reads the whole body.
   *
   * @throws HttpTimeoutException where it comes too slowly
   * @throws CallFailure.Unreachable where it is too large
   * @throws CallFailure.Exhausted where there is no memory for it now
   */
  byte[] read() throws IOException, CallFailure {
    try (ParseMemory.Lease lease = memory.lease("")) {
      return read(lease);
    } catch (BudgetExceededException e) {
      throw e.exhausted() ? new CallFailure.Exhausted(e.getMessage())
          : new CallFailure.Unreachable("the answer is too large: " + e.getMessage());
    }
  }

  private byte[] read(ParseMemory.Lease lease) throws IOException, CallFailure, BudgetExceededException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    byte[] chunk = new byte[CHUNK];
    for (int n = next(chunk); n >= 0; n = next(chunk)) {
      out.write(chunk, 0, n);
      if (out.size() > CHUNK) {
        lease.reserve(2L * n); // it grows by being copied
      }
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
