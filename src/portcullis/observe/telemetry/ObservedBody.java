package portcullis.observe.telemetry;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * A body that passes on what is read from it and reports its end once, with the error that ended it if there was one.
 * For one thread at a time.
 */
public final class ObservedBody extends FilterInputStream {
  /** Receives bytes that have been read. */
  interface Reader {
    void read(byte[] bytes, int from, int length);
  }

  private final Reader reader;
  private final Consumer<Optional<IOException>> end;
  private boolean ended;

  public ObservedBody(InputStream in, Consumer<Optional<IOException>> end) {
    this(in, (_, _, _) -> {}, end);
  }

  ObservedBody(InputStream in, Reader reader, Consumer<Optional<IOException>> end) {
    super(in);
    this.reader = reader;
    this.end = end;
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 255;
  }

  @Override
  public int read(byte[] bytes, int from, int length) throws IOException {
    try {
      int n = in.read(bytes, from, length);
      if (n < 0) {
        end(Optional.empty());
      } else {
        reader.read(bytes, from, n);
      }
      return n;
    } catch (IOException e) {
      end(Optional.of(e));
      throw e;
    }
  }

  @Override
  public boolean markSupported() {
    return false;
  }

  @Override
  public void close() throws IOException {
    end(Optional.empty());
    in.close();
  }

  private void end(Optional<IOException> error) {
    if (!ended) {
      ended = true;
      end.accept(error);
    }
  }
}
