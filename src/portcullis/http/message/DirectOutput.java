package portcullis.http.message;

import java.io.IOException;
import java.nio.ByteBuffer;

/** An output that takes bytes of buffers outside the heap, without copying them through an array. */
public interface DirectOutput {
  /**
   * Writes all bytes of these buffers, one after the other.
   *
   * @param progress run whenever another 16 KB have been written and more are left
   */
  void write(ByteBuffer[] buffers, Runnable progress) throws IOException;
}
