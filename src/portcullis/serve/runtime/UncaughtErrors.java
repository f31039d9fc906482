package portcullis.serve.runtime;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.regex.Pattern;
import portcullis.observe.metrics.Metric;
import portcullis.observe.metrics.Registry;
import portcullis.observe.telemetry.Causes;
import portcullis.observe.telemetry.Log;

/**
 * Logs uncaught errors of threads and counts them by thread while it is open. It is the default handler of all threads
 * of the JVM. Thread safe.
 */
final class UncaughtErrors implements Thread.UncaughtExceptionHandler, AutoCloseable {
  private static final Pattern DIGITS = Pattern.compile("\\d+");
  private static final int MOST_NAMES = 100;
  private static final String OTHER = "other";

  private final Log log;
  private final Map<String, LongAdder> counts = new ConcurrentHashMap<>();

  private UncaughtErrors(Log log) {
    this.log = log;
  }

  /** Installs a new handler as the default of the JVM. */
  static UncaughtErrors installed(Log log) {
    UncaughtErrors errors = new UncaughtErrors(log);
    Thread.setDefaultUncaughtExceptionHandler(errors);
    return errors;
  }

  @Override
  public void uncaughtException(Thread thread, Throwable error) {
    count(thread.getName()).increment();
    log.error("Background task failed", "_thread", thread.getName(), "_error", Causes.text(error));
  }

  /** Returns the counter of the kind of thread: names without numbers. */
  private LongAdder count(String thread) {
    String kind = DIGITS.matcher(thread.startsWith("rules of ") ? "rules" : thread).replaceAll("N");
    boolean fits = counts.size() < MOST_NAMES || counts.containsKey(kind);
    return counts.computeIfAbsent(fits && !kind.isEmpty() ? kind : OTHER, _ -> new LongAdder());
  }

  void measure(Registry registry) {
    registry.observe("portcullis.background.errors", "{error}", "Uncaught errors of background threads",
        Metric.Kind.COUNTER, this::samples, "thread.name");
  }

  private List<Metric.Sample> samples() {
    List<Metric.Sample> out = new ArrayList<>();
    counts.forEach((thread, count) -> out.add(Registry.sample(new Metric.Whole(count.sum()), "thread.name", thread)));
    return out;
  }

  @Override
  public void close() {
    Thread.setDefaultUncaughtExceptionHandler(null);
  }
}
