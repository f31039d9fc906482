package portcullis.verify;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import portcullis.observe.decisions.CheckpointPace;

/**
 * The lines behind the last checkpoint of a chain. What is among them that its process does not leave was added by
 * somebody without the key: an event and its checkpoint are one write, and between the first line and its checkpoint
 * passes a known time. For one use.
 */
final class UnsignedLines {
  /** The last line, where it is an event. */
  private Optional<AuditLine> event = Optional.empty();
  private Instant earliest = Instant.MAX;
  private Instant latest = Instant.MIN;

  /** A checkpoint has confirmed them. */
  void confirmed() {
    event = Optional.empty();
    begin();
  }

  private void begin() {
    earliest = Instant.MAX;
    latest = Instant.MIN;
  }

  /**
   * Takes the next line, which is no checkpoint.
   *
   * @param interval between checkpoints; empty where it is not known
   * @return what is wrong with the lines before it
   */
  Optional<String> next(AuditLine line, Optional<Duration> interval) {
    boolean isStart = line.before().filter(before -> !before.equals("closed")).isPresent();
    Optional<String> problem = event.isPresent() && !isStart
        ? Optional
            .of("the event at " + event.get().at() + " is not confirmed, though a checkpoint follows each at once")
        : isStart ? spread(interval) : Optional.empty();
    event = Optional.of(line).filter(AuditLine::isEvent);
    if (line.before().isPresent()) {
      begin();
    } else {
      line.time().ifPresent(this::include);
    }
    return problem;
  }

  private void include(Instant time) {
    earliest = time.isBefore(earliest) ? time : earliest;
    latest = time.isAfter(latest) ? time : latest;
  }

  /** Returns that their times are too far from each other, if they are. */
  Optional<String> spread(Optional<Duration> interval) {
    boolean isWide = interval.isPresent() && earliest.isBefore(latest)
        && Duration.between(earliest, latest).compareTo(CheckpointPace.span(interval.get())) > 0;
    return isWide ? Optional.of("no checkpoint confirms the lines before, though their times are from " + earliest
        + " to " + latest + " and one is due every " + interval.get().toMillis() + " ms") : Optional.empty();
  }

  /** Returns where the newest line is, if it is an event without a checkpoint. */
  Optional<String> lastEvent() {
    return event.map(AuditLine::at);
  }
}
