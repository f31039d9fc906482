package portcullis.serve.console;

import java.time.InstantSource;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.function.Supplier;

/** Those who read server-sent events, a bounded number of them. Thread safe. */
final class EventReaders {
  static final int MOST = 16;

  private final Semaphore places = new Semaphore(MOST);
  private final Set<EventStream> open = ConcurrentHashMap.newKeySet();
  private final InstantSource clock;
  private volatile boolean closed;

  EventReaders(InstantSource clock) {
    this.clock = clock;
  }

  /** Returns a body for one more reader; empty if there are too many. */
  Optional<EventStream> open(Supplier<EventSource> source) {
    if (closed || !places.tryAcquire()) {
      return Optional.empty();
    }
    EventStream[] stream = new EventStream[1];
    stream[0] = new EventStream(source.get(), clock, () -> {
      if (open.remove(stream[0])) {
        places.release();
      }
    });
    open.add(stream[0]);
    return Optional.of(stream[0]);
  }

  /** Returns the number of readers. */
  int count() {
    return open.size();
  }

  /** Ends all of them soon, and accepts no more. */
  void close() {
    closed = true;
    open.forEach(EventStream::end);
  }
}
