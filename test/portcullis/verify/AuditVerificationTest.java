package portcullis.verify;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.PrivateKey;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import portcullis.crypto.keys.Algorithm;
import portcullis.crypto.keys.KeyEntry;
import portcullis.crypto.keys.KeyRing;
import portcullis.crypto.keys.VerificationKeys;
import portcullis.fixture.Ed25519Files;
import portcullis.lang.source.Problems;
import portcullis.observe.decisions.Checkpoint;

/** Changes an audit chain in all ways that an attacker has, and expects that each is found where it was made. */
@Timeout(600) // a busy machine takes long for so much
class AuditVerificationTest {
  private static final int STARTS = 12;

  @TempDir
  private Path folder;
  private Path key;
  private Path own;
  private List<List<String>> log;
  private List<Path> files;
  private final Random random = new Random(20_261_123);

  /** What is expected of the verification. */
  private record Expected(String kind, String at) {}

  @BeforeEach
  void start() throws Exception {
    key = Ed25519Files.write(folder, "audit");
    own = Files.createDirectory(folder.resolve("own"));
    log = AuditLog.write(own, key, STARTS);
    files = AuditLog.files(own);
    assertTrue(log.size() > 3, "files: " + log.size());
  }

  private AuditReport verified(Optional<Path> anchor) throws Exception {
    Problems problems = new Problems();
    List<Path> shuffled = new ArrayList<>(files);
    Collections.shuffle(shuffled, random);
    return AuditVerification.run(shuffled, VerificationKeys.ed25519(folder.resolve("audit.pub")), anchor, problems)
        .orElseThrow(() -> new AssertionError(problems.sorted().toString()));
  }

  private AuditReport verified() throws Exception {
    return verified(Optional.of(own.resolve("anchor")));
  }

  private void write(List<List<String>> lines) throws Exception {
    for (int i = 0; i < lines.size(); i++) {
      Files.writeString(files.get(i), lines.get(i).isEmpty() ? "" : String.join("\n", lines.get(i)) + "\n");
    }
  }

  private List<List<String>> copy() {
    return new ArrayList<>(log.stream().map(ArrayList::new).toList());
  }

  private int file() {
    return random.nextInt(log.size());
  }

  private String at(int file, int index) {
    return files.get(file) + ":" + (index + 1);
  }

  private void expect(Expected expected, String what) throws Exception {
    AuditReport report = verified();
    List<AuditFinding> found = report.all();
    assertTrue(!found.isEmpty(), () -> what + " was not found: " + expected);
    assertEquals(expected, new Expected(found.getFirst().kind().text(), found.getFirst().at()),
        () -> what + ": " + report.text());
  }

  @Test
  void acceptsWhatWasNotChanged() throws Exception {
    AuditReport report = verified();
    assertEquals(List.of(), report.all(), report.text());
    assertEquals(1, report.chains().size());
    AuditReport.Chain chain = report.chains().getFirst();
    assertEquals(log.stream().mapToInt(List::size).sum(), chain.last());
    assertEquals(chain.last(), chain.confirmed());
    assertTrue(chain.closed() && chain.torn().isEmpty() && chain.first() == 1, report.text());
    assertTrue(verified(Optional.empty()).all().isEmpty());
  }

  @Test
  void findsLinesThatWereTakenFromTheRunningService() throws Exception {
    Path taken = Files.createDirectory(folder.resolve("taken"));
    Path current = taken.resolve("log");
    Path moved = taken.resolve("moved");
    AuditLog.write(taken, key, 1, () -> Files.move(current, moved));
    Optional<Path> anchor = Optional.of(taken.resolve("anchor"));
    for (Optional<Path> one : List.of(anchor, Optional.<Path>empty())) {
      files = List.of(current);
      AuditFinding found = verified(one).all().getFirst();
      assertEquals(new Expected("deleted", current + ":1"), new Expected(found.kind().text(), found.at()));
      assertTrue(found.text().contains("another program removed, replaced or cut off the file"), found.text());
      assertEquals(1, found.first());
      files = List.of(current, moved);
      assertEquals(List.of(), verified(one).all(), "it was only renamed");
    }
  }

  @Test
  void findsLinesThatWereTakenFromTheStoppedService() throws Exception {
    Path taken = Files.createDirectory(folder.resolve("taken"));
    Path current = taken.resolve("log");
    List<String> lines = AuditLog.write(taken, key, 1).getFirst();
    Files.writeString(current, String.join("\n", lines.subList(0, lines.size() - 5)) + "\n");
    AuditLog.write(taken, key, 1);
    files = List.of(current);
    for (Optional<Path> one : List.of(Optional.of(taken.resolve("anchor")), Optional.<Path>empty())) {
      AuditFinding found = verified(one).all().getFirst();
      assertEquals(new Expected("deleted", current + ":" + (lines.size() - 4)),
          new Expected(found.kind().text(), found.at()));
      assertEquals(lines.size() - 4, found.first());
      assertEquals(lines.size(), found.last());
    }
  }

  @Test
  void findsFlippedBytes() throws Exception {
    for (int i = 0; i < 300; i++) {
      write(log);
      int file = file();
      byte[] bytes = Files.readAllBytes(files.get(file));
      int at = random.nextInt(bytes.length);
      int line = (int) new String(bytes, 0, at, StandardCharsets.ISO_8859_1).chars().filter(c -> c == '\n').count();
      byte[] changed = bytes.clone();
      changed[at] = (byte) (bytes[at] ^ 1 << random.nextInt(8));
      Files.write(files.get(file), changed);
      expect(new Expected("edited", at(file, line)), "byte " + at + " of " + bytes.length);
    }
  }

  @Test
  void findsDeletedLines() throws Exception {
    for (int i = 0; i < 120; i++) {
      List<List<String>> lines = copy();
      int file = file();
      int from = random.nextInt(lines.get(file).size());
      int count = Math.min(1 + random.nextInt(4), lines.get(file).size() - from);
      if (file == 0 && from == 0) {
        continue;
      }
      lines.get(file).subList(from, from + count).clear();
      write(lines);
      boolean isEnd = file == log.size() - 1 && from == lines.get(file).size();
      int next = file + (from == lines.get(file).size() ? 1 : 0);
      String last = from == 0 ? at(file - 1, lines.get(file - 1).size() - 1) : at(file, from - 1);
      expect(isEnd ? new Expected("truncated", last)
          : new Expected("deleted", at(next, next == file ? from : 0)), "deletion");
    }
    write(log);
    int middle = 1 + random.nextInt(log.size() - 2);
    Files.delete(files.remove(middle));
    expect(new Expected("deleted", at(middle, 0)), "a file");
  }

  @Test
  void findsSwappedLines() throws Exception {
    for (int i = 0; i < 150; i++) {
      List<List<String>> lines = copy();
      int file = file();
      int other = file();
      int a = random.nextInt(lines.get(file).size());
      int b = random.nextInt(lines.get(other).size());
      if (file > other || file == other && a >= b) {
        continue;
      }
      String line = lines.get(file).get(a);
      lines.get(file).set(a, lines.get(other).get(b));
      lines.get(other).set(b, line);
      write(lines);
      expect(new Expected("swapped", at(file, a)), "swap with " + at(other, b));
    }
  }

  @Test
  void findsCopiesAndLinesOfOtherLogs() throws Exception {
    Path folderOfOther = Files.createDirectory(folder.resolve("other"));
    List<String> other = AuditLog.write(folderOfOther, key, 3).stream().flatMap(List::stream).toList();
    for (int i = 0; i < 250; i++) {
      List<List<String>> lines = copy();
      int file = file();
      int at = random.nextInt(lines.get(file).size() + 1);
      int most = Math.min(5, log.get(file).size() - 1); // a file is of the log that most of its lines are of
      boolean isCopy = random.nextBoolean() || most == 0;
      int source = file();
      int from = random.nextInt(log.get(source).size());
      boolean isBeside = source == file && from == at;
      if (isCopy) {
        lines.get(file).add(at, log.get(source).get(from));
      } else {
        int first = random.nextInt(other.size() - 5);
        lines.get(file).addAll(at, other.subList(first, first + 1 + random.nextInt(most)));
      }
      write(lines);
      expect(new Expected("inserted", at(file, isCopy && isBeside ? at + 1 : at)), "insertion");
    }
  }

  @Test
  void findsCutEnds() throws Exception {
    for (int i = 0; i < 100; i++) {
      write(log);
      int file = file();
      byte[] bytes = Files.readAllBytes(files.get(file));
      int cut = random.nextInt(bytes.length - 1);
      Files.write(files.get(file), Arrays.copyOf(bytes, cut));
      for (int later = file + 1; later < log.size(); later++) {
        Files.writeString(files.get(later), "");
      }
      if (file == 0 && cut < log.getFirst().getFirst().length()) {
        continue; // nothing is left of the log
      }
      AuditReport report = verified();
      assertEquals("truncated", report.all().getFirst().kind().text(), report.text());
      boolean whole = log.get(file).stream().anyMatch(
          line -> new String(bytes, 0, cut, StandardCharsets.UTF_8).endsWith(line)) || cut == 0
          || bytes[cut - 1] == '\n';
      boolean hasLine = cut > log.get(file).getFirst().length();
      assertEquals(!whole && hasLine, report.chains().getFirst().torn().isPresent(), report.text());
    }
  }

  @Test
  void killedProcessIsNoDamageWithoutAnAnchor() throws Exception {
    byte[] bytes = Files.readAllBytes(files.getLast());
    int first = log.getLast().getFirst().length(); // without it the end is that of the file before
    for (int i = 0; i < 50; i++) {
      int cut = random.nextInt(bytes.length);
      Files.write(files.getLast(), Arrays.copyOf(bytes, cut));
      AuditReport report = verified(Optional.empty());
      assertEquals(List.of(), report.all(), report.text());
      boolean whole = cut == bytes.length - 1; // nothing but the end of the last line is missing
      assertTrue(cut <= first || whole == report.chains().getFirst().closed(), report.text());
    }
  }

  /** Rewrites everything from a line on, as somebody with the host but without the key can. */
  private List<List<String>> rewritten(int file, int line, KeyEntry signer) throws Exception {
    List<List<String>> lines = copy();
    String before = line > 0 ? lines.get(file).get(line - 1) : file > 0 ? lines.get(file - 1).getLast() : "";
    for (int f = file; f < lines.size(); f++) {
      for (int l = f == file ? line : 0; l < lines.get(f).size(); l++) {
        String old = lines.get(f).get(l);
        String text = f == file && l == line ? old.replace("03:04:05", "03:04:06") : old;
        String next = before.isEmpty() ? AuditLog.rehashed(text) : AuditLog.relinked(text, before);
        if (next.contains("\"event\":\"checkpoint\"")) {
          next = signed(next, signer.privateKey(), Checkpoint.id(signer.publicKey()));
        }
        lines.get(f).set(l, next);
        before = next;
      }
    }
    return lines;
  }

  private static String signed(String checkpoint, PrivateKey key, String id) throws Exception {
    String named = checkpoint.replaceFirst("\"key\":\"[0-9a-f]*\"", "\"key\":\"" + id + "\"");
    int at = named.lastIndexOf(",\"signature\":\"");
    byte[] content = ("portcullis audit checkpoint v1\n" + named.substring(0, at)).getBytes(StandardCharsets.UTF_8);
    return AuditLog.rehashed(named.substring(0, at) + ",\"signature\":\""
        + Base64.getUrlEncoder().withoutPadding().encodeToString(Algorithm.EDDSA.sign(key, content)) + "\""
        + named.substring(named.lastIndexOf(",\"hash\":")));
  }

  @Test
  void findsLogsThatWereSignedAgain() throws Exception {
    KeyEntry stranger = KeyRing.read(Ed25519Files.write(folder, "stranger"), "", Instant.now()).first();
    KeyEntry stolen = KeyRing.read(key, "", Instant.now()).first();
    for (int i = 0; i < 60; i++) {
      int file = file();
      int line = random.nextInt(log.get(file).size());
      boolean isStolen = random.nextBoolean();
      List<List<String>> lines = rewritten(file, line, isStolen ? stolen : stranger);
      write(lines);
      AuditReport report = verified();
      AuditFinding found = report.all().getFirst();
      assertEquals(isStolen ? "edited" : "forged", found.kind().text(), report.text());
      long number = log.subList(0, file).stream().mapToInt(List::size).sum() + line + 1;
      assertTrue(found.first() <= number && number <= found.last(), number + ": " + report.text());
    }
  }

  @Test
  void findsLinesWhoseOwnHashFitsAgain() throws Exception {
    for (int i = 0; i < 100; i++) {
      List<List<String>> lines = copy();
      int file = file();
      int line = random.nextInt(log.get(file).size());
      String old = lines.get(file).get(line);
      lines.get(file).set(line, AuditLog.rehashed(old.replace("03:04:05", "03:04:06")));
      write(lines);
      expect(new Expected(old.contains("\"event\":\"checkpoint\"") ? "forged" : "edited", at(file, line)), "rehash");
    }
  }

  @Test
  void findsALogThatWasReplacedAsAWhole() throws Exception {
    Path anchor = own.resolve("anchor");
    Path other = Files.createDirectory(folder.resolve("other"));
    AuditLog.write(other, key, 3);
    files = AuditLog.files(other);
    AuditReport report = verified(Optional.of(anchor));
    assertEquals(2, report.all().size(), report.text());
    assertTrue(report.text().contains("which is in none of the files"), report.text());
    assertTrue(verified(Optional.of(other.resolve("anchor"))).all().isEmpty());
  }

  @Test
  void findsThatALogWasTakenAwayBeforeAnotherOneBegan() throws Exception {
    Path other = Files.createDirectory(folder.resolve("other"));
    AuditLog.write(other, key, 3);
    Path both = Files.writeString(folder.resolve("both"),
        Files.readString(own.resolve("anchor")) + Files.readString(other.resolve("anchor")));
    List<Path> before = files;
    files = AuditLog.files(other);
    AuditReport report = verified(Optional.of(both));
    assertEquals(List.of(AuditFinding.Kind.TRUNCATED), report.all().stream().map(AuditFinding::kind).toList());
    assertTrue(report.text().contains("a later one began without it"), report.text());
    Files.delete(files.getFirst()); // what began it is too old to be kept, as may be all of the chain before it
    files = AuditLog.files(other);
    report = verified(Optional.of(both));
    assertEquals(List.of(), report.all(), report.text());
    assertTrue(report.notes().stream().anyMatch(note -> note.startsWith("the anchor has chain ")), report.text());
    files = new ArrayList<>(files);
    files.addAll(before);
    assertFalse(verified(Optional.of(both)).text().contains("the anchor has"));
  }

  @Test
  void readsAnchorsAsOthersStoreThem() throws Exception {
    List<String> anchor = Files.readAllLines(own.resolve("anchor"));
    Path syslog = Files.writeString(folder.resolve("syslog"), "<134>1 2026-01-02T03:04:05Z h portcullis 7 audit - "
        + String.join("\n<134>1 2026-01-02T03:04:05Z h portcullis 7 audit - ", anchor) + "\n");
    Path otlp = Files.writeString(folder.resolve("otlp"), "{\"body\":{\"stringValue\":\""
        + String.join("\"}}\n{\"body\":{\"stringValue\":\"", anchor.stream().map(l -> l.replace("\"", "\\\"")).toList())
        + "\"}}\n");
    for (Path stored : List.of(syslog, otlp)) {
      write(log);
      assertEquals(List.of(), verified(Optional.of(stored)).all());
      List<List<String>> lines = copy();
      lines.getLast().removeLast();
      write(lines);
      AuditReport report = verified(Optional.of(stored));
      assertEquals(AuditFinding.Kind.TRUNCATED, report.all().getFirst().kind(), report.text());
    }
  }

  @Test
  void namesTheFileThatCannotBeRead() {
    Path anchor = own.resolve("anchor");
    Path missing = folder.resolve("missing");
    assertEquals("cannot read `" + own + "`: it is a folder, not a file", refusal(own, anchor));
    assertEquals("cannot read `" + own + "`: it is a folder, not a file", refusal(files.getFirst(), own));
    assertEquals("cannot read `" + missing + "`: there is no such file", refusal(missing, anchor));
    assertEquals("cannot read `" + missing + "`: there is no such file", refusal(files.getFirst(), missing));
  }

  private static String refusal(Path file, Path anchor) {
    Problems problems = new Problems();
    assertTrue(AuditVerification.run(List.of(file), List.of(), Optional.of(anchor), problems).isEmpty());
    return problems.sorted().getFirst().message();
  }
}
