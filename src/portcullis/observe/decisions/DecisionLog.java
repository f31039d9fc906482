package portcullis.observe.decisions;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import portcullis.crypto.keys.ClientTls;
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
  private final List<Output> outputs;

  /** A destination of all lines, which has a queue of its own. */
  private record Output(OutputStream to, LineLog lines) {}

  private DecisionLog(DecisionLogSettings settings, Optional<KeyedHash> hash, Optional<SymmetricKey> sealKey,
      List<Output> outputs) {
    this.settings = settings;
    this.hash = hash;
    this.sealKey = sealKey;
    this.outputs = outputs;
  }

  /** Opens the outputs; empty exactly if a problem was added. */
  public static Optional<DecisionLog> start(DecisionLogSettings settings, Log log, InstantSource clock,
      Problems problems) {
    long before = problems.errors();
    Optional<KeyedHash> hash = settings.hash(problems);
    Optional<SymmetricKey> sealKey = settings.seal(problems);
    Optional<ClientTls> tls = settings.syslog().flatMap(target -> target.tls(problems));
    if (problems.errors() > before) {
      return Optional.empty();
    }
    List<Output> outputs = new ArrayList<>();
    settings.file().flatMap(file -> opened(file, clock, problems))
        .ifPresent(file -> outputs.add(new Output(file, lines(NAME, file, log, clock))));
    if (problems.errors() > before) {
      return Optional.empty();
    }
    settings.syslog().map(target -> new SyslogOutput(target, tls, clock))
        .ifPresent(syslog -> outputs.add(new Output(syslog, lines(NAME + " by syslog", syslog, log, clock))));
    return Optional.of(new DecisionLog(settings, hash, sealKey, List.copyOf(outputs)));
  }

  private static Optional<RotatingFile> opened(DecisionLogSettings.FileOutput file, InstantSource clock,
      Problems problems) {
    LocatedText path = file.path();
    try {
      return Optional.of(new RotatingFile(Path.of(path.text()), file.maxBytes(), file.maxAge(), file.keep(), clock));
    } catch (IOException e) {
      problems.error(path.at(0, path.text().length()), path.path(), "cannot write: " + FileFailure.reason(e), "");
    } catch (InvalidPathException e) {
      problems.error(path.at(0, path.text().length()), path.path(), "is not a path: " + e.getReason(), "");
    }
    return Optional.empty();
  }

  private static LineLog lines(String name, OutputStream to, Log log, InstantSource clock) {
    return new LineLog(name, to, Math.min(MAX_QUEUED_BYTES, Runtime.getRuntime().maxMemory() / SHARE_OF_HEAP),
        (count, reason) -> lost(clock.instant(), count, reason), log, clock);
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

  /** Queues a line for each output, or drops and counts it; never waits. */
  public void offer(String line) {
    for (Output output : outputs) {
      output.lines.offer(line);
    }
  }

  /** Returns how many lines were dropped since the start, by all outputs. */
  public long dropped() {
    return outputs.stream().mapToLong(output -> output.lines.dropped()).sum();
  }

  /** Writes what is queued, for up to five seconds each. */
  @Override
  public void close() {
    for (Output output : outputs) {
      output.lines.close();
      try {
        output.to.close();
      } catch (IOException _) {
        // everything that could be written has been
      }
    }
  }
}
