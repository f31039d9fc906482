package portcullis.http.server;

import java.util.Optional;
import java.util.function.Consumer;
import portcullis.http.message.PausableBody;

/**
 * An exchange of which nothing happens for now: its handler has returned, and no thread waits for it. For one thread at
 * a time.
 */
final class PausedExchange {
  private final Http1Carrier carrier;
  private Optional<PausableBody.Source> source = Optional.empty();
  private Consumer<Boolean> resuming = _ -> {};
  private Runnable afterwards = () -> {};

  PausedExchange(Http1Carrier carrier) {
    this.carrier = carrier;
  }

  /** Pauses it, perhaps once more. */
  void pause(PausableBody.Source until, Consumer<Boolean> action) {
    source = Optional.of(until);
    resuming = action;
  }

  Http1Carrier carrier() {
    return carrier;
  }

  /** Returns what it waits for; empty once it goes on. */
  Optional<PausableBody.Source> source() {
    return source;
  }

  /** Has something done at its end. */
  void afterwards(Runnable action) {
    afterwards = action;
  }

  /** Goes on until it pauses again or ends. @param late whether nothing came for too long */
  void resume(boolean late) {
    source = Optional.empty();
    resuming.accept(late);
  }

  /** Does what is to be done at its end. */
  void end() {
    afterwards.run();
  }
}
