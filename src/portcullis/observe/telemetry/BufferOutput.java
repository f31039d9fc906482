package portcullis.observe.telemetry;

import java.io.IOException;
import java.nio.ByteBuffer;

/** An output that takes the bytes of a buffer as they are, where arrays would have to be copied. */
public interface BufferOutput {
  /** Writes what remains in the buffer; an exception means that it has taken none of it. */
  void write(ByteBuffer bytes) throws IOException;
}
