package portcullis.verify;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
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
  private final List<String> notes = new ArrayList<>();
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
    event.filter(_ -> isStart).ifPresent(open -> notes.add(note(open, " before the start behind it")));
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

  private static String note(AuditLine event, String when) {
    return event.at() + " is an event that no checkpoint confirms" + when + ", which one write adds with it: the "
        + "process or the machine was stopped within that, or somebody has added the line";
  }

  /** Returns, for people, the events without a checkpoint that are accepted. */
  List<String> notes() {
    List<String> out = new ArrayList<>(notes);
    event.ifPresent(last -> out.add(note(last, "")));
    return out;
  }
}
