package portcullis.message;

import java.util.Optional;

/** What our client's answer says beyond {@link java.net.http.HttpResponse}, which it is as well. */
public interface WireResponse {
  /** The header lines in their order and spelling; a value's bytes are characters 0 to 255. */
  Fields fields();

  /** The trailer section; known once the body has been read to its end, none before. */
  Fields trailers();

  /** The connection, where the answer was 101 to a request that asked for an upgrade; the caller closes it. */
  Optional<Tunnel> tunnel();
}
