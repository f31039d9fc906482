package portcullis.serve.lock;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
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

  private static Lock lock(String subject, Optional<Instant> until) {
    return new Lock(Lock.Target.SUBJECT, subject, "https://a.example", Optional.of(NOW), "because", "command", NOW,
        until);
  }

  private LockTable open() throws IOException {
    LockTable locks = new LockTable(InstantSource.fixed(NOW));
    LockJournal.open(folder.resolve("locks"), locks, log);
    return locks;
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

  @Test
  void aLineCutOffByAPowerFailureIsForgotten() throws IOException {
    open().add(lock("alice", Optional.empty()));
    Files.writeString(folder.resolve("locks"), Files.readString(folder.resolve("locks")) + "{\"target\":\"sub");
    assertEquals(1, open().size());
    assertEquals(1, open().size(), "the file is whole again");
  }

  @Test
  void aDamagedFileStopsTheStart() throws IOException {
    open().add(lock("alice", Optional.empty()));
    Files.writeString(folder.resolve("locks"), "rubbish\n" + Files.readString(folder.resolve("locks")));
    assertEquals("line 1 is damaged; repair or remove it", assertThrows(IOException.class, this::open).getMessage());
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
