package portcullis.verify;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import portcullis.crypto.keys.VerificationKeys;
import portcullis.fixture.Ed25519Files;
import portcullis.lang.source.Problems;
import portcullis.observe.decisions.ChainLine;
import portcullis.observe.telemetry.Level;
import portcullis.observe.telemetry.Log;
import portcullis.observe.telemetry.LogFormat;
import portcullis.observe.telemetry.LogWriter;

/** What is found behind the end of a log that was closed, and what the next start makes of it. */
class AuditEndTest {
  @TempDir
  private Path folder;
  private Path key;
  private Path log;
  private Path anchor;
  private List<String> lines;

  @BeforeEach
  void start() throws Exception {
    key = Ed25519Files.write(folder, "audit");
    Path own = Files.createDirectory(folder.resolve("own"));
    lines = AuditLog.write(own, key, 1).getFirst();
    log = own.resolve("log");
    anchor = own.resolve("anchor");
  }

  private AuditReport verified() throws Exception {
    Problems problems = new Problems();
    return AuditVerification.run(AuditLog.files(log.getParent()), VerificationKeys.ed25519(folder.resolve("audit.pub")),
        Optional.of(anchor), problems).orElseThrow(() -> new AssertionError(problems.sorted().toString()));
  }

  private void append(String text) throws Exception {
    Files.writeString(log, text, StandardOpenOption.APPEND);
  }

  @ParameterizedTest
  @ValueSource(strings = {"partial", "{\"decision\":\"allowed\",\"path\":\"/never\"}",
    "{\"chain\":\"0123456789abcdef\"",
    "junk\n", "\n", "\u00ff\n", "{\"decision\":\"allowed\"}\n{\"decision\":\"denied\"}\nmore"})
  void whatWasAddedIsFoundAndTakenAwayByTheNextStart(String added) throws Exception {
    append(added);
    AuditFinding found = verified().all().getFirst();
    assertEquals(log + ":" + (lines.size() + 1), found.at());
    assertEquals(AuditFinding.Kind.INSERTED, found.kind(), found.text());
    List<String> after = AuditLog.write(log.getParent(), key, 1).getFirst();
    assertEquals(lines, after.subList(0, lines.size()));
    String begun = after.get(lines.size());
    assertTrue(begun.contains("\"torn_bytes\":" + added.getBytes(StandardCharsets.UTF_8).length
        + ",") && begun.contains("\"before\":\"extended\""),
        begun);
    try (Stream<Path> all = Files.list(log.getParent())) {
      Path kept = all.filter(file -> file.getFileName().toString().startsWith("added-log.2026")).findFirst()
          .orElseThrow();
      assertEquals(added, Files.readString(kept));
      assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(kept)));
    }
    AuditReport report = verified();
    assertEquals(List.of(), report.all(), report.text());
    assertTrue(report.text().contains("note: " + log + ":" + (lines.size() + 1)
        + " says that the file before it had something added, which was removed"), report.text());
  }

  @Test
  void theBeginningOfTheNextLineIsThatOfAKilledStart() throws Exception {
    ChainLine last = ChainLine.of(lines.getLast().getBytes(StandardCharsets.UTF_8)).orElseThrow();
    String next = "{\"chain\":\"" + last.chain() + "\",\"seq\":" + (last.number() + 1) + ",\"prev\":\"" + last.hash()
        + "\",\"time\":\"20";
    for (String torn : List.of(next, next.substring(0, 3), next.substring(0, 40), next + "\0\0\0", "\0\0")) {
      Files.write(log, lines);
      append(torn);
      AuditReport report = verified();
      assertEquals(List.of(), report.all(), report.text());
      assertTrue(report.text().contains(" is incomplete: the process was killed while it wrote"), report.text());
    }
    String begun = AuditLog.write(log.getParent(), key, 1).getFirst().get(lines.size());
    assertTrue(begun.contains("\"torn_bytes\":2,") && begun.contains("\"before\":\"killed\""), begun);
  }

  @Test
  void onlyAStartFollowsTheEnd() throws Exception {
    String forged = AuditLog.relinked(lines.get(2).replaceFirst("\"seq\":3,", "\"seq\":" + (lines.size() + 1) + ","),
        lines.getLast());
    append(forged + "\n");
    AuditFinding found = verified().all().getFirst();
    assertEquals(AuditFinding.Kind.INSERTED, found.kind(), found.text());
    assertEquals(log + ":" + (lines.size() + 1), found.at());
  }

  @Test
  void aLogThatWasReplacedByAnythingElseIsMissed() throws Exception {
    Files.writeString(log, "x\n");
    AuditLog.write(log.getParent(), key, 1);
    for (Path aside : AuditLog.files(log.getParent())) {
      if (!aside.equals(log)) {
        Files.delete(aside);
      }
    }
    AuditReport report = verified();
    assertEquals(List.of(AuditFinding.Kind.TRUNCATED), report.all().stream().map(AuditFinding::kind).toList(),
        report.text());
    assertTrue(Files.readString(log).contains("\"before\":\"not_a_chain\""));
  }

  @Test
  void aLineThatWasCutOffUnderTheServiceIsNotCalledEdited() throws Exception {
    Path other = Files.createDirectory(folder.resolve("other"));
    Path current = other.resolve("log");
    AuditLog.write(other, key, 1, () -> {
      byte[] whole = Files.readAllBytes(current);
      Files.write(current, java.util.Arrays.copyOf(whole, whole.length - 50), StandardOpenOption.WRITE,
          StandardOpenOption.TRUNCATE_EXISTING);
    });
    log = current;
    anchor = other.resolve("anchor");
    AuditFinding found = verified().all().getFirst();
    assertEquals(AuditFinding.Kind.DELETED, found.kind(), found.text());
    assertTrue(Files.readString(current).contains("\"before\":\"cut\""), Files.readString(current));
  }

  private String problems(List<String> found) throws Exception {
    for (Path file : AuditLog.files(log.getParent())) {
      Files.deleteIfExists(file);
    }
    if (!found.isEmpty()) {
      Files.writeString(log, String.join("\n", found));
    }
    List<String> out = new ArrayList<>();
    try (LogWriter writer = new LogWriter(OutputStream.nullOutputStream())) {
      Log own = new Log(Level.ERROR, LogFormat.TEXT, writer, InstantSource.system(), "h");
      AuditLog.start(log.getParent(), key, own, () -> own.problems().forEach(problem -> out.add(problem.text())));
    }
    return out.toString().replace(log.toString(), "LOG");
  }

  private List<String> with(int count, String end) {
    List<String> out = new ArrayList<>(lines.subList(0, count));
    out.add(end);
    return out;
  }

  @Test
  void aStartReportsWhatBecameOfTheFile() throws Exception {
    byte[] anchored = Files.readAllBytes(anchor);
    assertEquals("[]", problems(with(lines.size(), "")));
    Files.write(anchor, anchored);
    String added = problems(with(lines.size(), "x"));
    assertTrue(added.startsWith("[The file of a log was changed LOG: what followed its last line was not of the audit "
        + "chain, and is in `" + log.resolveSibling("added-log.2026")), added);
    Files.write(anchor, anchored);
    String missing = "[The file of a log was changed LOG: its newest lines, or all of it, were removed while the "
        + "service was stopped: the anchor has line " + lines.size() + " of the chain "
        + lines.getFirst().substring(10, 26) + "]";
    for (List<String> found : List.of(with(5, ""), with(5, "x"), List.<String>of(), List.of("x", ""))) {
      Files.write(anchor, anchored);
      assertEquals(missing, problems(found));
    }
    Files.delete(anchor);
    assertEquals("[]", problems(List.of("x", "")), "it is logged, and nothing is known of a chain before");
  }

  private String logged() throws Exception {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (LogWriter writer = new LogWriter(out)) {
      AuditLog.start(log.getParent(), key, new Log(Level.NOTICE, LogFormat.TEXT, writer, InstantSource.system(), "h"),
          () -> {});
    }
    return out.toString(StandardCharsets.UTF_8);
  }

  @Test
  void aStartSaysThatTheAnchorHasNothingOfTheChain() throws Exception {
    assertEquals("", logged());
    Files.delete(anchor);
    assertTrue(logged().contains("The anchor has no checkpoint of the audit chain"), "removed");
    assertEquals("", logged(), "it has one again");
    Files.write(anchor, List.of());
    assertTrue(logged().contains("_anchor=" + anchor), "emptied");
  }

  @Test
  void whatIsNoFileIsFoundAndTheOthersAreVerified() throws Exception {
    Path pipe = log.resolveSibling("log.20260102T030405.006Z");
    assertEquals(0, new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor());
    Path link = Files.createSymbolicLink(log.resolveSibling("log.20260102T030405.007Z"), folder.resolve("none"));
    Path inside = Files.createDirectory(log.resolveSibling("log.20260102T030405.008Z"));
    AuditReport report = verified();
    String tail = ", and no file of the log: another program has put it there\n";
    assertTrue(report.text().startsWith("unchanged: chain "), report.text());
    assertTrue(report.text().endsWith("inserted: " + pipe + ": it is not a regular file" + tail + "inserted: " + link
        + ": it is a link to a file that does not exist" + tail + "inserted: " + inside + ": it is a folder"
        + tail.stripTrailing()), report.text());
    Problems problems = new Problems();
    assertEquals(Optional.empty(), AuditVerification.run(List.of(pipe), List.of(), Optional.empty(), problems));
    assertTrue(problems.sorted().toString().contains("it is not a regular file"), problems.sorted().toString());
  }

  @Test
  void aMissingLineEndIsNotedAndAddedByTheNextStart() throws Exception {
    byte[] whole = Files.readAllBytes(log);
    Files.write(log, java.util.Arrays.copyOf(whole, whole.length - 1));
    AuditReport report = verified();
    assertEquals(List.of(), report.all(), report.text());
    assertTrue(report.text().contains("note: " + log + ":" + lines.size() + " is whole, but its line end is missing"),
        report.text());
    List<String> after = AuditLog.write(log.getParent(), key, 1).getFirst();
    assertEquals(lines, after.subList(0, lines.size()));
    assertTrue(after.get(lines.size()).contains("\"line_end\":\"added\",\"before\":\"closed\""),
        after.get(lines.size()));
    assertEquals(List.of(), verified().all());
  }

  @Test
  void convertedFilesAreCalledSo() throws Exception {
    Files.writeString(log, String.join("\r\n", lines) + "\r\n");
    AuditFinding found = verified().all().getFirst();
    assertEquals(AuditFinding.Kind.EDITED, found.kind(), found.text());
    assertTrue(found.text().startsWith("it ends with CR LF instead of LF, so the file has been converted"),
        found.text());
  }

  @Test
  void namesOfFilesCannotForgeResults() throws Exception {
    Path named = Files.copy(log, folder.resolve("x\nunchanged: chain \u001b[31m\u009b"));
    Files.writeString(named, "x\n", StandardOpenOption.APPEND);
    Problems problems = new Problems();
    AuditReport report = AuditVerification.run(List.of(named), List.of(), Optional.empty(), problems).orElseThrow();
    assertEquals(2, report.text().lines().count(), report.text());
    assertTrue(report.text().startsWith("inserted: " + folder.resolve("x unchanged: chain  [31m :")), report.text());
    assertTrue(report.json().contains("x\\nunchanged: chain \\u001b[31m\\u009b:"), report.json());
  }
}
