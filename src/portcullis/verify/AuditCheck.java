package portcullis.verify;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import portcullis.observe.decisions.ChainLine;
import portcullis.observe.decisions.Checkpoint;

/** Verifies one chain up to the first line that is not right. For one use. */
final class AuditCheck {
  /** The lines of new starts that may stand before a checkpoint that a killed process has not written. */
  private static final int AFTER_A_KILL = 10;

  private final String chain;
  private final List<AuditFile> files;
  private final AuditKeys keys;
  private final Optional<NavigableMap<Long, String>> anchored;
  private Optional<AuditFinding> finding = Optional.empty();
  private Optional<ChainLine> last = Optional.empty();
  private String lastAt = "";
  private Optional<Checkpoint> confirmed = Optional.empty();
  private Optional<String> torn = Optional.empty();
  private long first;
  /** The number of the last line that the anchor has too. */
  private long agreed;
  private boolean closed;
  private final List<String> notes = new ArrayList<>();
  private final RecordedTrouble trouble = new RecordedTrouble();
  private final UnsignedLines unsigned = new UnsignedLines();

  /**
   * @param files in order
   * @param anchored the hashes that the anchor has, by number; empty if there is no anchor
   */
  AuditCheck(String chain, List<AuditFile> files, AuditKeys keys, Optional<NavigableMap<Long, String>> anchored) {
    this.chain = chain;
    this.files = files;
    this.keys = keys;
    this.anchored = anchored;
  }

  /** Returns what it has found. */
  AuditReport.Chain result() throws IOException {
    for (int i = 0; i < files.size() && finding.isEmpty(); i++) {
      boolean isLast = i == files.size() - 1;
      files.get(i).read(line -> next(line, isLast));
    }
    if (finding.isEmpty()) {
      end();
    }
    notes.addAll(trouble.notes());
    notes.addAll(unsigned.notes());
    return new AuditReport.Chain(chain, first, last.map(ChainLine::number).orElse(0L),
        confirmed.map(one -> one.line().number()).orElse(0L), confirmed.map(Checkpoint::key).orElse(""),
        closed && torn.isEmpty(), torn,
        finding, notes);
  }

  private boolean next(AuditLine line, boolean lastFile) {
    if (line.torn() && lastFile && line.place().isEmpty() && !AuditFile.isWholeWithMore(line.bytes())) {
      if (last.filter(before -> !before.mayPrecede(line.bytes())).isPresent()) {
        finding = Optional.of(new AuditFinding(AuditFinding.Kind.INSERTED, line.at(), 0, 0,
            "it is not the beginning of the next line, which a killed process would have left"));
        return false;
      }
      torn = Optional.of(line.at());
      return true;
    }
    if (last.isEmpty() && line.place().filter(place -> place.number() > 1).isPresent()
        && line.isAfterInterference()) {
      finding = Optional.of(new AuditFinding(AuditFinding.Kind.DELETED, line.at(), 1, line.place().get().number() - 1,
          "the lines before it are missing, as another program removed, replaced or cut off the file of the running "
              + "service; name the file that has them, if it was only renamed"));
      return false;
    }
    trouble.take(line);
    if (closed && line.place().isPresent() && line.before().isEmpty() && line.follows(last.get())) {
      finding = Optional.of(new AuditFinding(AuditFinding.Kind.INSERTED, line.at(), line.place().get().number(),
          line.place().get().number(), "the log was closed before it, and no start is between"));
      return false;
    }
    if (closed && isAdded(line)) {
      finding = Optional.of(new AuditFinding(AuditFinding.Kind.INSERTED, line.at(), 0, 0,
          "the log was closed before it, and it does not belong to the log"));
      return false;
    }
    boolean right = line.place().isPresent()
        && (last.isPresent() ? line.follows(last.get()) : begins(line, line.place().get()));
    if (!right) {
      finding = Optional.of(new AuditDamage(chain, files, keys).of(last, lastAt, line));
      return false;
    }
    take(line, line.place().get());
    return finding.isEmpty();
  }

  /** Returns whether it is junk that no line of the chain follows. */
  private boolean isAdded(AuditLine line) {
    return line.place().isEmpty() && !line.isConverted() && !AuditFile.isWholeWithMore(line.bytes())
        && !last.orElseThrow().precedes(line.bytes()) && new AuditDamage(chain, files, keys).isLast(line);
  }

  /** Returns whether it may be the first of the files: of older ones nothing is known. */
  private boolean begins(AuditLine line, ChainLine place) {
    return place.chain().equals(chain) && (place.number() > 1 ? new AuditDamage(chain, files, keys).isLowest(line)
        : place.previous().equals(ChainLine.NONE));
  }

  private void take(AuditLine line, ChainLine place) {
    if (last.isEmpty()) {
      first = place.number();
    }
    last = Optional.of(place);
    lastAt = line.at();
    Optional<Checkpoint> checkpoint = Checkpoint.of(line.bytes());
    closed = checkpoint.filter(Checkpoint::last).isPresent();
    checkpoint.ifPresentOrElse(one -> confirm(line, one), () -> requireSignature(line, place));
    if (line.torn() && finding.isEmpty()) {
      notes.add(line.at() + " is whole, but its line end is missing: the file was cut off there, or its process was "
          + "killed");
    }
    Optional<String> expected = anchored.flatMap(hashes -> Optional.ofNullable(hashes.get(place.number())));
    if (finding.isEmpty() && expected.isPresent() && !expected.get().equals(place.hash())) {
      finding = Optional.of(new AuditFinding(AuditFinding.Kind.EDITED, line.at(), Math.max(first, agreed + 1),
          place.number(),
          "the anchor has another line of this number: "
              + "lines were replaced and signed again, or cut off before a start"));
    }
    agreed = expected.isPresent() ? place.number() : agreed;
  }

  private long unconfirmed() {
    return confirmed.map(one -> one.line().number() + 1).orElse(first);
  }

  private void confirm(AuditLine line, Checkpoint checkpoint) {
    keys.problem(checkpoint).ifPresentOrElse(
        why -> finding = Optional.of(new AuditFinding(AuditFinding.Kind.FORGED, line.at(), unconfirmed(),
            checkpoint.line().number(), why + ": nothing confirms the lines since the checkpoint before")),
        () -> {
          confirmed = Optional.of(checkpoint);
          unsigned.confirmed();
        });
  }

  /** Ensures that checkpoints come as often as the one before says, or soon after a process was killed. */
  private void requireSignature(AuditLine line, ChainLine place) {
    unsigned.next(line, interval()).ifPresent(why -> missingCheckpoint(line.at(), place.number(), why));
    long allowed = confirmed.map(one -> one.line().number() + one.every() + AFTER_A_KILL).orElse(Long.MAX_VALUE);
    if (finding.isEmpty() && place.number() > allowed) {
      missingCheckpoint(lastAt, place.number(), "a checkpoint is missing: these lines are confirmed by none");
    }
  }

  private Optional<Duration> interval() {
    return confirmed.flatMap(Checkpoint::interval);
  }

  private void missingCheckpoint(String at, long number, String why) {
    finding = Optional.of(new AuditFinding(AuditFinding.Kind.UNSIGNED, at, unconfirmed(), number, why));
  }

  private void end() {
    long newest = last.map(ChainLine::number).orElse(0L);
    if (anchored.isPresent() && !anchored.get().isEmpty() && anchored.get().lastKey() > newest) {
      finding = Optional.of(new AuditFinding(AuditFinding.Kind.TRUNCATED, lastAt, newest + 1, anchored.get().lastKey(),
          "the newest lines are missing: the anchor has a checkpoint with number " + anchored.get().lastKey()));
    } else if (anchored.isPresent() && (anchored.get().isEmpty() || anchored.get().lastKey() < first)) {
      finding = Optional.of(new AuditFinding(AuditFinding.Kind.UNSIGNED, lastAt, first, newest,
          "the anchor has no checkpoint of these lines"));
    } else if (confirmed.isEmpty() && newest > first) {
      finding = Optional.of(new AuditFinding(AuditFinding.Kind.UNSIGNED, lastAt, first, newest,
          "there is no checkpoint in these files"));
    } else {
      unsigned.spread(interval()).ifPresent(why -> missingCheckpoint(lastAt, newest, why));
    }
  }
}
