package portcullis.verify;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import portcullis.crypto.keys.VerificationKeys;
import portcullis.fixture.Ed25519Files;
import portcullis.lang.source.Problems;
import portcullis.observe.decisions.ChainLine;

/** Lines that somebody without the key adds behind the last checkpoint, and those that a killed process leaves. */
class UnsignedLinesTest {
  private static final String START = "\"time\":\"2026-01-02T03:05:00Z\",\"event\":\"chain\",\"by\":\"program\","
      + "\"before\":\"closed\"";
  private static final String UNLOCK = "\"time\":\"2026-01-02T03:05:00Z\",\"event\":\"unlock\",\"by\":\"management\"";

  @TempDir
  private Path folder;
  private Path key;
  private Path log;
  private List<String> lines;

  @BeforeEach
  void start() throws Exception {
    key = Ed25519Files.write(folder, "audit");
    Path own = Files.createDirectory(folder.resolve("own"));
    lines = AuditLog.write(own, key, 1).getFirst();
    log = own.resolve("log");
  }

  private AuditReport verified(Path... files) throws Exception {
    Problems problems = new Problems();
    return AuditVerification.run(List.of(files), VerificationKeys.ed25519(folder.resolve("audit.pub")),
        Optional.empty(), problems).orElseThrow(() -> new AssertionError(problems.sorted().toString()));
  }

  /** Returns a line that follows another one as if the service had written it. */
  private static String line(String before, String members) throws Exception {
    ChainLine place = ChainLine.of(before.getBytes(StandardCharsets.UTF_8)).orElseThrow();
    return AuditLog.rehashed("{\"chain\":\"" + place.chain() + "\",\"seq\":" + (place.number() + 1) + ",\"prev\":\""
        + place.hash() + "\"," + members + ",\"hash\":\"");
  }

  private static String decision(String time) {
    return "\"time\":\"" + time + "\",\"decision\":\"allowed\"";
  }

  private static List<String> forged(String before, String... members) throws Exception {
    List<String> out = new ArrayList<>(List.of(before));
    for (String one : members) {
      out.add(line(out.getLast(), one));
    }
    return out.subList(1, out.size());
  }

  private static List<String> joined(List<String> first, List<String> second) {
    List<String> out = new ArrayList<>(first);
    out.addAll(second);
    return out;
  }

  private void startAgain() throws Exception {
    Files.delete(log.resolveSibling("anchor")); // so that the lines that are missing are not awaited
    AuditLog.write(log.getParent(), key, 1);
  }

  private void expect(AuditFinding.Kind kind, String text, AuditReport report) {
    assertEquals(List.of(kind), report.all().stream().map(AuditFinding::kind).toList(), report.text());
    assertTrue(report.text().contains(text), report.text());
  }

  @Test
  void aStartWithoutSignatureBehindAClosedLogIsFound() throws Exception {
    List<String> added = forged(lines.getLast(), START, START.replace("chain", "start"),
        decision("2026-01-02T03:05:01Z"));
    Files.write(log, joined(lines, added));
    String text = "the event at " + log + ":" + (lines.size() + 1) + " is not confirmed";
    expect(AuditFinding.Kind.UNSIGNED, text, verified(log));
    Files.write(log, joined(lines, added.subList(0, 2)));
    expect(AuditFinding.Kind.UNSIGNED, text, verified(log));
    Files.write(log, lines);
    Path other = Files.write(folder.resolve("log.20260102T030500.000Z"), added);
    expect(AuditFinding.Kind.UNSIGNED, "the event at " + other + ":1 is not confirmed", verified(other, log));
  }

  @Test
  void anEventWithoutSignatureIsFoundOnceLinesFollow() throws Exception {
    List<String> open = lines.subList(0, lines.size() - 2); // it ends with a decision or a checkpoint
    Files.write(log, joined(open, forged(open.getLast(), UNLOCK)));
    AuditReport last = verified(log);
    assertEquals(List.of(), last.all(), "the machine may have stopped within the write");
    assertTrue(last.text().contains("note: " + log + ":" + (open.size() + 1) + " is an event that no checkpoint "),
        last.text());
    Files.write(log, joined(open, forged(open.getLast(), UNLOCK, decision("2026-01-02T03:05:00Z"))));
    expect(AuditFinding.Kind.UNSIGNED, "is not confirmed, though a checkpoint follows each at once", verified(log));
    Files.write(log, joined(open, forged(open.getLast(), UNLOCK)));
    startAgain();
    AuditReport started = verified(log);
    assertEquals(List.of(), started.all(), "a start behind a stop of the machine");
    assertTrue(started.text().contains("note: " + log + ":" + (open.size() + 1) + " is an event that no checkpoint "
        + "confirms before the start behind it, "), started.text());
  }

  @Test
  void decisionsThatAreTooFarFromEachOtherAreFound() throws Exception {
    List<String> open = lines.subList(0, lines.size() - 2);
    String[] far = {decision("2026-01-02T04:04:05Z"), decision("2026-01-03T04:04:05Z")};
    Files.write(log, joined(open, forged(open.getLast(), far)));
    expect(AuditFinding.Kind.UNSIGNED, "2026-01-03T04:04:05Z and one is due every 10000 ms", verified(log));
    startAgain();
    expect(AuditFinding.Kind.UNSIGNED, "no checkpoint confirms the lines before", verified(log));
    String[] near = {decision("2026-01-02T04:04:05Z"), decision("2026-01-02T04:04:14Z"),
      decision("2026-01-02T03:54:14Z")};
    List<String> signed = open;
    while (!signed.getLast().contains("\"event\":\"checkpoint\"")) {
      signed = signed.subList(0, signed.size() - 1);
    }
    Files.write(log, joined(signed, forged(signed.getLast(), near)));
    assertEquals(List.of(), verified(log).all(), "requests may be slow, and the last checkpoint be old");
  }

  @Test
  void whatTheChainSaysOfLossesAndKillsIsANote() throws Exception {
    List<String> open = lines.subList(0, lines.size() - 2);
    Files.write(log,
        joined(open, forged(open.getLast(), "\"time\":\"2026-01-02T03:04:06Z\",\"lost\":31,\"reason\":\"x\"")));
    Files.writeString(log, "{\"chai", java.nio.file.StandardOpenOption.APPEND);
    startAgain();
    AuditReport report = verified(log);
    assertEquals(List.of(), report.all(), report.text());
    assertTrue(report.text().contains("note: lost, as 1 line says: 31 requests or events"), report.text());
    assertTrue(report.text().contains("note: the service was killed, or could not write its last line, 1 time; the "
        + "starts after that removed 6 bytes of incomplete lines"), report.text());
  }
}
