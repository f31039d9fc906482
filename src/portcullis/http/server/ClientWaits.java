package portcullis.http.server;

import java.util.List;
import java.util.Optional;

/** Reports what of a connection waits for its client; for any threads. */
interface ClientWaits {
  /** Returns the wait of the connection as a whole; empty where something is at work. */
  Optional<ClientWait> connection();

  /** Returns the requests that wait for more of their bodies. */
  List<ClientWait> requests();
}
