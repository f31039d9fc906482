package portcullis.observe.decisions;

import java.util.concurrent.atomic.AtomicLong;

/** Bounds the memory for recorded responses in the whole process. Thread safe; no thread waits for it. */
public final class AnswerMemory {
  private final long capacity;
  private final AtomicLong used = new AtomicLong();

  /** @param capacity in bytes */
  public AnswerMemory(long capacity) {
    this.capacity = capacity;
  }

  /** Returns a memory of that many bytes, or of a small part of the heap where that is less. */
  public static AnswerMemory upTo(long bytes) {
    return new AnswerMemory(Math.min(bytes, Runtime.getRuntime().maxMemory() / 32));
  }

  /** Reserves that many bytes, or returns false where there is no room. */
  public boolean reserve(long bytes) {
    long now = used.addAndGet(bytes);
    if (now > capacity) {
      used.addAndGet(-bytes);
      return false;
    }
    return true;
  }

  public void release(long bytes) {
    if (bytes != 0) { // most requests call no service: they do not wait for each other here
      used.addAndGet(-bytes);
    }
  }

  /** Returns the number of reserved bytes. */
  public long used() {
    return used.get();
  }
}
