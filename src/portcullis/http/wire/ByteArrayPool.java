package portcullis.http.wire;

import java.util.concurrent.atomic.AtomicReferenceArray;

/** Arrays of 32 KiB that are used again and again, each by one owner at a time; thread safe, without waiting. */
public final class ByteArrayPool {
  static final int SIZE = 32768;
  /** A power of two. */
  private static final int MOST = 64;
  private static final int TRIES = 4;

  private final AtomicReferenceArray<byte[]> spares = new AtomicReferenceArray<>(MOST);

  /** Returns an array for the caller until it is returned; its content is undefined. */
  public byte[] take() {
    for (int i = 0; i < TRIES; i++) {
      byte[] spare = spares.getAndSet(place(i), null);
      if (spare != null) {
        return spare;
      }
    }
    return new byte[SIZE];
  }

  /** Takes an array back, at most once; the caller must not use it afterwards. */
  public void give(byte[] spare) {
    if (spare.length != SIZE) {
      throw new IllegalArgumentException("an array from elsewhere");
    }
    for (int i = 0; i < TRIES; i++) {
      if (spares.compareAndSet(place(i), null, spare)) {
        return; // else, among many others, it is left to the collector
      }
    }
  }

  /** Threads of connections begin at places of their own as far as there are enough. */
  private static int place(int next) {
    return (int) Thread.currentThread().threadId() + next & MOST - 1;
  }
}
