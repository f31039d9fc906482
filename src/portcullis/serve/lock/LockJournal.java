package portcullis.serve.lock;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import portcullis.crypto.keys.KeyFile;
import portcullis.lang.source.FileFailure;
import portcullis.lang.value.Json;
import portcullis.lang.value.JsonText;
import portcullis.lang.value.Value;
import portcullis.lang.value.ValueException;
import portcullis.observe.telemetry.Log;
import portcullis.policy.lock.Lock;
import portcullis.policy.lock.LockTable;

/**
 * Keeps locks in a file, a line for each change, which is on the disk when the change is reported. The file is written
 * again when most of its lines have no effect any more. Thread safe.
 */
public final class LockJournal implements LockTable.Listener, AutoCloseable {
  /** Locks name subjects. */
  private static final FileAttribute<?> OWN = PosixFilePermissions
      .asFileAttribute(PosixFilePermissions.fromString("rw-------"));
  /** Some 100,000 changes. */
  private static final long LARGEST = 64 << 20;
  private static final int SPARE_LINES = 1000;
  private static final String REMOVED = "removed";
  /** What a line begins with, also one that is cut off. */
  private static final String BEGIN = "{\"authenticated_until\":";

  private final Path file;
  private final LockTable locks;
  private final Log log;
  private final SoleUse use;
  private long lines;
  private Optional<Stamp> left = Optional.empty();
  private boolean failed;

  /** What shows whether another program has changed the file since it was written. */
  private record Stamp(Object key, long size, FileTime modified) {
    static Stamp of(Path file) throws IOException {
      BasicFileAttributes found = Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
      return new Stamp(found.fileKey(), found.size(), found.lastModifiedTime());
    }

    /** Returns whether nothing but so many bytes was added to the same file. */
    boolean precedes(Stamp later, int bytes) {
      return key.equals(later.key) && size + bytes == later.size;
    }
  }

  private LockJournal(Path file, SoleUse use, LockTable locks, Log log) {
    this.file = file.toAbsolutePath();
    this.use = use;
    this.locks = locks;
    this.log = log;
  }

  /**
   * Adds the locks of the file, and keeps further changes there.
   *
   * @throws IOException if the file cannot be read or written, is another one, is that of another process, or is
   *     damaged: with locks missing, access would be open; it is unchanged then
   */
  public static LockJournal open(Path file, LockTable locks, Log log) throws IOException {
    requirePlace(file);
    SoleUse use = SoleUse.of(file.toAbsolutePath());
    boolean missing = Files.notExists(file);
    LockJournal journal = new LockJournal(file, use, locks, log);
    try {
      load(file, locks);
      journal.compact();
    } catch (IOException e) {
      use.close();
      throw e;
    }
    if (missing) { // right at the first start only: else locks are lost
      log.notice("There was no file of locks, so none were loaded", "_file", journal.file.toString());
    }
    locks.listen(journal);
    return journal;
  }

  /**
   * Reads the file without changing anything.
   *
   * @throws IOException if {@link #open} would refuse what it has
   */
  public static void check(Path file) throws IOException {
    requirePlace(file);
    load(file, new LockTable(InstantSource.system()));
  }

  /** Returns the message for a file that was refused, as it is named in the configuration. */
  public static String refusal(String file, IOException cause) {
    return "the locks in `%s` cannot be used: %s".formatted(file, FileFailure.reason(cause));
  }

  private static void requirePlace(Path file) throws IOException {
    Path folder = file.toAbsolutePath().normalize().getParent();
    if (folder != null && !Files.isDirectory(folder)) {
      throw new IOException("there is no folder `" + folder + "`");
    }
    if (Files.exists(file) && !Files.isRegularFile(file)) {
      throw new IOException(Files.isDirectory(file) ? "it is a folder; name a file in it" : "it is not a regular file");
    }
    if (KeyFile.isWritableByAll(file)) {
      throw new IOException(KeyFile.WRITABLE + ": any user could remove locks");
    }
    if (folder != null && KeyFile.isFolderOfAll(folder)) {
      throw new IOException("everybody may replace it in `" + folder + "`, as `chmod o-w` of that folder prevents: "
          + "any user could remove locks");
    }
  }

  private static void load(Path file, LockTable locks) throws IOException {
    String text;
    try {
      if (Files.size(file) > LARGEST) {
        throw new IOException("it is larger than " + LARGEST + " bytes");
      }
      text = Files.readString(file);
    } catch (NoSuchFileException _) {
      return;
    }
    List<String> all = text.lines().toList();
    List<Integer> damaged = IntStream.range(0, all.size()).filter(i -> !apply(all.get(i), locks)).boxed().toList();
    if (!damaged.isEmpty()) {
      int first = damaged.getFirst();
      boolean isOwn = damaged.size() < all.size() || all.getFirst().startsWith(BEGIN);
      boolean isCutOff = first == all.size() - 1 && !text.endsWith("\n");
      throw new IOException(!isOwn ? "it is not a file of locks, and stays as it is; name one that may be written anew"
          : "line " + (first + 1) + (isCutOff ? " is cut off, as by a power failure" : " is damaged")
              + "; remove this line, and set the lock in it again if it is still needed");
    }
  }

  private static boolean apply(String line, LockTable locks) {
    try {
      if (!(Json.read(line) instanceof Value.Dict object)) {
        return false;
      }
      if (object.get(REMOVED).orElse(Value.NULL) instanceof Value.Str id) {
        locks.remove(id.value());
        return true;
      }
      Optional<Lock> lock = LockDocument.read(object);
      return lock.isPresent() && locks.add(lock.get()).isEmpty();
    } catch (ValueException _) {
      return false;
    }
  }

  private synchronized void compact() throws IOException {
    List<String> all = new ArrayList<>();
    locks.all().forEach(lock -> all.add(JsonText.plain(LockDocument.of(lock))));
    Path next = file.resolveSibling(file.getFileName() + ".new");
    String text = all.isEmpty() ? "" : String.join("\n", all) + "\n";
    Stamp written;
    try {
      write(next, text, StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING);
      written = Stamp.of(next); // it stays the same when it is renamed; afterwards it could be another one
      Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } catch (AccessDeniedException e) {
      throw new IOException(Files.isWritable(file.getParent()) ? file + ": permission denied"
          : "new files may not be made in `" + file.getParent() + "`, as it is replaced by one", e);
    } catch (IOException e) {
      throw new IOException(FileFailure.reason(e).replace(next.toString(), file.toString()), e); // operators know it
    }
    lines = all.size();
    left = Optional.of(written);
  }

  /** Writes a text, and returns the number of its bytes. */
  private static int write(Path path, String text, StandardOpenOption... how) throws IOException {
    Set<StandardOpenOption> options = EnumSet.of(StandardOpenOption.WRITE, how);
    ByteBuffer bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
    try (FileChannel channel = FileChannel.open(path, options, OWN)) {
      long before = channel.size();
      try {
        while (bytes.hasRemaining()) {
          channel.write(bytes);
        }
      } catch (IOException e) {
        channel.truncate(before); // a full disk leaves no part of a line
        throw e;
      }
      channel.force(true);
    }
    return bytes.limit();
  }

  @Override
  public void added(Lock lock) {
    append(LockDocument.of(lock));
  }

  @Override
  public void removed(Lock lock) {
    append(Value.dict(REMOVED, Value.of(lock.id())));
  }

  /** Returns whether the latest change could not be written, so that a restart would lose it. */
  public synchronized boolean hasFailed() {
    return failed;
  }

  /** Rewrites the file if another program has removed, replaced or changed it, or if it could not be written. */
  public synchronized void restore() {
    boolean isStopping = Thread.currentThread().isInterrupted(); // it could not write then
    if (!isStopping && (failed || isChanged())) {
      write(this::compact);
    }
  }

  private boolean isChanged() {
    try {
      return left.isEmpty() || !left.get().equals(Stamp.of(file));
    } catch (IOException _) {
      return true;
    }
  }

  /** Writes a change, or all locks where the file is not as it was left. */
  private synchronized void append(Value.Dict change) {
    if (failed || lines > 2L * locks.size() + SPARE_LINES || isChanged()) {
      write(this::compact);
    } else {
      write(() -> {
        Stamp before = left.orElseThrow();
        int bytes = write(file, JsonText.plain(change) + "\n", StandardOpenOption.APPEND);
        Stamp after = Stamp.of(file);
        if (before.precedes(after, bytes)) {
          lines++;
          left = Optional.of(after);
        } else {
          logChange();
          compact();
        }
      });
    }
  }

  private void logChange() {
    log.error("Another program has changed the file of locks, which is to be written anew with the locks in force",
        "_file", file.toString());
  }

  private interface Writing {
    void run() throws IOException;
  }

  /** A lock that cannot be written holds all the same; the next change writes all of them. */
  private void write(Writing writing) {
    if (!failed && isChanged()) {
      logChange();
    }
    try {
      writing.run();
      failed = false;
      log.resolved(file.toString(), "Locks are written again", "_file", file.toString());
    } catch (IOException e) {
      failed = true;
      log.problem(file.toString(), "Locks cannot be written, a restart would lose the latest", "_file",
          file.toString(), "_error", FileFailure.reason(e));
    }
  }

  /** Lets another process use the file; changes are to have ended. */
  @Override
  public void close() {
    use.close();
  }
}
