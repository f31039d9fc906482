package portcullis.policy.replay;

import java.io.IOException;
import java.io.InputStream;
import java.util.OptionalLong;
import portcullis.http.message.Content;

/** A body that is not known, and whether it would have been read. For one thread. */
public final class MissingBody implements Content {
  private boolean wanted;

  @Override
  public InputStream stream() {
    wanted = true;
    return new InputStream() {
      @Override
      public int read() throws IOException {
        throw new IOException("the body is not known");
      }
    };
  }

  @Override
  public OptionalLong length() {
    return OptionalLong.empty();
  }

  public boolean isWanted() {
    return wanted;
  }
}
