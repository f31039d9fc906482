package portcullis.serve.service;

import java.lang.ref.WeakReference;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Function;

/**
 * What is written of the same objects again and again, by their identity: of as many as there are places, the latest.
 * Objects are not kept from garbage collection. Thread safe.
 */
final class WrittenParts<T> {
  private static final int PLACES = 4096;

  private final AtomicReferenceArray<Part<T>> parts = new AtomicReferenceArray<>(PLACES);

  private static final class Part<T> extends WeakReference<T> {
    private final int variant;
    private final byte[] written;

    Part(T object, int variant, byte[] written) {
      super(object);
      this.variant = variant;
      this.written = written;
    }
  }

  /**
   * Returns the bytes of an object, which {@code write} makes where they are not known.
   *
   * @param variant which of several forms of it, from 0
   */
  byte[] of(T object, int variant, Function<T, byte[]> write) {
    int place = System.identityHashCode(object) + variant & PLACES - 1;
    Part<T> found = parts.getAcquire(place);
    if (found == null || found.variant != variant || !found.refersTo(object)) {
      found = new Part<>(object, variant, write.apply(object));
      parts.setRelease(place, found);
    }
    return found.written;
  }
}
