package portcullis.serve.service;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import portcullis.lang.value.BudgetExceededException;
import portcullis.lang.value.ParseMemory;

/**
 * A body that reserves memory for parsing as it is read, so that a client cannot occupy memory by announcing a long
 * body.
 */
final class CountedBody extends FilterInputStream {
  private final ParseMemory.Lease memory;
  private final int factor;

  /** @param factor the memory that each byte takes */
  CountedBody(InputStream in, ParseMemory.Lease memory, int factor) {
    super(in);
    this.memory = memory;
    this.factor = factor;
  }

  /** Thrown if no memory can be reserved. */
  static final class NoMemory extends IOException {
    private static final long serialVersionUID = 1;

    NoMemory(BudgetExceededException e) {
      super(e.getMessage());
    }
  }

  @Override
  public int read() throws IOException {
    int octet = super.read();
    reserve(octet < 0 ? 0 : 1);
    return octet;
  }

  @Override
  public int read(byte[] bytes, int from, int length) throws IOException {
    int count = super.read(bytes, from, length);
    reserve(Math.max(0, count));
    return count;
  }

  private void reserve(int bytes) throws NoMemory {
    try {
      memory.reserve((long) factor * bytes);
    } catch (BudgetExceededException e) {
      throw new NoMemory(e);
    }
  }
}
