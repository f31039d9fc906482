package portcullis.serve.runtime;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import portcullis.observe.telemetry.OngoingProblems;

/**
 * Reports what ends within 30, 7 or 1 days, or has ended: when one of these times begins and once a day, and as a
 * lasting problem until it is replaced. Where validity is short only times of less than half of it count. For one
 * thread.
 */
final class ExpiryWatch {
  /** In ascending order. */
  private static final List<Duration> TIMES = List.of(Duration.ZERO, Duration.ofDays(1), Duration.ofDays(7),
      Duration.ofDays(30));
  private static final Duration REMINDER = Duration.ofDays(1);

  private final InstantSource clock;
  private final OngoingProblems problems;
  private final Map<String, Report> reports = new HashMap<>();

  /** The last report about something that ends. */
  private record Report(Duration time, Instant at) {}

  /**
   * Something that ends.
   *
   * @param key known by it
   * @param name in the lasting problem
   * @param log gets the time that is left, which is not positive after the end
   */
  record Item(String key, String name, Instant begin, Instant end, Consumer<Duration> log) {}

  ExpiryWatch(InstantSource clock, OngoingProblems problems) {
    this.clock = clock;
    this.problems = problems;
  }

  /** @param items all that are in use */
  void check(List<Item> items) {
    Instant now = clock.instant();
    Set<String> keys = items.stream().map(Item::key).collect(Collectors.toSet());
    for (String known : List.copyOf(reports.keySet())) {
      if (!keys.contains(known)) {
        reports.remove(known);
        problems.end(known);
      }
    }
    items.forEach(one -> check(one, now));
  }

  private void check(Item item, Instant now) {
    Duration left = Duration.between(now, item.end());
    Duration validity = Duration.between(item.begin(), item.end());
    List<Duration> times = TIMES.stream().filter(time -> time.multipliedBy(2).compareTo(validity) < 0).toList();
    Optional<Duration> due = times.stream().filter(time -> left.compareTo(time) <= 0).findFirst();
    if (due.isEmpty()) {
      return;
    }
    problems.begin(item.key(), item.end().minus(times.getLast()),
        item.name() + (left.isPositive() ? " expires " : " expired ") + item.end());
    Report before = reports.get(item.key());
    if (before == null || !before.time.equals(due.get()) || !now.isBefore(before.at.plus(REMINDER))) {
      reports.put(item.key(), new Report(due.get(), now));
      item.log().accept(left);
    }
  }
}
