package portcullis.observe.telemetry;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The failures of a log's output; lost lines are remembered for an hour. Thread safe. */
final class LogLosses {
  static final Duration REMEMBERED = Duration.ofHours(1);

  private final String output;
  private final String lines;
  private Optional<OngoingProblem> failure = Optional.empty();
  private Optional<Loss> loss = Optional.empty();

  /** Lines lost since then, the last of them at another time; {@code total} since the start. */
  private record Loss(Instant since, Instant last, long total, String reason) {
    boolean isRecent(Instant now) {
      return now.isBefore(last.plus(REMEMBERED));
    }
  }

  LogLosses() {
    this("the log", "log lines");
  }

  /** @param output and lines as messages name them, like {@code the log} and {@code log lines} */
  LogLosses(String output, String lines) {
    this.output = output;
    this.lines = lines;
  }

  /** Records that the output fails, or without a reason that it works. */
  synchronized void failing(Optional<String> reason, Instant now) {
    failure = reason.map(why -> new OngoingProblem(now, output + " cannot be written: " + why));
  }

  /** @param total the number of lines lost since the start; one that is known already changes nothing */
  synchronized void lost(long total, String reason, Instant now) {
    if (loss.isEmpty() || total > loss.get().total) {
      Instant since = loss.filter(before -> before.isRecent(now)).map(Loss::since).orElse(now);
      loss = Optional.of(new Loss(since, now, total, reason));
    }
  }

  synchronized List<OngoingProblem> problems(Instant now) {
    List<OngoingProblem> out = new ArrayList<>();
    failure.ifPresent(out::add);
    loss.filter(one -> one.isRecent(now)).ifPresent(one -> out.add(new OngoingProblem(one.since,
        lines + " were dropped, " + one.total + " since the start, the last at " + one.last + ": " + one.reason)));
    return out;
  }
}
