package portcullis.observe.decisions;

import java.io.IOException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import portcullis.crypto.keys.SymmetricKey;
import portcullis.lang.source.FileFailure;
import portcullis.lang.source.LocatedText;
import portcullis.lang.source.Problems;
import portcullis.observe.telemetry.LineLog;
import portcullis.observe.telemetry.Log;

/** The log of decisions, one JSON object per line, written in the background. Thread safe. */
public final class DecisionLog implements AutoCloseable {
  private static final String NAME = "decision log";
  private static final String MASK = "***";
  private static final long MAX_QUEUED_BYTES = 64L << 20;
  private static final int SHARE_OF_HEAP = 16;

  private final DecisionLogSettings settings;
  private final Optional<KeyedHash> hash;
  private final Optional<SymmetricKey> sealKey;
  private final RotatingFile file;
  private final LineLog lines;

  private DecisionLog(DecisionLogSettings settings, Optional<KeyedHash> hash, Optional<SymmetricKey> sealKey,
      RotatingFile file, Log log, InstantSource clock) {
    this.settings = settings;
    this.hash = hash;
    this.sealKey = sealKey;
    this.file = file;
    this.lines = new LineLog(NAME, file,
        Math.min(MAX_QUEUED_BYTES, Runtime.getRuntime().maxMemory() / SHARE_OF_HEAP),
        (count, reason) -> lost(clock.instant(), count, reason), log, clock);
  }

  /** Opens the file; empty exactly if a problem was added. */
  public static Optional<DecisionLog> start(DecisionLogSettings settings, Log log, InstantSource clock,
      Problems problems) {
    long before = problems.errors();
    Optional<KeyedHash> hash = settings.hash(problems);
    Optional<SymmetricKey> sealKey = settings.seal(problems);
    LocatedText path = settings.file().path();
    if (problems.errors() > before) {
      return Optional.empty();
    }
    try {
      RotatingFile file = new RotatingFile(Path.of(path.text()), settings.file().maxBytes(), settings.file().maxAge(),
          settings.file().keep(), clock);
      return Optional.of(new DecisionLog(settings, hash, sealKey, file, log, clock));
    } catch (IOException e) {
      problems.error(path.at(0, path.text().length()), path.path(), "cannot write: " + FileFailure.reason(e), "");
    } catch (InvalidPathException e) {
      problems.error(path.at(0, path.text().length()), path.path(), "is not a path: " + e.getReason(), "");
    }
    return Optional.empty();
  }

  private static String lost(Instant now, long count, String reason) {
    return new JsonLine().add("time", now.toString()).add("lost", count).add("reason", reason).text();
  }

  public DecisionLogSettings settings() {
    return settings;
  }

  /** Returns the hash for secrets, if there is a key. */
  public Optional<KeyedHash> hash() {
    return hash;
  }

  /** Returns the key that whole requests are encrypted with, if they are logged. */
  public Optional<SymmetricKey> sealKey() {
    return sealKey;
  }

  /** Returns whether responses of remote services are logged, hashed or encrypted. */
  public boolean usesAnswers() {
    return hash.isPresent() || sealKey.isPresent();
  }

  /** Returns the value of a header field as it may be logged. */
  public String shown(String name, String value) {
    if (!SecretNames.has(name) && !settings.masked().contains(name.toLowerCase(Locale.ROOT))) {
      return value;
    }
    return hash.map(h -> h.of(value)).orElse(MASK);
  }

  /** Returns whether a decision is logged: all denied ones, and a share of the allowed ones. */
  public boolean takes(boolean allowed) {
    return !allowed || settings.sampleAllowed() >= 1
        || ThreadLocalRandom.current().nextDouble() < settings.sampleAllowed();
  }

  /** Queues a line, or drops and counts it; never waits. */
  public void offer(String line) {
    lines.offer(line);
  }

  /** Returns how many lines were dropped since the start. */
  public long dropped() {
    return lines.dropped();
  }

  /** Writes what is queued, for up to five seconds. */
  @Override
  public void close() {
    lines.close();
    try {
      file.close();
    } catch (IOException _) {
      // everything that could be written has been
    }
  }
}
