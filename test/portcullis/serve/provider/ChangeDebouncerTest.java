package portcullis.serve.provider;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import portcullis.lang.source.SourceFile;

class ChangeDebouncerTest {
  private static final String WHOLE = "rules:\n- id: a\n- id: b\n";

  @TempDir
  private Path folder;
  private Path file;
  private long millis;
  private final ChangeDebouncer settling = new ChangeDebouncer(() -> Duration.ofMillis(millis).toNanos());

  @BeforeEach
  void create() {
    file = folder.resolve("r.yaml");
  }

  private ReadFile read(String text) throws IOException {
    Files.writeString(file, text);
    return new ReadFile(FileStamp.of(file).orElseThrow(), new SourceFile("r.yaml", text));
  }

  private boolean isComplete(Optional<ReadFile> before) throws IOException {
    return settling.isComplete(file, FileStamp.of(file).orElseThrow(), before);
  }

  private void assertCompleteAfter(long pause, Optional<ReadFile> before) throws IOException {
    assertFalse(isComplete(before));
    millis += pause - 1;
    assertFalse(isComplete(before), "too early");
    millis += 1;
    assertTrue(isComplete(before), "too late");
  }

  @Test
  void aRenamedFileIsCompleteSoon() throws IOException {
    ReadFile before = read(WHOLE);
    Path aside = Files.writeString(folder.resolve("aside"), "");
    Files.move(aside, file, StandardCopyOption.ATOMIC_MOVE);
    assertCompleteAfter(100, Optional.of(before));
  }

  @Test
  void aFileWrittenInPlaceIsCompleteAfterAPause() throws IOException {
    ReadFile before = read(WHOLE);
    Files.writeString(file, "rules:\n- id: a\n- id: c\n");
    assertCompleteAfter(300, Optional.of(before));
  }

  @Test
  void aNewFileIsCompleteAfterAPause() throws IOException {
    Files.writeString(file, WHOLE);
    assertCompleteAfter(300, Optional.empty());
  }

  @Test
  void aTruncatedFileIsWaitedForLonger() throws IOException {
    ReadFile before = read(WHOLE);
    Files.writeString(file, "rules:\n- id: a\n");
    assertCompleteAfter(3000, Optional.of(before));
  }

  @Test
  void aFileThatIsShorterThanItWasIsWaitedForLonger() throws IOException {
    ReadFile before = read(WHOLE);
    Files.writeString(file, "rules:\n- id: c\n");
    assertCompleteAfter(3000, Optional.of(before));
  }

  @Test
  void anEmptiedFileIsCompleteAfterAPause() throws IOException {
    ReadFile before = read(WHOLE);
    Files.writeString(file, "");
    assertCompleteAfter(300, Optional.of(before));
  }

  @Test
  void aFileThatDoesNotParseIsWaitedForLonger() throws IOException {
    ReadFile before = read(WHOLE);
    Files.writeString(file, "rules:\n- id: a\n- id: [a, b,\n");
    assertCompleteAfter(3000, Optional.of(before));
    settling.forget(file);
    assertCompleteAfter(3000, Optional.empty());
  }

  @Test
  void aFileThatEndsWithinALineIsWaitedForLonger() throws IOException {
    ReadFile before = read("rules:\n- id: a\n");
    Files.writeString(file, "rules:\n- id: a\n  path: /adm");
    assertCompleteAfter(3000, Optional.of(before));
  }

  @Test
  void everyChangeBeginsTheWaitAgain() throws IOException {
    Optional<ReadFile> before = Optional.of(read(WHOLE));
    for (int i = 0; i < 5; i++) {
      assertFalse(isComplete(before));
      millis += 250;
      Files.writeString(file, WHOLE + "# ".repeat(i) + "\n");
    }
    assertCompleteAfter(300, before);
  }

  /** The clocks of some file systems are too coarse to see every change. */
  @Test
  void otherBytesUnderTheSameStampBeginTheWaitAgain() throws IOException {
    Optional<ReadFile> before = Optional.of(read(WHOLE));
    FileStamp stamp = before.get().stamp();
    assertFalse(settling.isComplete(file, stamp, before));
    millis += 300;
    Files.writeString(file, WHOLE.replace("b", "c"));
    assertFalse(settling.isComplete(file, stamp, before));
    millis += 300;
    assertTrue(settling.isComplete(file, stamp, before));
  }
}
