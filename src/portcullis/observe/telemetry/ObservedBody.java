package portcullis.observe.telemetry;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;
import java.util.function.Consumer;
import portcullis.http.message.Fields;
import portcullis.http.message.PausableBody;

/**
 * A body that passes on what is read from it and reports its end once, with the error that ended it if there was one.
 * One that may be paused stays so. For one thread at a time.
 */
public class ObservedBody extends FilterInputStream {
  /** Receives bytes that have been read. */
  interface Reader {
    void read(byte[] bytes, int from, int length);
  }

  private final Reader reader;
  private final Consumer<Optional<IOException>> end;
  private boolean ended;

  private ObservedBody(InputStream in, Reader reader, Consumer<Optional<IOException>> end) {
    super(in);
    this.reader = reader;
    this.end = end;
  }

  public static ObservedBody of(InputStream in, Consumer<Optional<IOException>> end) {
    return of(in, (_, _, _) -> {}, end);
  }

  static ObservedBody of(InputStream in, Reader reader, Consumer<Optional<IOException>> end) {
    return in instanceof PausableBody pausable ? new Pausable(in, pausable, reader, end)
        : new ObservedBody(in, reader, end);
  }

  private static final class Pausable extends ObservedBody implements PausableBody {
    private final PausableBody body;

    Pausable(InputStream in, PausableBody body, Reader reader, Consumer<Optional<IOException>> end) {
      super(in, reader, end);
      this.body = body;
    }

    @Override
    public boolean begins(int millis) throws IOException {
      return body.begins(millis);
    }

    @Override
    public boolean comes(int millis) throws IOException {
      return body.comes(millis);
    }

    @Override
    public boolean isShared() {
      return body.isShared();
    }

    @Override
    public void pause(Runnable coming) {
      body.pause(coming);
    }

    @Override
    public Source pause() {
      return body.pause();
    }

    @Override
    public void resume(boolean late) {
      body.resume(late);
    }

    @Override
    public Fields trailers() {
      return body.trailers();
    }
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
