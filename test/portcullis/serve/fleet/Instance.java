package portcullis.serve.fleet;

import static org.junit.jupiter.api.Assertions.fail;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import portcullis.config.Yaml;
import portcullis.crypto.keys.KeyRings;
import portcullis.lang.source.Problem;
import portcullis.lang.source.Problems;
import portcullis.lang.source.SourceFile;
import portcullis.observe.telemetry.Level;
import portcullis.observe.telemetry.Log;
import portcullis.observe.telemetry.LogFormat;
import portcullis.observe.telemetry.LogWriter;
import portcullis.observe.telemetry.OngoingProblem;
import portcullis.policy.lock.Lock;
import portcullis.policy.lock.LockTable;
import portcullis.serve.redis.SharedRedis;

/** An instance of a fleet: its locks, and what it logs. */
final class Instance implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private final AtomicReference<Duration> ahead = new AtomicReference<>(Duration.ZERO);
  private final InstantSource clock = () -> Instant.now().plus(ahead.get());
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final LogWriter writer = new LogWriter(out);
  private final Log log = new Log(Level.WARN, LogFormat.TEXT, writer, clock, "");
  private final LockTable locks = new LockTable(clock);
  private final Fleet fleet;
  private volatile Member.Digests digests = new Member.Digests("a".repeat(64), "b".repeat(64));

  private Instance(String name, String settings) {
    this.fleet = new Fleet(redis(settings), Outage.ALLOW, name, "1.0", () -> digests, locks, clock, log);
  }

  /** Returns one that has started, with these settings of {@code fleet}. */
  static Instance start(String name, String settings) {
    return new Instance(name, settings).started();
  }

  /** Returns one that has not, with Redis on that port. */
  static Instance at(String name, int port) {
    return at(name, port, "");
  }

  /** @param more settings of Redis */
  static Instance at(String name, int port, String more) {
    return new Instance(name, settings(port, more));
  }

  static Instance start(String name, int port) {
    return start(name, settings(port, ""));
  }

  /** @param more settings of Redis */
  static String settings(int port, String more) {
    return "{type: redis, config: {address: '127.0.0.1:" + port + "', tls: {disabled: true}" + more + "}}";
  }

  Instance started() {
    fleet.start();
    return this;
  }

  SharedRedis redis(String settings) {
    Problems problems = new Problems();
    return Yaml.read(new SourceFile("f", settings), problems)
        .flatMap(node -> FleetSettings.decoder().decode(node, problems))
        .flatMap(fleet -> fleet.redis().shared(false, new KeyRings(clock), log, problems))
        .orElseThrow(() -> new AssertionError(problems.sorted().stream().map(Problem::text).toList()));
  }

  Lock lock(String subject, Optional<Duration> time) {
    Instant now = clock.instant();
    Lock lock = new Lock(Lock.Target.SUBJECT, subject, "", Optional.empty(), "test", "command", now,
        time.map(now::plus));
    if (locks.add(lock).isPresent()) {
      fail("not locked");
    }
    return lock;
  }

  Lock lock(String subject) {
    return lock(subject, Optional.empty());
  }

  void unlock(Lock lock) {
    locks.remove(lock.id());
  }

  void decidesBy(Member.Digests others) {
    digests = others;
  }

  /** Sets how much its clock is ahead. */
  void setAhead(Duration time) {
    ahead.set(time);
  }

  List<String> problems() {
    return log.problems().stream().map(OngoingProblem::text).toList();
  }

  Log log() {
    return log;
  }

  LockTable locks() {
    return locks;
  }

  Fleet fleet() {
    return fleet;
  }

  boolean holds(Lock lock) {
    return locks.all().stream().anyMatch(one -> one.id().equals(lock.id()));
  }

  void awaitLock(Lock lock) {
    await("the lock holds", () -> holds(lock));
  }

  void awaitUnlock(Lock lock) {
    await("the lock does not hold", () -> !holds(lock));
  }

  void awaitShared() {
    await("others know everything", () -> fleet.pending() == 0);
  }

  static void await(String what, BooleanSupplier condition) {
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() > end) {
        fail("it has not come to this: " + what);
      }
      Thread.yield();
    }
  }

  boolean hasProblem(String text) {
    return problems().stream().anyMatch(one -> one.contains(text));
  }

  /** Returns the number of lines in the log with this text. */
  long logged(String text) {
    return out.toString(StandardCharsets.UTF_8).lines().filter(line -> line.contains(text)).count();
  }

  @Override
  public void close() {
    fleet.close();
    writer.close();
  }
}
