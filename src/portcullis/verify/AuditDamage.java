package portcullis.verify;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import portcullis.observe.decisions.ChainLine;
import portcullis.observe.decisions.Checkpoint;

/** Determines how a chain was damaged, from the first line that is wrong. The files are read again for that. */
final class AuditDamage {
  private static final String COPY = "it is a copy of another line";
  private static final int NEXT = 3;

  private final String chain;
  private final List<AuditFile> files;
  private final AuditKeys keys;

  AuditDamage(String chain, List<AuditFile> files, AuditKeys keys) {
    this.chain = chain;
    this.files = files;
    this.keys = keys;
  }

  /** @param before the last right line, and where it is; empty at the beginning */
  AuditFinding of(Optional<ChainLine> before, String beforeAt, AuditLine line) {
    if (line.isConverted()) {
      long number = before.map(one -> one.number() + 1).orElse(1L);
      return finding(AuditFinding.Kind.EDITED, line.at(), number, number,
          "it ends with CR LF instead of LF, so the file "
              + "has been converted; verify a copy that has not been, or one with `sed -i 's/\\r$//'` applied");
    }
    Optional<ChainLine> place = line.place().filter(one -> one.chain().equals(chain));
    Optional<AuditLine> next = after(line.at(), other -> other.place().filter(this::isOurs).isPresent());
    if (before.isEmpty() && place.isPresent() && place.get().number() > 1) {
      return misplacedFirst(line, place.get());
    }
    long number = before.map(one -> one.number() + 1)
        .orElse(next.flatMap(AuditLine::place).map(one -> Math.max(1, one.number() - 1)).orElse(1L));
    if (before.isPresent() && next.filter(one -> one.follows(before.get())).isPresent()) {
      return addedOrMoved(before.get(), line, next.get());
    }
    if (line.torn() && !AuditFile.isWholeWithMore(line.bytes())) {
      return finding(AuditFinding.Kind.TRUNCATED, line.at(), number, number, "its end is missing");
    }
    if (line.place().isEmpty()) {
      return finding(AuditFinding.Kind.EDITED, line.at(), number, number, "it is not as it was written: its own hash "
          + "does not fit");
    }
    if (place.isEmpty()) {
      return finding(AuditFinding.Kind.INSERTED, line.at(), number, number, "it is of another log: its chain is "
          + line.place().get().chain());
    }
    return before.isEmpty()
        ? finding(AuditFinding.Kind.EDITED, line.at(), place.get().number(), place.get().number(),
            "the first line names a line before it")
        : broken(before.get(), beforeAt, line, place.get());
  }

  /** Returns whether no line of the chain is behind it. */
  boolean isLast(AuditLine line) {
    return after(line.at(), other -> other.place().filter(this::isOurs).isPresent() || other.isConverted()).isEmpty();
  }

  /** Returns whether none of the next lines has a lower number than this one, which is the first. */
  boolean isLowest(AuditLine line) {
    long number = line.place().orElseThrow().number();
    int[] left = {NEXT};
    return after(line.at(), other -> {
      Optional<ChainLine> place = other.place().filter(this::isOurs);
      if (place.isPresent() && place.get().number() > number) {
        left[0]--;
      }
      return place.isPresent() && place.get().number() < number || left[0] == 0;
    }).flatMap(AuditLine::place).filter(one -> one.number() < number).isEmpty();
  }

  private AuditFinding misplacedFirst(AuditLine line, ChainLine place) {
    boolean isCopy = isElsewhere(line, place.hash());
    return isCopy || first(other -> other.follows(place)).isEmpty()
        ? finding(AuditFinding.Kind.INSERTED, line.at(), place.number(), place.number(),
            isCopy ? COPY : "it does not belong to the log")
        : finding(AuditFinding.Kind.SWAPPED, line.at(), place.number(), place.number(), "line number "
            + place.number() + " is here, before lines with lower numbers");
  }

  private boolean isElsewhere(AuditLine line, String hash) {
    return first(other -> !other.at().equals(line.at())
        && other.place().filter(one -> one.hash().equals(hash)).isPresent()).isPresent();
  }

  private boolean isOurs(ChainLine line) {
    return line.chain().equals(chain);
  }

  /** The right line follows directly, so that this one is too much here. */
  private AuditFinding addedOrMoved(ChainLine before, AuditLine line, AuditLine next) {
    Optional<ChainLine> place = line.place().filter(this::isOurs);
    if (place.isEmpty()) {
      return finding(AuditFinding.Kind.INSERTED, line.at(), before.number() + 1, before.number() + 1,
          line.place().isEmpty() ? "it does not belong to the log" : "it is of another log");
    }
    boolean isCopy = isElsewhere(line, place.get().hash());
    boolean isAwaited = first(other -> other.follows(place.get())).isPresent();
    return isCopy || !isAwaited
        ? finding(AuditFinding.Kind.INSERTED, line.at(), place.get().number(), place.get().number(),
            isCopy ? COPY : "it does not belong to the log")
        : finding(AuditFinding.Kind.SWAPPED, line.at(), before.number() + 1, place.get().number(), "line number "
            + place.get().number() + " is here, and number " + (before.number() + 1) + " at " + next.at());
  }

  private AuditFinding broken(ChainLine before, String beforeAt, AuditLine line, ChainLine place) {
    long expected = before.number() + 1;
    if (place.number() == expected) {
      return isConfirmed(line)
          ? finding(AuditFinding.Kind.EDITED, beforeAt, before.number(), before.number(),
              "it was replaced: the line after it follows another one")
          : finding(AuditFinding.Kind.EDITED, line.at(), expected, expected,
              "it was replaced: it does not follow the line before it");
    }
    if (place.number() < expected) {
      return finding(AuditFinding.Kind.INSERTED, line.at(), place.number(), place.number(),
          isElsewhere(line, place.hash()) ? COPY : "its number was used before");
    }
    Optional<AuditLine> right = after(line.at(), other -> other.follows(before));
    if (right.isPresent()) {
      return finding(AuditFinding.Kind.SWAPPED, line.at(), expected, place.number(), "line number " + place.number()
          + " is here, and number " + expected + " at " + right.get().at());
    }
    return deleted(expected, line, place);
  }

  private AuditFinding deleted(long expected, AuditLine line, ChainLine place) {
    long[] next = {place.number()};
    after(line.at(), other -> {
      other.place().filter(this::isOurs).filter(one -> one.number() >= expected)
          .ifPresent(one -> next[0] = Math.min(next[0], one.number()));
      return false;
    });
    long last = next[0] - 1;
    return finding(AuditFinding.Kind.DELETED, line.at(), expected, Math.max(expected, last),
        (last > expected ? "the lines with numbers " + expected + " to " + last + " are"
            : "line number " + expected
                + " is")
            + " missing before it");
  }

  /** Returns whether the lines from this one on are in order up to a checkpoint that counts. */
  private boolean isConfirmed(AuditLine line) {
    boolean[] confirmed = {false};
    ChainLine[] before = {line.place().orElseThrow()};
    Optional<Checkpoint> own = Checkpoint.of(line.bytes());
    if (own.isPresent()) {
      return keys.accept(own.get());
    }
    after(line.at(), other -> {
      if (!other.follows(before[0])) {
        return true;
      }
      before[0] = other.place().orElseThrow();
      confirmed[0] = Checkpoint.of(other.bytes()).filter(keys::accept).isPresent();
      return confirmed[0];
    });
    return confirmed[0];
  }

  private Optional<AuditLine> first(Predicate<AuditLine> wanted) {
    return find("", wanted);
  }

  /** Returns the first line after that place for which this holds. */
  private Optional<AuditLine> after(String at, Predicate<AuditLine> wanted) {
    return find(at, wanted);
  }

  private Optional<AuditLine> find(String after, Predicate<AuditLine> wanted) {
    AuditLine[] found = {null};
    boolean[] past = {after.isEmpty()};
    try {
      for (AuditFile file : files) {
        file.read(line -> {
          if (past[0] && wanted.test(line)) {
            found[0] = line;
          }
          past[0] |= line.at().equals(after);
          return found[0] == null;
        });
        if (found[0] != null) {
          return Optional.of(found[0]);
        }
      }
      return Optional.empty();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static AuditFinding finding(AuditFinding.Kind kind, String at, long first, long last, String text) {
    return new AuditFinding(kind, at, first, last, text);
  }
}
