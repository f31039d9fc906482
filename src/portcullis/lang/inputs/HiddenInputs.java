package portcullis.lang.inputs;

import java.security.SecureRandom;
import java.time.Instant;
import java.time.InstantSource;
import java.util.UUID;
import java.util.random.RandomGenerator;

/**
 * What a decision depends on besides its request, its rules and remote services: the time of day and random numbers,
 * as templates and signatures use them. They are those of the system, unless the caller of {@link #call} gives others.
 */
public record HiddenInputs(InstantSource clock, RandomGenerator random) {
  private static final HiddenInputs SYSTEM = new HiddenInputs(InstantSource.system(), new SecureRandom());
  private static final ScopedValue<HiddenInputs> CURRENT = ScopedValue.newInstance();

  private static HiddenInputs current() {
    return CURRENT.orElse(SYSTEM);
  }

  /** Calls with these inputs, in this thread. */
  public <T, X extends Throwable> T call(ScopedValue.CallableOp<T, X> work) throws X {
    return ScopedValue.where(CURRENT, this).call(work);
  }

  public static Instant now() {
    return current().clock.instant();
  }

  /** Returns a cryptographically secure generator, unless {@link #call} replaced it. */
  public static RandomGenerator generator() {
    return current().random;
  }

  public static byte[] bytes(int count) {
    byte[] bytes = new byte[count];
    generator().nextBytes(bytes);
    return bytes;
  }

  /** Returns a UUID of version 4 (RFC 9562, 5.4). */
  public static UUID uuid() {
    RandomGenerator random = generator();
    return new UUID(random.nextLong() & 0xFFFF_FFFF_FFFF_0FFFL | 0x4000L,
        random.nextLong() & 0x3FFF_FFFF_FFFF_FFFFL | 0x8000_0000_0000_0000L);
  }
}
