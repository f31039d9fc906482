package portcullis.observe.decisions;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RotatingFileTest {
  private static final Duration DAY = Duration.ofDays(1);

  @TempDir
  private Path folder;
  private Instant now = Instant.now();
  private final List<RotatingFile.Change> changes = new ArrayList<>();

  private RotatingFile open(long bytes, int keep) throws IOException {
    return new RotatingFile(folder.resolve("log"), bytes, DAY, keep, false, () -> now, changes::add);
  }

  private static void write(RotatingFile file, String text) throws IOException {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    file.write(bytes, 0, bytes.length);
  }

  private List<String> contents() throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      List<String> out = new ArrayList<>();
      for (Path file : files.sorted().toList()) {
        out.add(Files.readString(file));
      }
      return out;
    }
  }

  @Test
  void isRenamedBeforeItGrowsBeyondItsSize() throws IOException {
    try (RotatingFile file = open(10, 5)) {
      write(file, "12345678\n");
      write(file, "abc\n");
      write(file, "def\n");
    }
    assertEquals(List.of("abc\ndef\n", "12345678\n"), contents());
  }

  @Test
  void isRenamedWhenItIsTooOld() throws IOException {
    try (RotatingFile file = open(1000, 5)) {
      write(file, "a\n");
      now = now.plus(DAY).minusSeconds(60);
      write(file, "b\n");
      now = now.plusSeconds(120);
      write(file, "c\n");
    }
    assertEquals(List.of("c\n", "a\nb\n"), contents());
  }

  @Test
  void keepsTheNewestRenamedFilesOnly() throws IOException {
    Files.writeString(folder.resolve("log.old"), "of another program\n");
    try (RotatingFile file = open(1, 2)) {
      for (String line : List.of("a\n", "b\n", "c\n", "d\n", "e\n")) {
        write(file, line);
        now = now.plusSeconds(1);
      }
    }
    assertEquals(List.of("e\n", "c\n", "d\n", "of another program\n"), contents());
  }

  @Test
  void renamedFilesOfTheSameTimeDoNotReplaceEachOther() throws IOException {
    try (RotatingFile file = open(1, 9)) {
      for (String line : List.of("a\n", "b\n", "c\n")) {
        write(file, line);
      }
    }
    assertEquals(3, contents().size());
  }

  @Test
  void goesOnWithTheFileOfBefore() throws IOException {
    try (RotatingFile file = open(1000, 5)) {
      write(file, "a\n");
    }
    Files.writeString(folder.resolve("log"), "a\n{\"cut");
    try (RotatingFile file = open(1000, 5)) {
      write(file, "b\n");
    }
    assertEquals(List.of("a\n{\"cut\nb\n"), contents(), "the incomplete line of a killed process is ended");
  }

  @Test
  void onlyItsOwnerCanReadIt() throws IOException {
    try (RotatingFile _ = open(1000, 5)) {
      assertEquals("rw-------",
          PosixFilePermissions.toString(Files.getPosixFilePermissions(folder.resolve("log"))));
    }
  }

  @Test
  void failsWithoutAFolder() {
    assertThrows(IOException.class,
        () -> new RotatingFile(folder.resolve("none/log"), 1000, DAY, 1, false, () -> now, changes::add));
    assertTrue(Files.notExists(folder.resolve("none")));
  }

  @Test
  void saysThatItWasRenamedInItsTime() throws IOException {
    try (RotatingFile file = open(1, 5)) {
      write(file, "a\n");
      assertEquals(List.of(), changes);
      write(file, "b\n");
      assertEquals(List.of(RotatingFile.Change.RENAMED), changes);
    }
  }

  @Test
  void anotherOneIsBegunWhereItWasTakenAway() throws IOException {
    try (RotatingFile file = open(1000, 5)) {
      write(file, "a\n");
      Files.delete(folder.resolve("log"));
      write(file, "b\n");
      assertEquals(List.of("b\n"), contents());
      Files.move(folder.resolve("log"), folder.resolve("log.1"));
      write(file, "c\n");
      assertEquals(List.of("c\n", "b\n"), contents());
    }
    assertEquals(List.of(RotatingFile.Change.REMOVED, RotatingFile.Change.REMOVED), changes);
  }

  @Test
  void whatWasPutInItsPlaceIsSetAside() throws IOException {
    Path other = Files.writeString(folder.resolve("other"), "of another program\n");
    try (RotatingFile file = open(1000, 5)) {
      write(file, "a\n");
      Files.delete(folder.resolve("log"));
      Files.createSymbolicLink(folder.resolve("log"), other);
      write(file, "b\n");
      Files.delete(folder.resolve("log"));
      Files.writeString(folder.resolve("log"), "foreign\n");
      write(file, "c\n");
      assertEquals(List.of("c\n", "of another program\n", "foreign\n", "of another program\n"), contents());
      assertEquals("rw-------",
          PosixFilePermissions.toString(Files.getPosixFilePermissions(folder.resolve("log"))));
    }
    assertEquals(List.of(RotatingFile.Change.REPLACED, RotatingFile.Change.REPLACED), changes);
  }

  @Test
  void aFolderInItsPlaceIsSetAsideAndKept() throws IOException {
    try (RotatingFile file = open(1, 0)) {
      write(file, "a\n");
      Files.delete(folder.resolve("log"));
      Files.writeString(Files.createDirectory(folder.resolve("log")).resolve("inner"), "of another program\n");
      write(file, "b\n");
      write(file, "c\n");
    }
    assertEquals("c\n", Files.readString(folder.resolve("log")));
    assertEquals(List.of(RotatingFile.Change.REPLACED, RotatingFile.Change.RENAMED), changes);
    try (Stream<Path> files = Files.walk(folder)) {
      assertEquals(1, files.filter(path -> path.endsWith("inner")).count());
    }
  }

  @Test
  void aLinkIsNotRenamed() throws IOException {
    Path disk = Files.createDirectory(folder.resolve("disk"));
    Path link = Files.createSymbolicLink(folder.resolve("log"), Files.createFile(disk.resolve("real")));
    try (RotatingFile file = open(1, 5)) {
      write(file, "a\n");
      write(file, "b\n");
    }
    assertTrue(Files.isSymbolicLink(link));
    assertEquals("b\n", Files.readString(link));
    try (Stream<Path> files = Files.list(disk)) {
      assertEquals(2, files.count());
    }
    assertEquals(List.of(RotatingFile.Change.RENAMED), changes);
  }

  @Test
  void whatOthersHaveAddedIsRemovedAndReported() throws IOException {
    try (RotatingFile file = open(1000, 5)) {
      write(file, "a\n");
      Files.writeString(folder.resolve("log"), "foreign\n", StandardOpenOption.APPEND);
      write(file, "b\n");
    }
    assertEquals(List.of("a\nb\n"), contents());
    assertEquals(List.of(RotatingFile.Change.EXTENDED), changes);
  }

  @Test
  void goesOnWhereItWasCutOff() throws IOException {
    try (RotatingFile file = open(1000, 5)) {
      write(file, "first\nsecond\n");
      Files.writeString(folder.resolve("log"), "first\nsec");
      write(file, "third\n");
      write(file, "fourth\n");
      assertEquals(List.of("first\nsec\nthird\nfourth\n"), contents());
      assertEquals(List.of(RotatingFile.Change.CUT), changes);
      Files.writeString(folder.resolve("log"), "");
      write(file, "fifth\n");
      assertEquals(List.of("fifth\n"), contents());
    }
    assertEquals(List.of(RotatingFile.Change.CUT, RotatingFile.Change.CUT), changes);
  }

  @Test
  void isARegularFile() throws IOException {
    for (String other : List.of("/dev/null", folder.toString())) {
      Files.createSymbolicLink(folder.resolve("log"), Path.of(other));
      assertEquals("it is not a regular file",
          assertThrows(IOException.class, () -> open(1, 5)).getMessage());
      Files.delete(folder.resolve("log"));
    }
    Files.createSymbolicLink(folder.resolve("log"), folder.resolve("missing"));
    assertEquals("it is a link to a file that does not exist",
        assertThrows(IOException.class, () -> open(1, 5)).getMessage());
  }

  @Test
  void isOpenedAgainWhenItsFolderIsBack() throws IOException {
    Path inner = Files.createDirectory(folder.resolve("inner"));
    try (RotatingFile file = new RotatingFile(inner.resolve("log"), 1000, DAY, 1, false, () -> now, changes::add)) {
      write(file, "a\n");
      Files.delete(inner.resolve("log"));
      Files.delete(inner);
      assertThrows(IOException.class, () -> write(file, "b\n"));
      assertThrows(IOException.class, () -> write(file, "b\n"));
      Files.createDirectory(inner);
      write(file, "c\n");
      assertEquals("c\n", Files.readString(inner.resolve("log")));
    }
    assertEquals(List.of(RotatingFile.Change.REMOVED), changes);
  }
}
