package portcullis.crypto.passwords;

import java.lang.ref.SoftReference;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.LongAdder;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import portcullis.crypto.keys.Jca;
import portcullis.lang.address.Network;

/**
 * Verifies passwords, which is expensive on purpose, without letting clients exhaust the process: half of
 * the processors and a bounded memory are used at a time, a client network has few at once, and no client waits
 * for long. A right password is remembered by a keyed hash for a while. Thread safe.
 */
public final class PasswordChecks {
  /** The maximum number of passwords of one client network that are verified or wait at a time. */
  static final int MOST_OF_CLIENT = 2;

  private static final int MOST_PRESENT = 128;
  private static final int MOST_AT_ONCE = 4;
  private static final int MOST_REMEMBERED = 10_000;
  private static final int MOST_WORDS = 64 << 17;
  static final Duration PATIENCE = Duration.ofSeconds(2);
  private static final Duration LONGEST = Duration.ofSeconds(30);

  private final InstantSource clock;
  private final Duration patience;
  private final byte[] secret = new byte[32];
  private final Semaphore processors;
  private final Semaphore words = new Semaphore(MOST_WORDS, true);
  private final Map<Optional<Network>, Integer> clients = new HashMap<>();
  private final Deque<SoftReference<long[]>> memories = new ArrayDeque<>();
  private final SequencedMap<ByteBuffer, Instant> remembered = new LinkedHashMap<>();
  private final LongAdder verified = new LongAdder();
  private final LongAdder refused = new LongAdder();
  private int present;

  /** Thrown if there are too many at a time; the client may try again. */
  public static final class BusyException extends Exception {
    private static final long serialVersionUID = 1;

    BusyException(String message) {
      super(message, null, false, false);
    }
  }

  /** @param clock that only advances */
  public PasswordChecks(InstantSource clock) {
    this(clock, Math.clamp(Runtime.getRuntime().availableProcessors() / 2, 1, MOST_AT_ONCE), PATIENCE);
  }

  /**
   * @param parallel the number of passwords verified at a time
   * @param patience how long others wait for that
   */
  PasswordChecks(InstantSource clock, int parallel, Duration patience) {
    this.clock = clock;
    this.patience = patience;
    this.processors = new Semaphore(parallel, true);
    new SecureRandom().nextBytes(secret);
  }

  /**
   * Returns whether this is the password.
   *
   * @param known whether the hash is that of a user: others are verified all the same
   * @param client who has a share
   * @param memory for how long a right password is remembered; zero for not at all
   */
  public boolean matches(PasswordHash hash, boolean known, byte[] password, Optional<Network> client, Duration memory)
      throws BusyException {
    ByteBuffer key = key(hash, password);
    if (isRemembered(key, memory)) {
      return true;
    }
    enter(client);
    try {
      boolean matches = verify(hash, password) && known;
      if (matches && memory.isPositive()) {
        remember(key);
      }
      return matches;
    } finally {
      leave(client);
    }
  }

  /** Returns how many passwords were verified. */
  public long verified() {
    return verified.sum();
  }

  /** Returns how many were refused, as there were too many at a time. */
  public long refused() {
    return refused.sum();
  }

  /** Returns how many are verified or wait. */
  synchronized int present() {
    return present;
  }

  private boolean verify(PasswordHash hash, byte[] password) throws BusyException {
    long deadline = System.nanoTime() + patience.toNanos();
    acquire(processors, 1, deadline);
    try {
      acquire(words, hash.words(), deadline);
      try {
        verified.increment();
        long[] memory = memory(hash.words());
        boolean matches = aside(() -> hash.matches(password, memory));
        keep(memory);
        return matches;
      } finally {
        words.release(hash.words());
      }
    } finally {
      processors.release();
    }
  }

  /** Computes on a thread of the system, as a virtual one would keep others from its processor until the end. */
  private static boolean aside(Callable<Boolean> computation) throws BusyException {
    FutureTask<Boolean> task = new FutureTask<>(computation);
    Thread.ofPlatform().name("password").daemon().priority(Thread.MIN_PRIORITY).start(task);
    try {
      return task.get(LONGEST.toNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      throw new BusyException("the verification of a password was interrupted");
    } catch (TimeoutException _) {
      throw new BusyException("the verification of a password took too long");
    } catch (ExecutionException e) {
      throw new IllegalStateException(e.getCause());
    }
  }

  private void acquire(Semaphore semaphore, int permits, long deadline) throws BusyException {
    try {
      if (semaphore.tryAcquire(permits, deadline - System.nanoTime(), TimeUnit.NANOSECONDS)) {
        return;
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
    refused.increment();
    throw new BusyException("too many passwords are verified at the moment");
  }

  private synchronized void enter(Optional<Network> client) throws BusyException {
    int others = clients.getOrDefault(client, 0);
    if (others >= MOST_OF_CLIENT || present >= MOST_PRESENT) {
      refused.increment();
      throw new BusyException(others >= MOST_OF_CLIENT ? "too many passwords of this network are verified at the moment"
          : "too many passwords are verified at the moment");
    }
    clients.put(client, others + 1);
    present++;
  }

  private synchronized void leave(Optional<Network> client) {
    clients.computeIfPresent(client, (_, count) -> count == 1 ? null : count - 1);
    present--;
  }

  /** Returns a block of memory; those of before are used again, as new ones would have to be collected. */
  private long[] memory(int words) {
    synchronized (memories) {
      while (!memories.isEmpty()) {
        long[] known = memories.pop().get();
        if (known != null && known.length >= words) {
          return known;
        }
      }
    }
    return new long[words];
  }

  private void keep(long[] memory) {
    synchronized (memories) {
      if (memory.length > 0 && memories.size() < MOST_AT_ONCE) {
        memories.push(new SoftReference<>(memory));
      }
    }
  }

  private ByteBuffer key(PasswordHash hash, byte[] password) {
    return Jca.required(() -> {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(secret, "HmacSHA256"));
      mac.update(hash.text().getBytes(StandardCharsets.US_ASCII));
      mac.update((byte) 0);
      return ByteBuffer.wrap(mac.doFinal(password));
    });
  }

  private boolean isRemembered(ByteBuffer key, Duration memory) {
    synchronized (remembered) {
      Instant since = remembered.get(key);
      return since != null && clock.instant().isBefore(since.plus(memory));
    }
  }

  private void remember(ByteBuffer key) {
    synchronized (remembered) {
      remembered.remove(key);
      remembered.put(key, clock.instant());
      if (remembered.size() > MOST_REMEMBERED) {
        remembered.pollFirstEntry();
      }
    }
  }
}
