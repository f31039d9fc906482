package portcullis.serve.lock;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import portcullis.fixture.Await;
import portcullis.observe.telemetry.Level;
import portcullis.observe.telemetry.Log;
import portcullis.observe.telemetry.LogFormat;
import portcullis.observe.telemetry.LogWriter;
import portcullis.policy.lock.Lock;
import portcullis.policy.lock.LockTable;

class LockJournalTest {
  private static final Instant NOW = Instant.parse("2030-01-01T00:00:00Z");

  @TempDir
  private Path folder;
  private final Log log = new Log(Level.DISABLED, LogFormat.TEXT, new LogWriter(OutputStream.nullOutputStream()),
      InstantSource.system(), "");

  private Optional<LockJournal> latest = Optional.empty();

  private static Lock lock(String subject, Optional<Instant> until) {
    return new Lock(Lock.Target.SUBJECT, subject, "https://a.example", Optional.of(NOW), "because", "command", NOW,
        until);
  }

  /** Opens the file as after a restart. */
  private LockTable open() throws IOException {
    LockTable locks = new LockTable(InstantSource.fixed(NOW));
    open(locks);
    return locks;
  }

  private LockJournal open(LockTable locks) throws IOException {
    latest.ifPresent(LockJournal::close);
    LockJournal opened = LockJournal.open(folder.resolve("locks"), locks, log);
    latest = Optional.of(opened);
    return opened;
  }

  @AfterEach
  void close() {
    latest.ifPresent(LockJournal::close);
  }

  @Test
  void locksOutliveARestart() throws IOException {
    Lock alice = lock("alice", Optional.of(NOW.plusSeconds(60)));
    Lock bob = lock("bob", Optional.empty());
    LockTable first = open();
    first.add(alice);
    first.add(bob);
    first.add(lock("carol", Optional.empty()));
    first.remove(lock("carol", Optional.empty()).id());
    first.add(lock("over", Optional.of(NOW)));
    LockTable second = open();
    assertEquals(List.of(alice, bob).stream().map(Lock::id).sorted().toList(),
        second.all().stream().map(Lock::id).sorted().toList());
    assertEquals(true, second.all().containsAll(List.of(alice, bob)), "with all they say");
  }

  @Test
  void nobodyElseMayReadTheFile() throws IOException {
    open().add(lock("alice", Optional.empty()));
    assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(folder.resolve("locks"))));
  }

  private void assertRefused(String message, String text) throws IOException {
    Files.writeString(folder.resolve("locks"), text);
    assertEquals(message, assertThrows(IOException.class, this::open).getMessage(), text);
    assertEquals(text, Files.readString(folder.resolve("locks")), "it is unchanged");
  }

  @Test
  void aDamagedFileStopsTheStart() throws IOException {
    LockTable locks = open();
    locks.add(lock("alice", Optional.empty()));
    locks.add(lock("bob", Optional.empty()));
    String whole = Files.readString(folder.resolve("locks"));
    String remedy = "; remove this line, and set the lock in it again if it is still needed";
    assertRefused("line 1 is damaged" + remedy, "rubbish\n" + whole);
    assertRefused("line 3 is damaged" + remedy, whole + "rubbish\n");
    assertRefused("line 2 is damaged" + remedy, whole.replace("bob\"", "bob"));
    assertRefused("line 2 is cut off, as by a power failure" + remedy, whole.substring(0, whole.length() - 9));
    assertRefused("line 1 is cut off, as by a power failure" + remedy, whole.substring(0, 30));
    Files.writeString(folder.resolve("locks"), whole);
    assertEquals(2, open().size());
  }

  @Test
  void aFileIsUsedByOneAtATime() throws IOException {
    open().add(lock("alice", Optional.empty()));
    LockTable others = new LockTable(InstantSource.fixed(NOW));
    for (int i = 0; i < 2; i++) {
      IOException error = assertThrows(IOException.class,
          () -> LockJournal.open(folder.resolve("locks"), others, log));
      assertEquals(
          "another process keeps its locks there, perhaps a second Portcullis: each service needs a file of its "
              + "own",
          error.getMessage());
      assertEquals(0, others.all().size());
    }
    LockJournal.check(folder.resolve("locks"));
    assertEquals(1, open().size(), "after it has ended");
    assertEquals("rw-------",
        PosixFilePermissions.toString(Files.getPosixFilePermissions(folder.resolve("locks.lock"))));
  }

  @Test
  void whatIsNoFileDoesNotGrantItsUse() throws IOException {
    Path beside = folder.resolve("locks.lock");
    for (Link made : List.<Link>of(() -> Files.createDirectory(beside),
        () -> Files.createSymbolicLink(beside, folder.resolve("elsewhere")))) {
      made.make();
      LockTable locks = new LockTable(InstantSource.fixed(NOW));
      IOException error = assertThrows(IOException.class, () -> LockJournal.open(folder.resolve("locks"), locks, log));
      assertEquals("`" + beside + "` is not a regular file: remove it", error.getMessage());
      Files.delete(beside);
    }
    assertEquals(0, open().size());
  }

  private interface Link {
    Path make() throws IOException;
  }

  @Test
  void leavesAnotherFileUntouched() throws IOException {
    for (String other : new String[] {"0123456789abcdef".repeat(4) + "\n", "1".repeat(64),
      "{\"time\":\"2030-01-01T00:00:00Z\",\"decision\":\"allowed\"}\n", "\n",
      "-----BEGIN PRIVATE KEY-----\nMC4CAQAw\n-----END PRIVATE KEY-----\n"}) {
      assertRefused("it is not a file of locks, and stays as it is; name one that may be written anew", other);
    }
    Files.writeString(folder.resolve("locks"), "");
    assertEquals(0, open().size());
  }

  @Test
  void namesTheFileThatTheOperatorHasNamed() throws IOException {
    Path missing = folder.resolve("none/locks");
    IOException error = assertThrows(IOException.class, () -> LockJournal.check(missing));
    assertEquals("the locks in `none/locks` cannot be used: there is no folder `" + folder.resolve("none") + "`",
        LockJournal.refusal("none/locks", error));
    Files.createDirectory(folder.resolve("locks.new"));
    error = assertThrows(IOException.class, this::open);
    assertEquals(folder.resolve("locks") + ": Is a directory", error.getMessage());
  }

  @Test
  void leavesFoldersAndDevicesUntouched() throws IOException {
    Files.createDirectory(folder.resolve("locks"));
    assertEquals("it is a folder; name a file in it", assertThrows(IOException.class, this::open).getMessage());
    Path device = Path.of("/dev/null");
    assertEquals("it is not a regular file",
        assertThrows(IOException.class, () -> LockJournal.check(device)).getMessage());
  }

  @Test
  void aFileThatEverybodyMayWriteIsRefused() throws IOException {
    Path file = Files.createFile(folder.resolve("locks"));
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-rw-rw-"));
    IOException error = assertThrows(IOException.class, this::open);
    assertEquals("everybody may write it, as `chmod 600` prevents: any user could remove locks", error.getMessage());
    assertEquals("rw-rw-rw-", PosixFilePermissions.toString(Files.getPosixFilePermissions(file)));
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    assertEquals(0, open().size());
  }

  @Test
  void aFileThatEverybodyMayReplaceIsRefused() throws IOException {
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxrwxrwx"));
    IOException error = assertThrows(IOException.class, this::open);
    assertEquals("everybody may replace it in `" + folder + "`, as `chmod o-w` of that folder prevents: any user could "
        + "remove locks", error.getMessage());
    Files.setAttribute(folder, "unix:mode", 01777);
    assertEquals(0, open().size());
  }

  @Test
  void aStartWithoutTheFileIsLogged() throws Exception {
    Path file = folder.resolve("locks");
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (LogWriter writer = new LogWriter(out)) {
      Log read = new Log(Level.ERROR, LogFormat.TEXT, writer, InstantSource.fixed(NOW), "");
      for (String start : List.of("first", "second")) {
        LockJournal.open(file, new LockTable(InstantSource.fixed(NOW)), read).close();
        read.notice(start);
      }
      Await.until(() -> out.toString(StandardCharsets.UTF_8).endsWith("second\n"));
    }
    assertEquals(List.of("There was no file of locks, so none were loaded _file=" + file, "first", "second"),
        out.toString(StandardCharsets.UTF_8).lines().map(line -> line.replaceFirst(".*NTC ", "")).toList());
  }

  @Test
  void whatCannotBeWrittenIsAProblemUntilItIs() throws IOException {
    LockTable locks = open();
    Path file = folder.resolve("locks");
    Files.delete(file);
    Files.createDirectory(file);
    locks.add(lock("alice", Optional.empty()));
    assertEquals(1, log.problems().size());
    String problem = log.problems().getFirst().text();
    assertEquals(true,
        problem.startsWith("Locks cannot be written, a restart would lose the latest") && problem.contains(
            file.toString()),
        problem);
    Files.delete(file);
    locks.add(lock("bob", Optional.empty()));
    assertEquals(List.of(), log.problems());
    assertEquals(2, open().size(), "the next change writes what is missing too");
  }

  /** With locks missing, access would be open after a restart. */
  @ParameterizedTest
  @ValueSource(strings = {"removed", "emptied", "replaced", "cut"})
  void aFileThatAnotherProgramChangesIsWrittenAnew(String how) throws IOException {
    Path file = folder.resolve("locks");
    LockTable locks = new LockTable(InstantSource.fixed(NOW));
    LockJournal journal = open(locks);
    locks.add(lock("alice", Optional.empty()));
    locks.add(lock("bob", Optional.empty()));
    change(file, how);
    locks.add(lock("carol", Optional.empty()));
    assertEquals(3, Files.readAllLines(file).size(), "with the next change");
    change(file, how);
    journal.restore();
    assertEquals(3, Files.readAllLines(file).size(), "without one");
    Object key = Files.readAttributes(file, BasicFileAttributes.class).fileKey();
    journal.restore();
    locks.add(lock("dave", Optional.empty()));
    journal.restore();
    assertEquals(key, Files.readAttributes(file, BasicFileAttributes.class).fileKey(), "it is not replaced needlessly");
    assertEquals(4, open().size());
  }

  private void change(Path file, String how) throws IOException {
    String whole = Files.readString(file);
    switch (how) {
      case "removed" -> Files.delete(file);
      case "emptied" -> Files.writeString(file, "");
      case "replaced" -> Files.move(Files.writeString(folder.resolve("other"), whole.lines().findFirst().orElse("")
          + "\n"), file, StandardCopyOption.REPLACE_EXISTING);
      default -> Files.writeString(file, whole.substring(0, whole.length() - 9));
    }
  }

  @Test
  void theFileDoesNotGrowWithoutBound() throws IOException {
    LockTable locks = open();
    for (int i = 0; i < 1500; i++) {
      locks.add(lock("alice", Optional.of(NOW.plusSeconds(60 + i))));
    }
    try (var lines = Files.lines(folder.resolve("locks"))) {
      assertEquals(true, lines.count() < 1100);
    }
  }
}
