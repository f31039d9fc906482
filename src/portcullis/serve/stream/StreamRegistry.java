package portcullis.serve.stream;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import portcullis.background.BackgroundTask;
import portcullis.http.message.Request;
import portcullis.http.message.ResponseStatusException;
import portcullis.http.message.UnreadableBodyException;
import portcullis.lang.address.Network;
import portcullis.lang.value.Value;
import portcullis.observe.telemetry.Log;
import portcullis.policy.decision.Decider;
import portcullis.policy.decision.Decision;
import portcullis.policy.lock.Lock;
import portcullis.policy.lock.LockTable;
import portcullis.policy.mechanism.Failure;
import portcullis.policy.mechanism.Subject;
import portcullis.policy.rule.Rule;

/**
 * The exchanges with upstreams in progress. One is ended when its credential expires, a lock names it, the rules no
 * longer allow it, or it reaches the maximum age. One timer for all of them, no thread for each. Thread safe.
 */
public final class StreamRegistry implements LockTable.Listener, AutoCloseable {
  /** The length of a tick. */
  static final Duration TICK = Duration.ofMillis(100);
  /** The time after which a stream that has been ended, but goes on, is ended at once. */
  static final Duration LAST_WORDS = Duration.ofSeconds(1);
  /** The time after which a decision that failed is tried again. */
  static final Duration RETRY = Duration.ofSeconds(30);
  /** The number of failed decisions in a row after which a stream is ended. */
  static final int MOST_FAILURES = 3;

  /** For as long after a reload, exchanges may begin that were decided before it. */
  private static final Duration AFTER_RELOAD = Duration.ofMinutes(1);
  private static final Duration SWEEP = Duration.ofSeconds(5);
  /** At least as often the clock is compared, which may have been set. */
  private static final Duration LONGEST = Duration.ofMinutes(1);
  private static final int DECISIONS_AT_ONCE = 16;

  private final Decider decider;
  private final LockTable locks;
  private final StreamSettings settings;
  private final InstantSource clock;
  private final LongSupplier nanos;
  private final Log log;
  private final Wheel<LiveStream> streams;
  private final Map<EndReason, LongAdder> endings = new EnumMap<>(EndReason.class);
  private final ExecutorService decisions = Executors.newFixedThreadPool(DECISIONS_AT_ONCE,
      Thread.ofVirtual().name("stream-decision-", 0).factory());
  private final BackgroundTask task = new BackgroundTask(Thread.ofVirtual().name("streams"), this::round);
  private long version;
  private long reloaded;
  private long swept;
  private volatile boolean stopping;
  private volatile boolean brokenOff;

  public StreamRegistry(Decider decider, LockTable locks, StreamSettings settings, InstantSource clock, Log log) {
    this(decider, locks, settings, clock, System::nanoTime, log);
  }

  /** @param nanos the clock for durations */
  StreamRegistry(Decider decider, LockTable locks, StreamSettings settings, InstantSource clock, LongSupplier nanos,
      Log log) {
    this.decider = decider;
    this.locks = locks;
    this.settings = settings;
    this.clock = clock;
    this.nanos = nanos;
    this.log = log;
    this.streams = new Wheel<>(tick(nanos.getAsLong()));
    for (EndReason reason : EndReason.values()) {
      endings.put(reason, new LongAdder());
    }
    locks.listen(this);
  }

  /** Starts to end streams. */
  public void start() {
    version = decider.version();
    reloaded = nanos.getAsLong() - AFTER_RELOAD.toNanos();
    task.start();
  }

  /** Registers an exchange that was allowed; its thread closes the result when it has ended. */
  public LiveStream open(StreamKind kind, Decision.Allow allow, StreamControl control) {
    Subject subject = allow.state().subject().orElse(new Subject("", Value.Dict.EMPTY));
    LiveStream stream = new LiveStream(this, kind, allow.state().request().repeated(), subject, allow.rule(), control,
        clock.instant(), nanos.getAsLong());
    place(stream);
    if (isLocked(stream)) { // since it was decided
      end(stream, EndReason.LOCKED);
    } else if (brokenOff) {
      end(stream, EndReason.STOPPED);
    }
    return stream;
  }

  /** Places a new one; most have ended before their grace has passed, so only then is it scheduled in full. */
  private void place(LiveStream stream) {
    Duration grace = stream.kind().grace();
    if (grace.isZero() || settings.maxAge().isPresent() || stream.interval(RETRY).isPresent()) {
      schedule(stream);
    } else {
      put(stream, tick(stream.checked()) + ticks(grace));
    }
  }

  private boolean isLocked(LiveStream stream) {
    return !locks.isEmpty()
        && (locks.ofSubject(stream.subject()).isPresent() || locks.ofClient(stream.request().candidates()).isPresent());
  }

  void remove(LiveStream stream) {
    streams.remove(stream);
  }

  /** Sets the next time at which something has to be done about a stream, by how it is now. */
  void schedule(LiveStream stream) {
    synchronized (stream) { // a thread that has seen how it was before must not be the last one that sets it
      scheduleNow(stream);
    }
  }

  private void scheduleNow(LiveStream stream) {
    long now = nanos.getAsLong();
    Instant time = clock.instant();
    Duration wait = LONGEST;
    Optional<Duration> expiry = stream.expiry().map(end -> Duration.between(time, end));
    Optional<Duration> age = settings.maxAge().map(most -> Duration.between(time, stream.started().plus(most)));
    Optional<Duration> check = stream.interval(RETRY).map(every -> every.minusNanos(now - stream.checked()));
    boolean isEndless = expiry.isEmpty() && age.isEmpty() && check.isEmpty();
    if (!isEndless) {
      wait = least(least(least(wait, expiry), age), check);
    }
    put(stream, isEndless ? Wheel.NEVER : tick(now) + ticks(wait));
  }

  /** The thread of a stream may close it at any time, and another thread end it. */
  private void put(LiveStream stream, long due) {
    streams.put(stream, due);
    if (stream.ended().isPresent() && due != lastTick(stream)) {
      streams.put(stream, lastTick(stream));
    }
    if (stream.isClosed()) {
      streams.remove(stream);
    }
  }

  private static Duration least(Duration one, Optional<Duration> other) {
    return other.filter(o -> o.compareTo(one) < 0).orElse(one);
  }

  private static long tick(long nanos) {
    return Math.floorDiv(nanos, TICK.toNanos());
  }

  /** Returns the number of ticks after which this time has passed. */
  private static long ticks(Duration time) {
    return Math.max(0, time.toNanos() / TICK.toNanos()) + 1;
  }

  private boolean round() throws InterruptedException {
    Thread.sleep(TICK);
    tick();
    return true;
  }

  /** Does what is due; for one thread. */
  void tick() {
    long now = nanos.getAsLong();
    streams.advance(tick(now), stream -> BackgroundTask.guarded(() -> due(stream, now)));
    if (decider.version() != version) {
      version = decider.version();
      reloaded = now;
      sweep(now);
    } else if (now - reloaded < AFTER_RELOAD.toNanos() && now - swept > SWEEP.toNanos()) {
      sweep(now);
    }
  }

  private void due(LiveStream stream, long now) {
    Instant time = clock.instant();
    if (stream.ended().isPresent() && tick(now) < lastTick(stream)) {
      put(stream, lastTick(stream)); // it was ended while it waited for something else
    } else if (stream.ended().isPresent()) {
      stream.kill();
      streams.remove(stream);
    } else if (stream.expiry().filter(end -> !time.isBefore(end)).isPresent()) {
      end(stream, EndReason.EXPIRED);
    } else if (settings.maxAge().filter(most -> !time.isBefore(stream.started().plus(most))).isPresent()) {
      end(stream, EndReason.MAX_AGE);
    } else {
      if (stream.interval(RETRY).filter(every -> now - stream.checked() >= every.toNanos()).isPresent()) {
        decideAgain(stream);
      }
      schedule(stream);
    }
  }

  /** Decides those streams again whose rule is another one now. */
  private void sweep(long now) {
    swept = now;
    Instant time = clock.instant();
    streams.forEach(stream -> BackgroundTask.guarded(() -> {
      boolean isShort = time.isBefore(stream.started().plus(stream.kind().grace()));
      Optional<Rule> rule = decider.rule(stream.request());
      boolean isSame = rule.filter(found -> found.equals(stream.rule())).isPresent();
      boolean isDue = !stream.hasFailed() || rule.filter(found -> isElsewhere(found, stream)).isPresent();
      if (!isShort && !isSame && isDue) {
        decideAgain(stream);
      }
    }));
  }

  private void decideAgain(LiveStream stream) {
    if (stream.ended().isEmpty() && stream.beginCheck()) {
      decisions.execute(() -> {
        try {
          stream.during(() -> check(stream));
        } finally {
          stream.endCheck(nanos.getAsLong());
          schedule(stream);
        }
      });
    }
  }

  private void check(LiveStream stream) {
    try {
      if (decider.rule(stream.request()).filter(rule -> isElsewhere(rule, stream)).isPresent()) {
        end(stream, EndReason.RULES); // whatever the steps say, and whether or not they can say it
        return;
      }
      switch (decider.repeat(stream.request().repeated())) {
        case Decision.Allow allow when isElsewhere(allow.rule(), stream) -> end(stream, EndReason.RULES); // since now
        case Decision.Allow allow when allow.state().subject().filter(stream::isOf).isPresent() ->
          stream.allowed(allow.state().subject().get(), allow.rule());
        case Decision.Allow _ -> end(stream, EndReason.RULES); // somebody else has this credential now
        case Decision.Own _ -> end(stream, EndReason.RULES);
        case Decision.Refuse refuse -> refused(stream, refuse.stepFailure().failure());
      }
    } catch (ResponseStatusException | UnreadableBodyException _) {
      end(stream, EndReason.RULES);
    } catch (RuntimeException e) {
      log.error("A stream cannot be decided again", "_error", String.valueOf(e.getMessage()), "_subject",
          stream.subject().id(), "_rule", stream.rule().id());
      failed(stream);
    }
  }

  /** Returns whether a rule does not forward to the upstream that the stream is at. */
  private static boolean isElsewhere(Rule rule, LiveStream stream) {
    return !upstream(rule).equals(upstream(stream.rule()));
  }

  /** Returns scheme, host and port, where the rule has them, in canonical form. */
  private static Optional<String> upstream(Rule rule) {
    return rule.backend().map(backend -> {
      String scheme = backend.rewrite().scheme().orElse("");
      return scheme + "://" + backend.host().comparable(scheme);
    });
  }

  private void refused(LiveStream stream, Failure failure) {
    switch (failure) {
      case Failure.Communication _, Failure.Exhausted _, Failure.Internal _ -> undecided(stream, failure);
      case Failure.TooManyRequests _, Failure.Unavailable _ -> undecided(stream, failure);
      case Failure.Authorization refusal when refusal.isOutage() -> undecided(stream, failure);
      case Failure _ when failure.find(Failure.Communication.class).filter(Failure.Communication::isOutage)
          .isPresent() ->
        undecided(stream, failure);
      case Failure _ -> end(stream, EndReason.RULES);
    }
  }

  private void undecided(LiveStream stream, Failure failure) {
    log.warn("A stream cannot be decided again", "_error", failure.report(), "_subject", stream.subject().id(), "_rule",
        stream.rule().id());
    failed(stream);
  }

  private void failed(LiveStream stream) {
    if (stream.failed() >= MOST_FAILURES) {
      end(stream, EndReason.RULES);
    }
  }

  private void end(LiveStream stream, EndReason reason) {
    if (stream.end(reason, nanos.getAsLong())) {
      count(reason);
      stream.during(() -> log.info("Stream ended", "_reason", reason.text(), "_kind", stream.kind().text(), "_subject",
          stream.subject().id(), "_rule", stream.rule().id()));
      put(stream, lastTick(stream));
    }
  }

  void count(EndReason reason) {
    endings.get(reason).increment();
  }

  /** Returns when a stream that was ended, but is still there, is killed. */
  private long lastTick(LiveStream stream) {
    return tick(stream.endedAt()) + ticks(LAST_WORDS);
  }

  @Override
  public void added(Lock lock) {
    Optional<Network> network = lock.network();
    streams.forEach(stream -> {
      boolean isFrom = network.isPresent() && stream.request().candidates().stream().anyMatch(network.get()::contains);
      if (isFrom || lock.locks(stream.subject())) {
        end(stream, EndReason.LOCKED);
      }
    });
  }

  @Override
  public void removed(Lock lock) {
    // what has ended stays ended
  }

  /** Returns the number of exchanges in progress by kind. */
  public Map<StreamKind, Integer> active() {
    Map<StreamKind, Integer> out = new EnumMap<>(StreamKind.class);
    for (StreamKind kind : StreamKind.values()) {
      out.put(kind, 0);
    }
    streams.forEach(stream -> out.merge(stream.kind(), 1, Integer::sum));
    return out;
  }

  /** Returns how many were ended for this reason. */
  public long ended(EndReason reason) {
    return endings.get(reason).sum();
  }

  /** Ends tunnels as the service stops, those that begin later, too. */
  public void stop() {
    stopping = true;
    streams.forEach(this::endIfStopping);
  }

  void endIfStopping(LiveStream stream) {
    if (stopping && stream.isTunnel()) {
      end(stream, EndReason.STOPPED);
    }
  }

  boolean isStopping() {
    return stopping;
  }

  /** Ends what has not ended by itself, as the service stops. */
  public void breakOff() {
    brokenOff = true;
    streams.forEach(stream -> end(stream, EndReason.STOPPED));
  }

  @Override
  public void close() {
    task.close();
    decisions.shutdownNow();
  }
}
