package portcullis.observe.decisions;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.PublicKey;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import portcullis.crypto.keys.KeyEntry;
import portcullis.crypto.keys.KeyRing;
import portcullis.fixture.Ed25519Files;

/** What the file of an audit chain has, and how it goes on after each way to end. */
class AuditChainTest {
  private static final Instant NOW = Instant.parse("2026-01-02T03:04:05Z");

  @TempDir
  private Path folder;
  private Path log;
  private KeyEntry key;
  private final List<String> anchored = new ArrayList<>();

  @BeforeEach
  void start() throws Exception {
    log = folder.resolve("decisions.log");
    key = KeyRing.read(Ed25519Files.write(folder, "audit"), "", NOW).first();
  }

  private AuditChain open(long maxBytes, int every) throws IOException {
    return new AuditChain(log,
        changes -> new RotatingFile(log, maxBytes, Duration.ofDays(1), 100, true, () -> NOW, changes), key,
        new CheckpointPace(every, Duration.ofSeconds(10)), () -> NOW, anchored::add);
  }

  /** The same with an anchor that has what the test has put into its file. */
  private AuditChain open(Path anchor) throws IOException {
    return new AuditChain(log,
        changes -> new RotatingFile(log, 1 << 20, Duration.ofDays(1), 100, true, () -> NOW, changes), key,
        new CheckpointPace(100, Duration.ofSeconds(10)), () -> NOW, new AuditChain.Anchor() {
          @Override
          public void offer(String checkpoint) {
            anchored.add(checkpoint);
          }

          @Override
          public Optional<ChainLine> newest(PublicKey publicKey, Predicate<ChainLine> wanted) throws IOException {
            return AnchorTail.newest(anchor, publicKey, wanted);
          }
        });
  }

  private static void write(AuditChain chain, int lines) throws IOException {
    byte[] bytes = "{\"time\":\"t\",\"decision\":\"allowed\"}\n".repeat(lines).getBytes(StandardCharsets.UTF_8);
    chain.write(bytes, 0, bytes.length);
  }

  /** Returns the lines of all files, the oldest first; each follows the one before. */
  private List<String> lines() throws IOException {
    List<Path> files;
    try (var all = Files.list(folder)) {
      files = new ArrayList<>(all.filter(f -> f.getFileName().toString().startsWith("decisions.log.")).sorted()
          .toList());
    }
    files.add(log);
    List<String> out = new ArrayList<>();
    for (Path file : files) {
      out.addAll(Files.readAllLines(file));
    }
    ChainLine before = null;
    for (String line : out) {
      ChainLine place = ChainLine.of(line.getBytes(StandardCharsets.UTF_8)).orElseThrow(() -> new AssertionError(line));
      assertTrue(before == null || place.follows(before), line);
      before = place;
    }
    return out;
  }

  private static Checkpoint checkpoint(String line) {
    return Checkpoint.of(line.getBytes(StandardCharsets.UTF_8)).orElseThrow(() -> new AssertionError(line));
  }

  @Test
  void linesAreNumberedAndConfirmed() throws Exception {
    try (AuditChain chain = open(1 << 20, 3)) {
      write(chain, 4);
      chain.record(AuditEvent.of("reload", "signal").with("files", List.of("a", "b")).with("count", 2));
    }
    List<String> lines = lines();
    assertEquals(11, lines.size(), String.join("\n", lines));
    assertTrue(lines.getFirst().contains("\"seq\":1,\"prev\":\"" + "0".repeat(64)
        + "\",\"time\":\"2026-01-02T03:04:05Z\",\"event\":\"chain\",\"by\":\"program\",\"before\":\"nothing\","),
        lines.getFirst());
    assertTrue(
        lines.get(7).contains("\"event\":\"reload\",\"by\":\"signal\",\"files\":[\"a\",\"b\"],\"count\":2,\"hash"),
        lines.get(7));
    assertEquals(List.of(lines.get(1), lines.get(5), lines.get(8), lines.get(10)), anchored);
    for (String line : anchored) {
      assertTrue(checkpoint(line).isSignedBy(key.publicKey()));
      assertEquals(Checkpoint.id(key.publicKey()), checkpoint(line).key());
    }
    assertTrue(checkpoint(lines.getLast()).last());
    assertFalse(checkpoint(lines.get(1)).last());
  }

  @Test
  void signatureCoversAllBeforeIt() throws Exception {
    open(1 << 20, 3).close();
    String line = lines().get(1);
    for (String part : List.of("\"seq\":2", "\"every\":3", "\"last\":false")) {
      String changed = line.replace(part, part.replaceAll("3$", "4").replaceAll("2$", "5").replace("false", "true"));
      byte[] bytes = changed.getBytes(StandardCharsets.UTF_8);
      assertTrue(Checkpoint.of(bytes).isEmpty(), "its own hash does not fit any more");
      byte[] signed = ChainLine.signedPart(bytes, ",\"signature\":\"").orElseThrow();
      Checkpoint before = checkpoint(line);
      assertFalse(new Checkpoint(before.line(), before.time(), before.every(), before.interval(), before.last(),
          before.key(), signed,
          before.signature()).isSignedBy(key.publicKey()), part);
    }
  }

  @Test
  void goesOnAfterACleanEndAndAcrossFiles() throws Exception {
    for (int i = 0; i < 3; i++) {
      try (AuditChain chain = open(2_000, 100)) {
        write(chain, 1);
        write(chain, 20);
      }
    }
    List<String> lines = lines();
    assertEquals(3 * 26, lines.size(), "with a checkpoint at the beginning of each file");
    assertEquals(2, lines.stream().filter(line -> line.contains("\"before\":\"closed\"")).count());
    try (var files = Files.list(folder)) {
      assertTrue(files.count() > 5);
    }
  }

  @Test
  void eachFileHasACheckpointOfItsFirstLines() throws Exception {
    try (AuditChain chain = open(2_000, 100)) {
      for (int i = 0; i < 20; i++) {
        write(chain, 2);
        String newest = Files.readAllLines(log).getLast();
        assertEquals(Files.readAllLines(log).size() <= 3, Checkpoint.of(newest.getBytes(StandardCharsets.UTF_8))
            .isPresent(), newest);
      }
    }
    lines();
  }

  @Test
  void recordsWhatAnotherProgramHasDoneToTheFile() throws Exception {
    try (AuditChain chain = open(1 << 20, 100)) {
      write(chain, 5);
      Path moved = folder.resolve("moved");
      Files.move(log, moved);
      write(chain, 1);
      List<String> begun = Files.readAllLines(log);
      assertTrue(begun.getFirst().contains("\"event\":\"chain\",\"by\":\"program\",\"before\":\"removed\","),
          begun.getFirst());
      assertEquals(begun.get(1), anchored.getLast());
      assertTrue(ChainLine.of(begun.getFirst().getBytes(StandardCharsets.UTF_8)).orElseThrow().follows(
          ChainLine.of(Files.readAllLines(moved).getLast().getBytes(StandardCharsets.UTF_8)).orElseThrow()));
      Files.writeString(log, begun.getFirst() + "\n");
      chain.record(AuditEvent.of("reload", "signal"));
      assertTrue(Files.readAllLines(log).get(1).contains("\"before\":\"cut\","), Files.readString(log));
      Files.delete(log);
    }
    assertTrue(Files.readAllLines(log).getFirst().contains("\"before\":\"removed\","), "also at the end");
    assertEquals(4, Files.readAllLines(log).size());
  }

  @Test
  void goesOnBehindWhatItsAnchorHas() throws Exception {
    Path anchor = folder.resolve("anchor");
    open(1 << 20, 100).close();
    Files.write(anchor, anchored);
    try (AuditChain chain = open(anchor)) {
      assertEquals(Optional.empty(), chain.missing());
      write(chain, 5);
    }
    List<String> before = lines();
    assertTrue(before.get(4).contains("\"before\":\"closed\""), before.get(4));
    ChainLine newest = checkpoint(before.getLast()).line();
    Files.writeString(anchor, "x\n" + String.join("\n", anchored) + "\n{\"cut");
    for (int left : List.of(before.size() - 1, before.size() - 2, 1)) {
      Files.write(log, before.subList(0, left));
      try (AuditChain chain = open(anchor)) {
        assertEquals(Optional.of(newest), chain.missing());
      }
      List<String> after = Files.readAllLines(log);
      assertTrue(after.get(left).contains("\"before\":\"cut\","), after.get(left));
      assertTrue(ChainLine.of(after.get(left).getBytes(StandardCharsets.UTF_8)).orElseThrow().follows(newest));
    }
    Files.delete(log);
    try (AuditChain chain = open(anchor)) {
      assertEquals(Optional.of(newest), chain.missing());
      assertTrue(Files.readAllLines(log).getFirst().contains("\"seq\":1,"), "a new chain");
    }
  }

  @Test
  void anAnchorOfAnotherLogOrKeyIsNotCompared() throws Exception {
    Path anchor = folder.resolve("anchor");
    open(1 << 20, 100).close();
    List<String> own = Files.readAllLines(log);
    Files.delete(log);
    anchored.clear();
    open(1 << 20, 100).close();
    open(1 << 20, 100).close();
    Files.write(anchor, anchored);
    Files.write(log, own);
    try (AuditChain chain = open(anchor)) {
      assertEquals(Optional.empty(), chain.missing(), "it is of another chain");
    }
    Files.write(anchor, anchored);
    Files.write(log, own);
    key = KeyRing.read(Ed25519Files.write(folder, "other"), "", NOW).first();
    try (AuditChain chain = open(anchor)) {
      assertEquals(Optional.empty(), chain.missing(), "another key has signed it");
    }
    assertEquals(own.size() + 4, Files.readAllLines(log).size());
  }

  @Test
  void healsATornLineWithARecord() throws Exception {
    try (AuditChain chain = open(1 << 20, 100)) {
      write(chain, 5);
    }
    byte[] whole = Files.readAllBytes(log);
    List<String> before = Files.readAllLines(log);
    for (int cut = before.getFirst().length() + 1; cut < whole.length; cut++) {
      Files.write(log, java.util.Arrays.copyOf(whole, cut));
      open(1 << 20, 100).close();
      List<String> lines = lines();
      boolean isWhole = whole[cut] == '\n';
      long complete = new String(whole, 0, cut, StandardCharsets.UTF_8).chars().filter(c -> c == '\n').count()
          + (isWhole ? 1 : 0);
      assertEquals(complete + 4, lines.size());
      String record = lines.get((int) complete);
      boolean torn = whole[cut - 1] != '\n' && !isWhole;
      assertEquals(torn, record.contains("\"torn_bytes\":"), record);
      assertEquals(isWhole, record.contains("\"line_end\":\"added\""), record);
      assertTrue(record.contains(cut == whole.length - 1 ? "\"before\":\"closed\"" : "\"before\":\"killed\""),
          record);
    }
  }

  @Test
  void goesOnFromTheRenamedFileWhenKilledBetween() throws Exception {
    try (AuditChain chain = open(1 << 20, 100)) {
      write(chain, 5);
    }
    Files.move(log, folder.resolve("decisions.log.20260102T030405.006Z"));
    open(1 << 20, 100).close();
    assertEquals(9 + 4, lines().size());
  }

  @Test
  void keepsAFileThatIsNotAChainAside() throws Exception {
    for (String other : List.of("{\"time\":\"t\"}\n", "{\"cut", "x\n{\"cut")) {
      Files.writeString(log, other);
      try (AuditChain chain = open(1 << 20, 100)) {
        assertTrue(Files.readString(Path.of(chain.replaced().orElseThrow())).startsWith(other));
      }
      assertEquals(4, Files.readAllLines(log).size());
      assertTrue(Files.readString(log).contains("\"before\":\"not_a_chain\",\"file_before\":\"decisions.log\""));
    }
    try (var files = Files.list(folder)) {
      assertEquals(3, files.filter(f -> f.getFileName().toString().startsWith("decisions.log.")).count());
    }
  }

  @Test
  void isWrittenByOneProcess() throws Exception {
    try (AuditChain _ = open(1 << 20, 100)) {
      assertEquals("another process writes it",
          assertThrows(IOException.class, () -> open(1 << 20, 100)).getMessage());
    }
    open(1 << 20, 100).close();
    assertEquals(8, lines().size());
  }

  private Instant now = NOW;

  private static List<String> events(Path log) throws IOException {
    return Files.readAllLines(log).stream().map(line -> line.contains("\"event\":\"checkpoint\"") ? "signed"
        : line.contains("\"event\"") ? "event" : "line").toList();
  }

  /** So that times show whether lines were added behind the last checkpoint. */
  @Test
  void linesThatAreFarFromEachOtherAreConfirmed() throws Exception {
    try (AuditChain chain = new AuditChain(log,
        changes -> new RotatingFile(log, 1 << 20, Duration.ofDays(1), 100, true, () -> now, changes), key,
        new CheckpointPace(100, Duration.ofSeconds(10)), () -> now, anchored::add)) {
      for (int seconds : List.of(0, 9, 10, 11, 5)) { // the last one after the clock was set back
        now = NOW.plusSeconds(seconds);
        write(chain, 1);
      }
      assertEquals(List.of("event", "signed", "line", "line", "line", "signed", "line", "signed", "line"), events(log));
      for (String time : List.of("2026-01-02T02:55:00.5Z", "2026-01-02T02:54:00.5Z", "2026-01-02T03:14:11Z")) {
        byte[] line = ("{\"time\":\"" + time + "\",\"decision\":\"allowed\"}\n").getBytes(StandardCharsets.UTF_8);
        chain.write(line, 0, line.length);
      }
      assertEquals(List.of("line", "line", "signed", "line", "signed", "line", "signed"),
          events(log).subList(8, events(log).size()));
    }
    assertEquals(Optional.of(Duration.ofSeconds(10)), checkpoint(lines().getLast()).interval());
  }

  /** Its first line is evidence of what was taken away, also where a checkpoint of earlier lines was due. */
  @Test
  void aFileAfterARemovedOneBeginsWithThat() throws Exception {
    for (boolean isEvent : List.of(true, false)) {
      try (AuditChain chain = new AuditChain(log,
          changes -> new RotatingFile(log, 1 << 20, Duration.ofDays(1), 100, true, () -> now, changes), key,
          new CheckpointPace(100, Duration.ofSeconds(10)), () -> now, anchored::add)) {
        write(chain, 1);
        now = now.plusSeconds(60);
        Files.delete(log);
        if (isEvent) {
          chain.record(AuditEvent.of("reload", "signal"));
        } else {
          write(chain, 1);
        }
        assertTrue(Files.readAllLines(log).getFirst().contains("\"before\":\"removed\","), Files.readString(log));
      }
    }
  }

  @Test
  void confirmsOnlyNewLines() throws Exception {
    try (AuditChain chain = open(1 << 20, 100)) {
      chain.confirm();
      write(chain, 1);
      chain.confirm();
      chain.confirm();
      assertEquals(2, anchored.size());
    }
  }

  @Test
  void refusesEventsOnceClosed() throws Exception {
    AuditChain chain = open(1 << 20, 100);
    chain.close();
    assertEquals("the audit log cannot be written: it is closed",
        assertThrows(AuditException.class, () -> chain.record(AuditEvent.of("reload", "signal"))).getMessage());
    Files.writeString(log, "", StandardOpenOption.APPEND);
    assertEquals(4, lines().size());
  }
}
