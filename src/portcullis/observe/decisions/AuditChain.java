package portcullis.observe.decisions;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.PublicKey;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Predicate;
import portcullis.crypto.keys.Jca;
import portcullis.crypto.keys.KeyEntry;
import portcullis.lang.source.FileFailure;

/**
 * A file of lines, each with its number and the hash of the line before, with signed checkpoints between them. What a
 * killed process has left is continued. A write happens completely or not at all. Thread safe.
 */
final class AuditChain extends OutputStream implements AuditTrail {
  private static final long PATIENCE_SECONDS = 5;

  private final RotatingFile file;
  private final KeyEntry key;
  private final String keyId;
  private final CheckpointPace pace;
  private final InstantSource clock;
  private final Anchor anchor;
  private final MessageDigest digest = Jca.sha256();
  private final ReentrantLock lock = new ReentrantLock();
  private ChainBatch batch = new ChainBatch();
  private String chain;
  private long number;
  private String head;
  /** The number of lines after the last checkpoint. */
  private long uncovered;
  /** When the first of these was written. */
  private Instant since = Instant.MIN;
  private boolean closed;
  /** The name that the file before this chain has now, as it does not end with a line of a chain. */
  private Optional<String> replaced = Optional.empty();
  /** What another program has done to the file, until the chain says so. */
  private Optional<RotatingFile.Change> interference = Optional.empty();
  private boolean renamed;
  /** The line that the anchor has and the file that was opened has not. */
  private Optional<ChainLine> missing = Optional.empty();
  private Optional<Path> added = Optional.empty();
  /** Whether nothing is known from the anchor of the chain that the file ends with. */
  private boolean unknown;

  /** A place elsewhere that gets checkpoints too. */
  @FunctionalInterface
  interface Anchor {
    void offer(String checkpoint);

    /** Returns the newest checkpoint of the key that is wanted; empty if there is none or nothing is known of it. */
    default Optional<ChainLine> newest(PublicKey publicKey, Predicate<ChainLine> wanted) throws IOException {
      return Optional.empty();
    }
  }

  /**
   * Opens or continues a chain, and records how it was found.
   *
   * @param path of the file; {@code open} opens it when its end is in order
   * @param key that signs checkpoints
   * @param pace when a checkpoint is due
   * @param anchor gets each checkpoint after it is written, and is compared with what the file has
   */
  AuditChain(Path path, Opening open, KeyEntry key, CheckpointPace pace, InstantSource clock, Anchor anchor)
      throws IOException {
    this.key = key;
    this.keyId = Checkpoint.id(key.publicKey());
    this.pace = pace;
    this.clock = clock;
    this.anchor = anchor;
    Optional<Path> newest = RotatingFile.newest(path);
    this.file = open.file(this::changed); // also locks it, so that nothing is healed that another process writes
    try {
      AuditEvent event = continued(RotatingFile.real(path), newest);
      write(event, false);
    } catch (IOException | RuntimeException e) {
      file.close();
      throw e;
    }
  }

  /** Opens the file. */
  @FunctionalInterface
  interface Opening {
    RotatingFile file(Consumer<RotatingFile.Change> changes) throws IOException;
  }

  private void changed(RotatingFile.Change change) {
    if (change == RotatingFile.Change.RENAMED) {
      renamed = true;
    } else {
      interference = Optional.of(change);
    }
  }

  private AuditEvent continued(Path path, Optional<Path> newest) throws IOException {
    AuditEvent event = AuditEvent.of("chain", "program");
    if (newest.isEmpty()) {
      missing = anchor.newest(key.publicKey(), _ -> true);
      begin();
      return event.with("before", "nothing");
    }
    ChainTail found = newest.get().equals(path) ? file.tail() : ChainTail.read(newest.get());
    ChainTail tail = found.completed();
    Optional<ChainLine> place = tail.place();
    if (place.isPresent() && tail.complete() > found.complete()) {
      if (newest.get().equals(path)) {
        file.endLine();
      } else {
        ChainTail.endLine(newest.get());
      }
      event = event.with("line_end", "added");
    }
    if (place.isPresent() && tail.torn().length > 0) {
      added = tail.isExtended() ? Optional.of(file.keepAdded(tail.torn())) : Optional.empty();
      heal(tail, path, newest.get());
      event = event.with("torn_bytes", tail.torn().length).with("torn_sha256", tail.tornHash());
    }
    if (place.isPresent()) {
      Optional<ChainLine> anchored = anchor.newest(key.publicKey(), line -> line.chain().equals(place.get().chain()));
      unknown = anchored.isEmpty();
      missing = anchored.filter(line -> line.number() > place.get().number());
      ChainLine end = missing.orElse(place.get()); // so that the gap is seen in the file
      chain = end.chain();
      number = end.number();
      head = end.hash();
      return event.with("before", missing.isPresent() ? "cut"
          : added.isPresent() ? "extended"
              : tail.isClosed() ? "closed" : "killed");
    }
    missing = anchor.newest(key.publicKey(), _ -> true);
    begin();
    if (newest.get().equals(path)) {
      file.rotate();
    }
    replaced = RotatingFile.newest(path).map(Path::toString);
    return event.with("before", "not_a_chain").with("file_before", newest.get().getFileName().toString());
  }

  /** Returns the file that it has found instead of a whole chain, where it is now; empty if it has found none. */
  Optional<String> replaced() {
    return replaced;
  }

  /** Returns the newest line that the anchor has, if it is missing in the file that was found. */
  Optional<ChainLine> missing() {
    return missing;
  }

  boolean isUnknownToAnchor() {
    return unknown;
  }

  /** Returns where what was added to the file that was found is now. */
  Optional<Path> added() {
    return added;
  }

  private void heal(ChainTail tail, Path path, Path newest) throws IOException {
    if (newest.equals(path)) {
      file.truncate(tail.complete());
    } else {
      tail.heal(newest);
    }
  }

  private void begin() {
    chain = ChainLine.newChain();
    number = 0;
    head = ChainLine.NONE;
  }

  @Override
  public void write(int octet) throws IOException {
    write(new byte[] {(byte) octet}, 0, 1);
  }

  /** Writes whole lines, each a JSON object with members. */
  @Override
  public void write(byte[] bytes, int from, int length) throws IOException {
    lock.lock();
    try {
      Draft draft = draft();
      draft.lines(bytes, from, length);
      draft.write();
      begun();
    } finally {
      lock.unlock();
    }
  }

  /** Begins lines, with one on what another program has done to the file. */
  private Draft draft() throws IOException {
    file.check();
    Draft draft = new Draft();
    interference.ifPresent(what -> {
      draft.line(AuditEvent.of("chain", "program").with("before", what.name().toLowerCase(Locale.ROOT)));
      draft.checkpoint(false);
    });
    return draft;
  }

  /** Confirms the first lines of a new file at once, so that it can be verified alone. */
  private void begun() {
    if (renamed) {
      try {
        renamed = false;
        confirmed();
      } catch (IOException _) {
        // the next checkpoint that is due confirms them
      }
    }
  }

  @Override
  public void record(AuditEvent event) throws AuditException {
    try {
      if (!lock.tryLock(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
        throw new AuditException("the audit log cannot be written: a write takes longer than five seconds");
      }
      try {
        write(event, false);
        begun();
      } finally {
        lock.unlock();
      }
    } catch (IOException e) {
      throw new AuditException("the audit log cannot be written: " + FileFailure.reason(e));
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      throw new AuditException("the audit log cannot be written: interrupted");
    }
  }

  /** Returns its last line; empty while a write takes longer than a second. */
  @Override
  public Optional<ChainHead> head() {
    try {
      if (!lock.tryLock(1, TimeUnit.SECONDS)) {
        return Optional.empty();
      }
      try {
        return Optional.of(new ChainHead(chain, number, head, uncovered, keyId));
      } finally {
        lock.unlock();
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      return Optional.empty();
    }
  }

  private void write(AuditEvent event, boolean last) throws IOException {
    if (closed) {
      throw new IOException("it is closed");
    }
    Draft draft = draft();
    draft.confirmIf(pace.isOver(draft.nextSince, draft.now));
    draft.line(event);
    draft.checkpoint(last);
    draft.write();
    file.force();
  }

  /** Writes a checkpoint if there are lines after the last one. */
  void confirm() throws IOException {
    lock.lock();
    try {
      if (uncovered > 0 && !closed) {
        confirmed();
      }
    } finally {
      lock.unlock();
    }
  }

  private void confirmed() throws IOException {
    if (uncovered > 0) {
      Draft draft = draft();
      draft.checkpoint(false);
      draft.write();
      file.force();
    }
  }

  /** Closes the log with a signed line. */
  @Override
  public void close() throws IOException {
    lock.lock();
    try {
      if (!closed) {
        write(AuditEvent.of("closed", "program"), true);
      }
    } finally {
      closed = true;
      file.close();
      lock.unlock();
    }
  }

  /** Lines that are written together or not at all. */
  private final class Draft {
    private long nextNumber = number;
    private String nextHead = head;
    private long nextUncovered = uncovered;
    private Instant nextSince = since;
    private final Instant now = clock.instant();
    private final List<String> checkpoints = new ArrayList<>();

    Draft() {
      batch.reset();
    }

    /** Adds lines; one whose time is far is between checkpoints, wherever a killed process ends the write. */
    void lines(byte[] bytes, int from, int length) {
      confirmIf(pace.isOver(nextSince, now));
      CheckpointPace.Near near = CheckpointPace.near(now);
      for (int begin = from, i = from; i < from + length; i++) {
        if (bytes[i] == '\n') {
          boolean isFar = !near.has(bytes, begin, i);
          confirmIf(isFar);
          line(bytes, begin, i - begin);
          confirmIf(isFar);
          begin = i + 1;
        }
      }
    }

    private void confirmIf(boolean isDue) {
      if (isDue && nextUncovered > 0) {
        checkpoint(false);
      }
    }

    /** Adds a line, a JSON object, and a checkpoint if one is due. */
    void line(byte[] bytes, int from, int length) {
      int begin = begin();
      batch.write(bytes, from + 1, length - 2);
      end(begin);
      nextSince = nextUncovered == 0 ? now : nextSince;
      if (++nextUncovered >= pace.every()) {
        checkpoint(false);
      }
    }

    void line(AuditEvent event) {
      byte[] line = event.line(now).getBytes(StandardCharsets.UTF_8);
      line(line, 0, line.length);
    }

    void checkpoint(boolean last) {
      int begin = begin();
      batch.ascii(Checkpoint.members(clock.instant().toString(), pace, last, keyId));
      batch.ascii(Checkpoint.signatureMember(key.privateKey(), batch.from(begin)));
      end(begin);
      checkpoints.add(new String(batch.from(begin), StandardCharsets.UTF_8).stripTrailing());
      nextUncovered = 0;
    }

    private int begin() {
      int begin = batch.size();
      nextNumber++;
      batch.ascii(ChainLine.begin(chain, nextNumber, nextHead));
      return begin;
    }

    private void end(int begin) {
      nextHead = batch.hash(begin, digest);
      batch.ascii(ChainLine.end(nextHead));
      batch.write('\n');
    }

    void write() throws IOException {
      batch.writeTo(file);
      number = nextNumber;
      head = nextHead;
      uncovered = nextUncovered;
      since = nextSince;
      interference = Optional.empty();
      checkpoints.forEach(anchor::offer);
      if (batch.isLarge()) {
        batch = new ChainBatch();
      }
    }
  }
}
