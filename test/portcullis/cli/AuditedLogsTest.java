package portcullis.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import portcullis.fixture.Ed25519Files;
import portcullis.lang.value.Json;
import portcullis.lang.value.Value;
import portcullis.lang.value.ValueException;
import portcullis.verify.AuditLog;

/** What {@code replay} and {@code audit verify} say of a log that is an audit chain. */
class AuditedLogsTest {
  private static final String DAMAGED = "lines of the log are missing or changed: `portcullis audit verify` says which";

  @TempDir
  private Path folder;
  private Path config;
  private Path log;

  @BeforeEach
  void start() throws Exception {
    config = Files.writeString(folder.resolve("c.yaml"), "serve: { host: 127.0.0.1 }\n");
    Path key = Ed25519Files.write(folder, "audit");
    Path own = Files.createDirectory(folder.resolve("own"));
    AuditLog.write(own, key, 1);
    assertEquals(1, AuditLog.files(own).size());
    log = AuditLog.files(own).getFirst();
  }

  private CommandResult replayed(String... more) {
    return CommandResult.of(Stream.concat(Stream.of("replay", log.toString(), "--insecure", "-c", config.toString()),
        Stream.of(more)).toArray(String[]::new));
  }

  private static CommandResult verified(Object... more) {
    return CommandResult.of(Stream.concat(Stream.of("audit", "verify"), Stream.of(more).map(Object::toString))
        .toArray(String[]::new));
  }

  private static Value.Dict json(CommandResult result) throws ValueException {
    return (Value.Dict) Json.read(result.out());
  }

  private static List<Value> items(Value.Dict result, String name) {
    return ((Value.Array) result.get(name).orElseThrow()).items();
  }

  @Test
  void replayReportsMissingAndChangedLines() throws Exception {
    List<String> lines = Files.readAllLines(log);
    assertEquals(0, replayed("--strict").status(), replayed("--strict").out());
    assertFalse(replayed().out().contains(DAMAGED), replayed().out());
    List<String> fewer = new ArrayList<>(lines);
    fewer.remove(4);
    List<String> changed = new ArrayList<>(lines);
    changed.set(4, changed.get(4).replace("\"id\":", "\"it\":"));
    for (List<String> other : List.of(fewer, changed)) {
      Files.write(log, other);
      assertEquals(0, replayed().status());
      assertEquals(1, replayed().out().lines().filter(DAMAGED::equals).count(), replayed().out());
      assertEquals(1, replayed("--strict").status());
      assertEquals(Value.TRUE, json(replayed("-o", "json")).get("damaged").orElseThrow());
    }
  }

  @Test
  void convertedLogsAreDamagedWhetherOneOrAll() throws Exception {
    Files.writeString(log, String.join("\r\n", Files.readAllLines(log)) + "\r\n");
    assertEquals(1, replayed("--strict").status(), replayed("--strict").out());
    CommandResult said = verified(log);
    assertEquals(1, said.status());
    assertTrue(said.out().startsWith("edited: " + log + ":1: it ends with CR LF instead of LF"), said.out());
  }

  @Test
  void linesThatAreNoDecisionsAreNamed() throws IOException {
    Files.writeString(log, "{\"cut\n\n{\"cut\n");
    CommandResult said = replayed();
    assertEquals(2, said.status());
    assertTrue(said.err().contains("there is no decision in the log: " + log + ":1, " + log + ":3, name"), said.err());
  }

  @Test
  void aFileThatIsNamedTwiceCountsOnce() throws Exception {
    Path link = Files.createSymbolicLink(folder.resolve("link"), log);
    for (Object again : List.of(log, link, log.resolveSibling(".").resolve("log"))) {
      CommandResult said = verified(log, again, "-o", "json");
      assertEquals(0, said.status(), said.out());
      assertTrue(items(json(said), "notes").contains(Value.of(again + " is named twice, and counts once")), said.out());
    }
  }

  @Test
  void aFileWithoutAChainIsAFinding() throws Exception {
    Path empty = Files.writeString(folder.resolve("empty"), "");
    assertEquals(0, verified(log, empty).status());
    assertEquals(0, verified(log, Files.writeString(empty, "{\"chain\":\"01")).status(), "a process was killed");
    Path other = Files.writeString(folder.resolve("other"), "{\"decision\":\"allowed\"}\n");
    CommandResult said = verified(log, other);
    assertEquals(1, said.status());
    assertTrue(said.out().contains("inserted: " + other + ":1: no line of this file is of an audit chain"), said.out());
    CommandResult alone = verified(other);
    assertEquals(2, alone.status());
    assertTrue(alone.err().contains("no line of an audit chain is in these files: " + other + ":1"), alone.err());
  }

  @Test
  void findingsAndNotesAreForProgramsToo() throws Exception {
    Value.Dict whole = json(verified(log, "-o", "json"));
    assertEquals(List.of(), items(whole, "findings"));
    Value.Dict chain = (Value.Dict) items(whole, "chains").getFirst();
    assertEquals(List.of(), items(chain, "notes"));
    List<String> lines = Files.readAllLines(log);
    Files.write(log, lines.subList(0, lines.size() - 2));
    chain = (Value.Dict) items(json(verified(log, "-o", "json")), "chains").getFirst();
    assertTrue(items(chain, "notes").toString().contains("the service was not stopped"), chain::toString);
    lines.remove(4);
    Files.write(log, lines);
    assertEquals(1, items(json(verified(log, "-o", "json")), "findings").size());
  }

  @Test
  void whatHasNoResultHasProblemsForPrograms() throws Exception {
    for (List<String> words : List.of(List.of("replay", "-o", "json"), List.of("audit", "verify", "--output=json"),
        List.of("audit", "verify", folder.resolve("none").toString(), "-o", "json"),
        List.of("replay", folder.resolve("none").toString(), "-c", config.toString(), "--insecure", "-o", "json"),
        List.of("analyze", "-o", "json"), List.of("analyze", "-c", folder.resolve("none").toString(), "-o", "json"),
        List.of("test", folder.resolve("none").toString(), "-o", "json"), List.of("locks", "-o=json", "--nothing"),
        List.of("validate", "config", "-o", "json"), List.of("key", "list", "-o", "json"),
        List.of("explain", "-o", "json"), List.of("version", "-o", "json", "x"))) {
      CommandResult said = CommandResult.of(words.toArray(String[]::new));
      assertEquals(2, said.status(), words + said.err());
      assertEquals(Value.FALSE, json(said).get("valid").orElseThrow());
      assertEquals(1, items(json(said), "problems").size(), said.out());
    }
    assertEquals("", CommandResult.of("replay").out());
    assertEquals("", CommandResult.of("replay", "-o", "text", "json").out());
  }
}
