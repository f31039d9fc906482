package portcullis.policy.replay;

import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;
import java.util.OptionalLong;
import portcullis.http.message.Content;
import portcullis.http.message.PeerCertificates;

/** Parts of a request that are not known, and whether a decision needs them. For one thread. */
public final class MissingParts {
  private Optional<String> wanted = Optional.empty();

  /** Returns a body that is not known. */
  public Content body() {
    return new Content() {
      @Override
      public InputStream stream() {
        want("the body of the request is not known");
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
    };
  }

  /** Returns certificates that are not known. */
  public PeerCertificates certificates() {
    want("the certificate of the client is not known");
    return PeerCertificates.NONE;
  }

  private void want(String reason) {
    wanted = wanted.or(() -> Optional.of(reason));
  }

  /** Returns which part was needed, the first one, as the reason why nothing can be decided; empty if none was. */
  public Optional<String> wanted() {
    return wanted;
  }
}
