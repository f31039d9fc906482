package portcullis.observe.client;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;
import java.util.function.Consumer;

/** A body that reports its end once, with the error that ended it if there was one. For one thread at a time. */
final class ObservedBody extends FilterInputStream {
  private final Consumer<Optional<IOException>> end;
  private boolean ended;

  ObservedBody(InputStream in, Consumer<Optional<IOException>> end) {
    super(in);
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
      }
      return n;
    } catch (IOException e) {
      end(Optional.of(e));
      throw e;
    }
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
