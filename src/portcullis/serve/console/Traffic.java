package portcullis.serve.console;

import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import portcullis.background.BackgroundTask;
import portcullis.observe.metrics.Registry;

/**
 * The requests of the last five minutes: samples of the metrics, every two seconds, and of those by rule every ten
 * seconds for a minute. Its size is bounded, as that of the metrics is. Thread safe; started by {@link #start}.
 */
public final class Traffic implements AutoCloseable {
  static final Duration INTERVAL = Duration.ofSeconds(2);
  static final int SAMPLES = 150;
  private static final int RULE_EVERY = 5;
  private static final int RULE_SAMPLES = 6;

  private final Registry registry;
  private final InstantSource clock;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition sampled = lock.newCondition();
  private final Deque<TrafficSample> samples = new ArrayDeque<>();
  private final Deque<RuleSample> rules = new ArrayDeque<>();
  private final BackgroundTask task;
  private long version;

  private record RuleSample(long millis, Map<String, Long> counts) {}

  /**
   * What was sampled until a moment.
   *
   * @param samples the oldest first, at least one
   * @param rules at the moment of the last sample
   * @param rates requests per second by rule, see {@link RuleCounts#key}
   */
  record Picture(long version, List<TrafficSample> samples, List<RuleCounts> rules, Map<String, Double> rates) {
    TrafficSample last() {
      return samples.getLast();
    }

    /** Returns the sample of that long ago, or the first one. */
    TrafficSample before(Duration time) {
      long steps = time.toMillis() / INTERVAL.toMillis();
      return samples.get((int) Math.max(0, samples.size() - 1 - steps));
    }
  }

  public Traffic(Registry registry, InstantSource clock) {
    this.registry = registry;
    this.clock = clock;
    this.task = new BackgroundTask(Thread.ofVirtual().name("console-samples"), () -> {
      sample();
      Thread.sleep(INTERVAL);
      return true;
    });
    sample();
  }

  public void start() {
    task.start();
  }

  /** Takes a sample now. */
  void sample() {
    TrafficSample now = TrafficSample.of(registry, clock.instant());
    lock.lock();
    try {
      samples.add(now);
      if (samples.size() > SAMPLES + 1) {
        samples.removeFirst();
      }
      if (version % RULE_EVERY == 0) {
        Map<String, Long> counts = new HashMap<>();
        RuleCounts.of(registry).forEach(rule -> counts.put(rule.key(), rule.all()));
        rules.add(new RuleSample(now.at().toEpochMilli(), counts));
        if (rules.size() > RULE_SAMPLES) {
          rules.removeFirst();
        }
      }
      version++;
      sampled.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Returns what was sampled until now; the last sample is taken for this call. */
  Picture now() {
    TrafficSample now = TrafficSample.of(registry, clock.instant());
    lock.lock();
    try {
      List<TrafficSample> all = new ArrayList<>(samples);
      if (now.at().toEpochMilli() - all.getLast().at().toEpochMilli() < INTERVAL.toMillis() / 2) {
        all.removeLast(); // a short interval makes figures of a few requests look like many
      }
      all.add(now);
      return picture(all);
    } finally {
      lock.unlock();
    }
  }

  /** Returns what was sampled once there is more than a version has; empty if there is nothing in this time. */
  Optional<Picture> after(long known, Duration wait) throws InterruptedException {
    lock.lock();
    try {
      long left = wait.toNanos();
      while (version <= known && left > 0) {
        left = sampled.awaitNanos(left);
      }
      return version > known ? Optional.of(picture(new ArrayList<>(samples))) : Optional.empty();
    } finally {
      lock.unlock();
    }
  }

  private Picture picture(List<TrafficSample> all) {
    List<RuleCounts> counts = RuleCounts.of(registry);
    RuleSample first = rules.getFirst();
    double seconds = Math.max(1, (all.getLast().at().toEpochMilli() - first.millis) / 1e3);
    Map<String, Double> rates = new HashMap<>();
    for (RuleCounts rule : counts) {
      rates.put(rule.key(), (rule.all() - first.counts.getOrDefault(rule.key(), 0L)) / seconds);
    }
    return new Picture(version, all, counts, rates);
  }

  @Override
  public void close() {
    task.close();
    task.join(Duration.ofSeconds(1));
  }
}
