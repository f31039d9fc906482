package portcullis.http.h2;

import java.util.Comparator;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/** Bounds the content that streams hold unread, in the whole process. For any threads. */
public final class StreamMemory {
  /** For the bodies of requests, an eighth of the heap. */
  public static final StreamMemory REQUESTS = new StreamMemory(Runtime.getRuntime().maxMemory() / 8);
  /** For the bodies of responses, as much. */
  public static final StreamMemory RESPONSES = new StreamMemory(Runtime.getRuntime().maxMemory() / 8);

  private final long capacity;
  private final AtomicLong used = new AtomicLong();
  private final Set<Inbound> holders = ConcurrentHashMap.newKeySet();

  StreamMemory(long capacity) {
    this.capacity = capacity;
  }

  /** Returns the number of bytes that are held. */
  long used() {
    return used.get();
  }

  /** Reserves bytes if there is room. */
  boolean reserve(int bytes) {
    return reserve(bytes, capacity);
  }

  /** Reserves bytes for a stream that holds none, for which there is as much room again. */
  boolean reserveFirst(int bytes) {
    return reserve(bytes, 2 * capacity);
  }

  private boolean reserve(int bytes, long most) {
    long now = used.get();
    while (now + bytes <= most) {
      if (used.compareAndSet(now, now + bytes)) {
        return true;
      }
      now = used.get();
    }
    return false;
  }

  /** Reserves bytes even if there is no room. */
  void force(int bytes) {
    used.addAndGet(bytes);
  }

  void release(int bytes) {
    used.addAndGet(-bytes);
  }

  /** Adds a stream that {@link #slowest} may return. */
  void enter(Inbound stream) {
    holders.add(stream);
  }

  void leave(Inbound stream) {
    holders.remove(stream);
  }

  /** Returns the stream that has not been read for the longest time. */
  Optional<Inbound> slowest() {
    long now = System.nanoTime();
    return holders.stream().max(Comparator.comparingLong(stream -> now - stream.lastRead()));
  }
}
