package portcullis.serve.shadow;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import portcullis.background.BackgroundTask;
import portcullis.background.LowPriority;
import portcullis.http.message.Body;
import portcullis.http.message.Content;
import portcullis.lang.value.ParseBudget;
import portcullis.lang.value.ParseMemory;
import portcullis.observe.decisions.AnswerMemory;
import portcullis.observe.decisions.DecisionLog;
import portcullis.observe.decisions.RemoteAnswers;
import portcullis.observe.decisions.SharedAnswers;
import portcullis.observe.metrics.Instrument;
import portcullis.observe.metrics.Machine;
import portcullis.observe.metrics.Metric;
import portcullis.observe.metrics.Registry;
import portcullis.policy.mechanism.YamlFormat;
import portcullis.policy.replay.DecisionText;
import portcullis.policy.replay.Evidence;
import portcullis.policy.replay.MissingParts;
import portcullis.policy.replay.RecordedAnswer;
import portcullis.policy.replay.Redecision;
import portcullis.policy.rule.Rule;
import portcullis.policy.rule.RuleOrigin;

/**
 * Decides requests again by shadow rules, on a thread of its own with a low priority. It uses a tenth of the processors
 * at most, and less while they are busy. Requests wait in a queue of limited size; those that find no room are dropped
 * and counted, and nothing waits for it. No remote service is called. Thread safe.
 */
public final class ShadowJudge implements AutoCloseable {
  private static final int MOST_QUEUED = 512;
  /**
   * The number while requests come faster than they are decided again. What waits survives collections of garbage,
   * which take the longer the more survives, and all requests wait for them.
   */
  private static final int FEW_QUEUED = 64;
  /** The time in which some have always waited after which they count as too fast. */
  private static final long BACKLOG_NANOS = 100_000_000;
  /** The time without a drop after which more may wait again. */
  private static final long CALM_NANOS = 1_000_000_000;
  private static final long MOST_BYTES = 32L << 20;
  private static final long PARSED_BYTES = 64L << 20;
  private static final long LOOK_NANOS = 1_000_000_000;
  /** Requests of so long are decided together: to wake the thread for each would cost them more than to decide it. */
  private static final long BATCH_NANOS = 3_000_000;
  /** The time without a request after which the next one wakes the thread. */
  private static final long QUIET_NANOS = 100_000_000;

  /** Without a lock: requests would wait for it where its thread, which has a low priority, is not running. */
  private final Queue<Job> queue = new ConcurrentLinkedQueue<>();
  private final AtomicInteger queued = new AtomicInteger();
  private final AnswerMemory memory;
  private final ParseMemory parsed = new ParseMemory(PARSED_BYTES);
  private final DutyCycle duty = new DutyCycle(Runtime.getRuntime().availableProcessors(),
      Machine::load);
  private final SharedAnswers shared;
  private final Optional<DecisionLog> log;
  private final Optional<Instrument<LongAdder>> decisions;
  private final LongAdder dropped = new LongAdder();
  private final BackgroundTask task = new BackgroundTask(Thread.ofPlatform().daemon().name("shadow rules"),
      this::round);
  private final Runnable priorityRefused;
  private boolean started;
  /** Used by the thread alone. */
  private boolean prepared;
  /** When the last request was decided; used by the thread alone. */
  private long last = System.nanoTime() - QUIET_NANOS;
  private volatile Optional<ShadowSet> current = Optional.empty();
  private volatile boolean idle;
  private volatile int room = MOST_QUEUED;
  /** The drops that its thread has seen, and when it saw the last one, or that it does not keep up. */
  private long seenDropped;
  private long droppedAt;
  private long emptyAt = System.nanoTime();

  /** @param bytes that it takes of the memory */
  private record Job(ShadowSet set, DecidedRequest request, long bytes) {}

  /**
   * Creates one without rules.
   *
   * @param shared responses that do not depend on a request
   * @param log where changes are written, if there is one
   * @param priorityRefused called once if the system does not allow the thread a low priority
   */
  public ShadowJudge(SharedAnswers shared, Optional<DecisionLog> log, Optional<Registry> registry,
      Runnable priorityRefused) {
    this(shared, log, registry, priorityRefused, AnswerMemory.upTo(MOST_BYTES));
  }

  ShadowJudge(SharedAnswers shared, Optional<DecisionLog> log, Optional<Registry> registry, Runnable priorityRefused,
      AnswerMemory memory) {
    this.memory = memory;
    this.priorityRefused = priorityRefused;
    this.shared = shared;
    this.log = log;
    this.decisions = registry.map(r -> r.counter("portcullis.shadow.decisions", "{request}",
        "Requests that were decided by shadow rules too, by both decisions and the rule of the shadow rules",
        "shadow.from", "shadow.to", "ruleset.id", "rule.id"));
    registry.ifPresent(r -> r.observe("portcullis.shadow.dropped", "{request}",
        "Requests that were not decided by shadow rules, as there was no room for them", Metric.Kind.COUNTER,
        () -> List.of(Registry.sample(new Metric.Whole(dropped.sum())))));
  }

  /**
   * Returns the rules in use where a request that begins now will probably find room; otherwise it is dropped and
   * counted before anything is recorded for it.
   */
  public Optional<ShadowSet> admitting() {
    Optional<ShadowSet> set = current;
    if (set.isEmpty() || queued.get() < room) {
      return set;
    }
    drop(set.get());
    return Optional.empty();
  }

  private void drop(ShadowSet set) {
    dropped.increment();
    set.tally().drop();
    if (room > FEW_QUEUED) {
      room = FEW_QUEUED;
    }
  }

  /** Compares with these rules from now on, or with none. Requests of other rules that still wait are discarded. */
  public synchronized void use(Optional<ShadowSet> next) {
    current = next;
    if (next.isPresent() && !started) {
      started = true;
      task.start();
    }
  }

  /** Returns how many requests were dropped since the start. */
  public long dropped() {
    return dropped.sum();
  }

  /** Queues a request, or drops and counts it; never waits. @param set that was in use before it was decided */
  public void offer(ShadowSet set, DecidedRequest request) {
    if (!isCurrent(set)) {
      return;
    }
    long bytes = request.bytes();
    if (memory.reserve(bytes)) {
      if (queued.incrementAndGet() <= room) {
        add(new Job(set, request, bytes));
        return;
      }
      queued.decrementAndGet();
      memory.release(bytes);
    }
    drop(set);
  }

  private void add(Job job) {
    job.set.tally().joined();
    queue.add(job);
    if (idle) {
      idle = false;
      task.wake();
    }
  }

  private boolean isCurrent(ShadowSet set) {
    return current.filter(used -> used == set).isPresent();
  }

  private boolean round() {
    if (!prepared) {
      prepared = true;
      if (!LowPriority.take()) {
        priorityRefused.run();
      }
    }
    Optional<Job> job = Optional.ofNullable(queue.poll());
    if (job.isPresent()) {
      queued.decrementAndGet();
      judge(job.get());
      if (room > FEW_QUEUED && last - emptyAt > BACKLOG_NANOS) {
        room = FEW_QUEUED;
        droppedAt = last;
      }
      return true;
    }
    makeRoom();
    if (System.nanoTime() - last < QUIET_NANOS) {
      LockSupport.parkNanos(this, BATCH_NANOS);
    } else {
      rest();
    }
    return true;
  }

  private void makeRoom() {
    long now = System.nanoTime();
    emptyAt = now;
    long sum = dropped.sum();
    if (sum != seenDropped) {
      seenDropped = sum;
      droppedAt = now;
    } else if (room < MOST_QUEUED && now - droppedAt > CALM_NANOS) {
      room = MOST_QUEUED;
    }
  }

  private void rest() {
    idle = true;
    if (queue.isEmpty()) {
      LockSupport.parkNanos(this, LOOK_NANOS);
    }
    idle = false;
  }

  private void judge(Job job) {
    long begin = System.nanoTime();
    try {
      if (isCurrent(job.set)) {
        compare(job.set, job.request);
      }
    } finally {
      job.set.tally().left();
      memory.release(job.bytes);
    }
    last = System.nanoTime();
    long pause = duty.pause(last - begin, last);
    if (pause > 0) {
      LockSupport.parkNanos(this, pause);
    }
  }

  private void compare(ShadowSet set, DecidedRequest before) {
    Redecision.Result result = decided(set, before);
    switch (result) {
      case Redecision.Result.Unchanged _ -> count(set, before, before.allowed() ? "allowed" : "denied", before.rule(),
          ShadowReport.Change.UNCHANGED, "");
      case Redecision.Result.Undecided(String reason) ->
        count(set, before, "undecided", before.rule(), ShadowReport.Change.UNDECIDED, reason);
      case Redecision.Result.Decided now -> {
        ShadowReport.Change change = change(before, now);
        count(set, before, now.allowed() ? "allowed" : "denied", now.rule(), change,
            change == ShadowReport.Change.UNCHANGED ? "" : DecisionText.of(now));
        if (change != ShadowReport.Change.UNCHANGED) {
          log.ifPresent(lines -> lines.offer(FlipLine.of(before, change, now)));
        }
      }
    }
  }

  private Redecision.Result decided(ShadowSet set, DecidedRequest before) {
    MissingParts missing = new MissingParts();
    Content content = before.body().map(Content::of).orElseGet(missing::body);
    try (Body body = new Body(content, before.request().fields().joined("Content-Type").orElse(""),
        ParseBudget.DEFAULT, parsed, "", YamlFormat::orOther)) {
      List<RecordedAnswer> answers = new ArrayList<>();
      before.answers().forEach(answer -> answers.add(RecordedAnswer.of(answer)));
      for (RemoteAnswers.Answer answer : shared.all()) {
        answers.add(RecordedAnswer.of(answer));
      }
      return set.redecision().of(before.past(), before.request().detached(body),
          Optional.of(new Evidence(before.subject(), answers, before.cache())), missing, () -> "");
    } catch (RuntimeException | StackOverflowError | OutOfMemoryError e) {
      return new Redecision.Result.Undecided("an internal error: " + e.getClass().getSimpleName());
    }
  }

  private static ShadowReport.Change change(DecidedRequest before, Redecision.Result.Decided now) {
    if (now.allowed() != before.allowed()) {
      return now.allowed() ? ShadowReport.Change.NEWLY_ALLOWED : ShadowReport.Change.NEWLY_DENIED;
    }
    return now.allowed() || now.error().equals(before.error()) ? ShadowReport.Change.UNCHANGED
        : ShadowReport.Change.DENIED_OTHERWISE;
  }

  private void count(ShadowSet set, DecidedRequest before, String to, Optional<Rule> rule,
      ShadowReport.Change change, String now) {
    RuleOrigin origin = before.rule().map(Rule::origin).orElse(RuleOrigin.UNKNOWN);
    set.tally().add(change, change == ShadowReport.Change.UNCHANGED ? ""
        : DecisionText.of(before.allowed(), before.rule().map(Rule::id).orElse(""), origin.at(), before.step(),
            before.error()),
        now, before.id());
    decisions.ifPresent(counter -> counter
        .of(before.allowed() ? "allowed" : "denied", to, rule.map(Rule::source).orElse(""),
            rule.map(Rule::id).orElse(""))
        .increment());
  }

  @Override
  public void close() {
    task.close();
  }
}
