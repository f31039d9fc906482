package portcullis.observe.decisions;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;
import portcullis.observe.telemetry.BufferOutput;

/**
 * A file of lines that only its owner can read. Before it grows beyond a size or becomes older than an age it is
 * renamed, as {@code decisions.log.20260102T030405.006Z}, and the oldest renamed files are deleted. A write happens
 * completely or, as on a full disk, not at all. Where other programs have taken the file away, another one is begun;
 * what they have put in its place is set aside, with a name like that of a renamed file. For one thread.
 */
final class RotatingFile extends OutputStream implements BufferOutput {
  private static final DateTimeFormatter SUFFIX = DateTimeFormatter.ofPattern("uuuuMMdd'T'HHmmss.SSS'Z'", Locale.ROOT)
      .withZone(ZoneOffset.UTC);
  private static final int DIRECT_BYTES = 128 << 10;
  private static final String SUFFIX_REGEX = "\\.[0-9]{8}T[0-9]{6}\\.[0-9]{3}Z(-[0-9]+)?";

  private final Path path;
  private final long maxBytes;
  private final Duration maxAge;
  private final int keep;
  private final boolean exclusive;
  private final InstantSource clock;
  private final Consumer<Change> changes;
  /** A channel would look for a buffer outside the heap for each write from the heap; made when it is needed. */
  private Optional<ByteBuffer> direct = Optional.empty();
  private FileChannel channel;
  private Instant born;
  /** What is the same of all names of a file. */
  private Optional<Object> identity = Optional.empty();
  /** Whether it has a part of a write that failed, which could not be taken back. */
  private boolean incomplete;
  /** The size after the last complete write. */
  private long size;

  /** What became of the file that was written before. */
  enum Change {
    RENAMED("it was renamed, as it was too large or too old"), REMOVED("it was removed or renamed by another program"),
    REPLACED("another file was put in its place, which was set aside, and a new one begins"), CUT(
        "it was cut off by another program"),
    EXTENDED("what another program has added at its end was removed");

    private final String text;

    Change(String text) {
      this.text = text;
    }

    String text() {
      return text;
    }
  }

  /**
   * Opens the file, which is created if needed; what it has is kept.
   *
   * @param keep the number of renamed files
   * @param exclusive whether it has to be locked, as not every file system can; an incomplete last line is left to the
   *        caller then
   * @param changes gets what became of the file before a write, by the thread that writes
   */
  RotatingFile(Path path, long maxBytes, Duration maxAge, int keep, boolean exclusive, InstantSource clock,
      Consumer<Change> changes) throws IOException {
    this.path = real(path);
    this.maxBytes = maxBytes;
    this.maxAge = maxAge;
    this.keep = keep;
    this.exclusive = exclusive;
    this.clock = clock;
    this.changes = changes;
    if (Files.exists(this.path) && !Files.isRegularFile(this.path)) {
      throw new IOException("it is not a regular file");
    }
    if (Files.isSymbolicLink(this.path)) {
      throw new IOException("it is a link to a file that does not exist");
    }
    open(StandardOpenOption.CREATE);
  }

  /** Returns where a file is if it is not a link, so that no link is renamed. */
  static Path real(Path path) throws IOException {
    return Files.exists(path) ? path.toRealPath() : path.toAbsolutePath();
  }

  /** Returns the file, or if it is missing or empty the newest renamed one with content. */
  static Optional<Path> newest(Path path) throws IOException {
    Path whole = real(path);
    List<Path> files = new ArrayList<>(List.of(whole));
    if (Files.isDirectory(whole.getParent())) {
      files.addAll(renamed(whole));
    }
    for (Path file : files) {
      if (Files.isRegularFile(file) && Files.size(file) > 0) {
        return Optional.of(file);
      }
    }
    return Optional.empty();
  }

  private void open(StandardOpenOption creation) throws IOException {
    born = clock.instant();
    try {
      BasicFileAttributes attributes = Files.readAttributes(path, BasicFileAttributes.class);
      if (attributes.isRegularFile() && attributes.size() > 0) {
        born = attributes.creationTime().toInstant();
      }
    } catch (NoSuchFileException _) {
      // it is created now
    }
    channel = FileChannel.open(path,
        Set.of(creation, StandardOpenOption.READ, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS),
        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    try {
      requireLock();
      identity = identity();
      size = channel.size();
      channel.position(size);
      if (!exclusive) {
        endLine();
      }
    } catch (IOException e) {
      channel.close();
      throw e;
    }
  }

  /** Returns the identity of the file that has the name now, or as far as known; empty if there is none. */
  private Optional<Object> identity() {
    try {
      return Optional.ofNullable(Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS)
          .fileKey());
    } catch (NoSuchFileException _) {
      return Optional.empty();
    } catch (IOException _) {
      return identity; // whoever may not look there any more can still write
    }
  }

  /** Reports what other programs have done to the file, and begins another one where it is not the same any more. */
  void check() throws IOException {
    if (channel.isOpen()) {
      Optional<Object> current = identity();
      if (!current.equals(identity)) {
        channel.close();
        changes.accept(current.isEmpty() ? Change.REMOVED : Change.REPLACED);
      }
    }
    if (!channel.isOpen()) {
      setAside();
      open(StandardOpenOption.CREATE_NEW);
    } else if (channel.size() < size) {
      size = channel.size();
      channel.position(size);
      if (exclusive) {
        truncate(tail().complete());
      } else {
        endLine();
      }
      changes.accept(Change.CUT);
    } else if (channel.size() > size) {
      channel.truncate(size);
      if (!incomplete) {
        changes.accept(Change.EXTENDED);
      }
      incomplete = false;
    }
  }

  /** Gives what has the name of the file the name of a renamed one. */
  private void setAside() throws IOException {
    if (Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
      Files.move(path, beside(path.getFileName().toString()));
    }
  }

  /** Returns a path beside the file where there is nothing yet: the name with the time. */
  private Path beside(String name) {
    Path target = path.resolveSibling(name + "." + SUFFIX.format(clock.instant()));
    for (int i = 1; Files.exists(target, LinkOption.NOFOLLOW_LINKS); i++) {
      target = path.resolveSibling(name + "." + SUFFIX.format(clock.instant()) + "-" + i);
    }
    return target;
  }

  /** Keeps what another program has added, in a file of its own; returns where. */
  Path keepAdded(byte[] bytes) throws IOException {
    Path target = beside("added-" + path.getFileName());
    try (FileChannel out = FileChannel.open(target, Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")))) {
      for (ByteBuffer left = ByteBuffer.wrap(bytes); left.hasRemaining();) {
        out.write(left);
      }
      out.force(true);
    }
    return target;
  }

  /**
   * The system drops the lock as soon as the process closes the file anywhere (POSIX, fcntl): it is read through this
   * channel alone.
   */
  private void requireLock() throws IOException {
    try {
      if (channel.tryLock() != null) {
        return;
      }
    } catch (OverlappingFileLockException _) {
      // reported below
    } catch (IOException e) {
      if (exclusive) {
        throw e;
      }
      return; // a file system without locks
    }
    throw new IOException("another process writes it");
  }

  /** Ends a line that a killed process has left incomplete, so that the next one is not lost too. */
  void endLine() throws IOException {
    ByteBuffer last = ByteBuffer.allocate(1);
    if (size > 0) {
      channel.read(last, size - 1);
      if (last.get(0) != '\n') {
        writeAll(ByteBuffer.wrap(new byte[] {'\n'}));
        size = channel.size();
      }
    }
  }

  @Override
  public void write(int octet) throws IOException {
    write(new byte[] {(byte) octet}, 0, 1);
  }

  @Override
  public void write(byte[] bytes, int from, int length) throws IOException {
    write(ByteBuffer.wrap(bytes, from, length));
  }

  @Override
  public void write(ByteBuffer bytes) throws IOException {
    int length = bytes.remaining();
    check();
    long before = size;
    if (before > 0 && isDue(before + length)) {
      rotate();
      changes.accept(Change.RENAMED);
      before = size;
    }
    try {
      writeAll(bytes);
      size = before + length;
    } catch (IOException e) {
      incomplete = true;
      channel.truncate(before);
      incomplete = false;
      throw e;
    }
  }

  /** Returns the end of the file. */
  ChainTail tail() throws IOException {
    return ChainTail.read(channel);
  }

  /** Takes away what follows this size. */
  void truncate(long to) throws IOException {
    channel.truncate(to);
    size = to;
  }

  /** Waits until the device has what was written. */
  void force() throws IOException {
    channel.force(false);
  }

  private void writeAll(ByteBuffer bytes) throws IOException {
    while (bytes.hasRemaining()) {
      ByteBuffer next = bytes;
      if (!bytes.isDirect()) {
        int some = Math.min(bytes.remaining(), DIRECT_BYTES);
        next = copy().put(bytes.slice(bytes.position(), some)).flip();
        bytes.position(bytes.position() + some);
      }
      while (next.hasRemaining()) {
        channel.write(next);
      }
    }
  }

  private ByteBuffer copy() {
    direct = direct.or(() -> Optional.of(ByteBuffer.allocateDirect(DIRECT_BYTES)));
    return direct.get().clear();
  }

  private boolean isDue(long next) {
    return next > maxBytes || !clock.instant().isBefore(born.plus(maxAge));
  }

  /** Renames the file and begins another one. */
  void rotate() throws IOException {
    channel.close();
    setAside();
    open(StandardOpenOption.CREATE_NEW);
    born = clock.instant();
    for (Path old : older()) {
      Files.deleteIfExists(old);
    }
  }

  /** Returns the renamed files that are too many. */
  private List<Path> older() throws IOException {
    List<Path> found = renamed(path);
    return found.size() <= keep ? List.of() : found.subList(keep, found.size());
  }

  /** Returns the renamed files, the newest first; a folder that others have put in their place is none. */
  private static List<Path> renamed(Path path) throws IOException {
    String name = path.getFileName().toString();
    List<Path> found = new ArrayList<>();
    try (Stream<Path> all = Files.list(path.getParent())) {
      all.filter(file -> !Files.isDirectory(file, LinkOption.NOFOLLOW_LINKS)
          && file.getFileName().toString().startsWith(name)
          && file.getFileName().toString().substring(name.length()).matches(SUFFIX_REGEX)).forEach(found::add);
    }
    found.sort(Collections.reverseOrder());
    return found;
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
