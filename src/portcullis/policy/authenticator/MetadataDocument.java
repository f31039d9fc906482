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
 * The last good document of one address. It is requested each time, as the HTTP cache decides when it is fetched again;
 * while a fetch is in progress or fails, the last good one stays in use. Thread safe.
 */
final class MetadataDocument {
  private final InstantSource clock;
  private final AtomicBoolean fetching = new AtomicBoolean();
  private final LastKnownGood<Good> last;

  /**
   * Creates one without a document.
   *
   * @param address for the log
   * @param clock one that only advances
   * @param bridged called each time the last good document stays in use
   */
  MetadataDocument(String address, InstantSource clock, Log log, Runnable bridged) {
    this.clock = clock;
    last = new LastKnownGood<>("metadata of the issuer", address, clock, log, bridged);
  }

  /** Fetches the document. */
  interface Fetch {
    byte[] fetch() throws Failure;
  }

  /** Parses the document. */
  interface Reading {
    ServerMetadata read(byte[] document) throws Failure;
  }

  /** @param seen when it was fetched or confirmed last */
  private record Good(byte[] document, ServerMetadata metadata, Instant seen) {}

  /** Returns whether there has been a good document. */
  boolean wasGood() {
    return last.value().isPresent();
  }

  ServerMetadata find(Fetch fetch, Reading reading, Duration stale) throws Failure {
    Instant now = clock.instant();
    Optional<Good> spare = last.value().filter(good -> now.isBefore(good.seen.plus(stale)));
    if (spare.isEmpty()) {
      return fetched(fetch, reading);
    }
    if (last.isPaused(now) || !fetching.compareAndSet(false, true)) {
      return spare.get().metadata;
    }
    try {
      return fetched(fetch, reading);
    } catch (Failure e) {
      last.failed(e.report());
      return spare.get().metadata;
    } finally {
      fetching.set(false);
    }
  }

  private ServerMetadata fetched(Fetch fetch, Reading reading) throws Failure {
    byte[] document = fetch.fetch();
    Optional<ServerMetadata> same = last.value().filter(good -> Arrays.equals(good.document, document))
        .map(Good::metadata);
    ServerMetadata metadata = same.isPresent() ? same.get() : reading.read(document);
    last.set(new Good(document, metadata, clock.instant()));
    return metadata;
  }
}
