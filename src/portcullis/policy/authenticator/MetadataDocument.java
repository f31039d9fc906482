package portcullis.policy.authenticator;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import portcullis.observe.telemetry.Log;
import portcullis.policy.mechanism.Failure;

/**
 * The last good document of one address. It is asked for each time, as the cache of answers says when it has to be
 * fetched again; while that fails or takes long, the last good one stays in use. Thread safe.
 */
final class MetadataDocument {
  private final String address;
  private final InstantSource clock;
  private final Log log;
  private final AtomicBoolean asking = new AtomicBoolean();
  private volatile Optional<Good> last = Optional.empty();
  private volatile Instant quietUntil = Instant.MIN;

  /**
   * Knows no document yet.
   *
   * @param address for the log
   * @param clock one that only advances
   */
  MetadataDocument(String address, InstantSource clock, Log log) {
    this.address = address;
    this.clock = clock;
    this.log = log;
  }

  /** Gets the document from where it comes. */
  interface Fetch {
    byte[] fetch() throws Failure;
  }

  /** Makes something of it. */
  interface Reading {
    ServerMetadata read(byte[] document) throws Failure;
  }

  /** @param seen when it was found to be good last */
  private record Good(byte[] document, ServerMetadata metadata, Instant seen) {}

  /** Whether there has been one. */
  boolean wasGood() {
    return last.isPresent();
  }

  ServerMetadata find(Fetch fetch, Reading reading, Duration stale) throws Failure {
    Instant now = clock.instant();
    Optional<Good> spare = last.filter(good -> now.isBefore(good.seen.plus(stale)));
    if (spare.isEmpty()) {
      return asked(fetch, reading);
    }
    if (now.isBefore(quietUntil) || !asking.compareAndSet(false, true)) {
      return spare.get().metadata;
    }
    try {
      return asked(fetch, reading);
    } catch (Failure e) {
      quietUntil = now.plus(IssuerKeys.COOL_DOWN);
      log.warn("metadata of the issuer cannot be fetched, the last good ones stay in use", "_url", address, "_error",
          e.report());
      return spare.get().metadata;
    } finally {
      asking.set(false);
    }
  }

  private ServerMetadata asked(Fetch fetch, Reading reading) throws Failure {
    byte[] document = fetch.fetch();
    Optional<ServerMetadata> same = last.filter(good -> Arrays.equals(good.document, document)).map(Good::metadata);
    ServerMetadata metadata = same.isPresent() ? same.get() : reading.read(document);
    last = Optional.of(new Good(document, metadata, clock.instant()));
    return metadata;
  }
}
