package portcullis.http.message;

import java.io.IOException;
import java.nio.ByteBuffer;

/** An input whose bytes can be read into a buffer outside the heap, without being copied through an array. */
public interface DirectInput {
  /** Returns whether bytes come straight from a channel; if not, {@link #read} copies them. */
  boolean isDirect();

  /** Reads at least one byte into the room of a buffer, like {@link java.io.InputStream#read(byte[])}. */
  int read(ByteBuffer into) throws IOException;
}
