package portcullis.observe.decisions;

import java.io.IOException;
import java.io.OutputStream;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Function;
import portcullis.crypto.keys.SymmetricKey;
import portcullis.lang.source.Problems;
import portcullis.observe.telemetry.LineBuffer;
import portcullis.observe.telemetry.LineBufferPool;
import portcullis.observe.telemetry.LineLog;
import portcullis.observe.telemetry.Log;
import portcullis.observe.telemetry.SafeUrl;

/** The log of decisions, one JSON object per line, written in the background. Thread safe. */
public final class DecisionLog implements AutoCloseable {
  static final String MASK = "***";
  private static final JsonLine.Name TIME = JsonLine.Name.of("time");

  private final DecisionLogSettings settings;
  private final Optional<KeyedHash> hash;
  private final Optional<SymmetricKey> sealKey;
  private final List<Output> outputs;
  private final Optional<RecordedEvents> events;
  private final AuditAnchors anchors;
  private final LineBufferPool buffers = new LineBufferPool();
  private volatile SecondText second = SecondText.of(0);

  /** A destination of all lines, which has a queue of its own. @param chained whether it is the audit chain */
  record Output(OutputStream to, LineLog lines, boolean chained) {}

  DecisionLog(DecisionLogSettings settings, Optional<KeyedHash> hash, Optional<SymmetricKey> sealKey,
      List<Output> outputs, Optional<RecordedEvents> events, AuditAnchors anchors) {
    this.settings = settings;
    this.hash = hash;
    this.sealKey = sealKey;
    this.outputs = List.copyOf(outputs);
    this.events = events;
    this.anchors = anchors;
  }

  /** Opens the outputs; empty exactly if a problem was added. */
  public static Optional<DecisionLog> start(DecisionLogSettings settings, Log log, InstantSource clock,
      Problems problems) {
    return start(settings, log, clock, _ -> OutputStream.nullOutputStream(), problems);
  }

  /** @param collector returns an output of lines to an OpenTelemetry collector, by the name of their events */
  public static Optional<DecisionLog> start(DecisionLogSettings settings, Log log, InstantSource clock,
      Function<String, OutputStream> collector, Problems problems) {
    return new DecisionOutputs(settings, log, clock, collector).open(problems);
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

  /** Returns the record of what changes decisions; it records nothing if there is no audit chain. */
  public AuditTrail audit() {
    return events.isPresent() ? events.get() : AuditTrail.NONE;
  }

  /** Returns whether responses of remote services are logged, hashed or encrypted. */
  public boolean usesAnswers() {
    return hash.isPresent() || sealKey.isPresent();
  }

  /**
   * Returns the value of a header field as it may be logged: of a page that leads to another, or an address that a
   * proxy has replaced, the query may hold a token, and any value has what looks like one hidden.
   */
  public String shown(String name, String value) {
    if (!SecretNames.has(name) && !settings.masked().contains(name.toLowerCase(Locale.ROOT))) {
      return SecretText.without(SafeUrl.text(value));
    }
    return hash.map(h -> h.of(value)).orElse(MASK);
  }

  /** Returns whether a decision is logged: all denied ones, and a share of the allowed ones. */
  public boolean takes(boolean allowed) {
    return !allowed || settings.sampleAllowed() >= 1
        || ThreadLocalRandom.current().nextDouble() < settings.sampleAllowed();
  }

  /** Begins a line with the time of a request in microseconds; it is to be passed to {@link #offer}. */
  public JsonLine line(Instant time) {
    SecondText current = second;
    if (current.epoch() != time.getEpochSecond()) {
      current = SecondText.of(time.getEpochSecond());
      second = current;
    }
    return new JsonLine(buffers.take()).time(TIME, current, time.getNano() / 1_000 * 1_000);
  }

  /** Ends a line and queues it for each output, or drops and counts it; never waits. It cannot be used any more. */
  public void offer(JsonLine line) {
    LineBuffer ended = line.ended();
    for (Output output : outputs) {
      output.lines.offer(ended);
    }
    buffers.release(ended);
  }

  /** Returns how many lines, events among them, were dropped since the start, by all outputs and anchors. */
  public long dropped() {
    return outputs.stream().mapToLong(output -> output.lines.dropped()).sum() + anchors.dropped();
  }

  /** Writes what is queued, for up to five seconds each. */
  @Override
  public void close() {
    events.ifPresent(RecordedEvents::close);
    for (Output output : outputs) {
      output.lines.close();
      try {
        output.to.close();
      } catch (IOException _) {
        // everything that could be written has been
      }
    }
    anchors.close();
  }
}
