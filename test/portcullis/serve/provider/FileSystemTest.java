package portcullis.serve.provider;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import portcullis.fixture.Await;
import portcullis.lang.source.Origin;
import portcullis.lang.source.Problem;
import portcullis.lang.source.Problems;
import portcullis.lang.source.SourceFile;
import portcullis.observe.telemetry.Level;
import portcullis.observe.telemetry.Log;
import portcullis.observe.telemetry.LogFormat;
import portcullis.observe.telemetry.LogWriter;

class FileSystemTest {
  @TempDir
  private Path folder;
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final LogWriter writer = new LogWriter(out);
  private final Log log = new Log(Level.INFO, LogFormat.TEXT, writer, InstantSource.system(), "");
  private final BlockingQueue<List<Change>> shown = new LinkedBlockingQueue<>();
  private final Problems problems = new Problems();
  private FileSystem files;

  @AfterEach
  void close() {
    if (files != null) {
      files.close();
    }
    writer.close();
  }

  private String loaded(Path src) {
    files = new FileSystem(src, log);
    return text(files.load(Origin.BUILT_IN, problems));
  }

  private void watched(Path src) {
    loaded(src);
    files.watch(shown::add);
  }

  /** Changes as {@code name=text}, those that are gone as {@code -name}. */
  private String text(List<Change> changes) {
    return changes.stream().map(c -> {
      String name = Path.of(c.source().substring("file_system:".length())).getFileName().toString();
      return c.text().map(SourceFile::text).map(t -> name + "=" + t).orElse("-" + name);
    }).collect(Collectors.joining(" "));
  }

  private String next() throws InterruptedException {
    List<Change> changes = shown.poll(10, TimeUnit.SECONDS);
    return changes == null ? "nothing" : text(changes);
  }

  private String log() {
    return out.toString(StandardCharsets.UTF_8);
  }

  private Path write(String name, String text) throws IOException {
    return Files.writeString(folder.resolve(name), text);
  }

  private void renamedOver(String name, String text) throws IOException {
    Path aside = Files.writeString(folder.resolve(".aside"), text);
    Files.move(aside, folder.resolve(name), StandardCopyOption.ATOMIC_MOVE);
  }

  @Test
  void readsTheFilesOfAFolderInTheOrderOfTheirNames() throws IOException {
    write("b.yaml", "2");
    write("a.yml", "1");
    write("c.anything", "3");
    write(".hidden", "x");
    write("a.yml~", "x");
    assertEquals("a.yml=1 b.yaml=2 c.anything=3", loaded(folder));
  }

  @Test
  void ignoresCopiesAndDisabledFilesAndReportsEachOnce() throws Exception {
    List<String> copies = Stream
        .of("bak disabled off old orig save tmp swp swo rpmsave rpmnew dpkg-old dpkg-new dpkg-dist"
            .split(" "))
        .map(suffix -> "a.yaml." + suffix).toList();
    for (String copy : copies) {
      write(copy, "x");
    }
    write("a.yaml.BAK", "x");
    write("a.bakery", "1");
    write("bak", "2");
    write(".a.yaml.swp", "x");
    assertEquals("a.bakery=1 bak=2", loaded(folder));
    files.watch(shown::add);
    assertEquals(copies.size() + 1, problems.sorted().size(), problems.sorted().toString());
    assertTrue(problems.sorted().stream().allMatch(p -> !p.isError()
        && p.message().endsWith("its name is that of a copy or a disabled file: its rules are not used")));
    Files.move(folder.resolve("bak"), folder.resolve("bak.off"));
    assertEquals("-bak", next());
    write("b.yaml", "3");
    assertEquals("b.yaml=3", next());
    Await.until(() -> log().contains("_file="), this::log);
    assertEquals(1, log().lines().filter(line -> line.contains("WRN Rule file ignored") && line.contains("bak.off"))
        .count(), log());
    assertFalse(log().contains("a.yaml."), log());
  }

  @Test
  void readsTheFileThatIsNamedWhateverItsName() throws IOException {
    assertEquals("a.yaml.bak=1", loaded(write("a.yaml.bak", "1")));
    assertEquals(List.of(), problems.sorted());
  }

  @Test
  void readsOneFile() throws IOException {
    write("b.yaml", "2");
    assertEquals("a.yaml=1", loaded(write("a.yaml", "1")));
  }

  @Test
  void warnsOfFoldersWithin() throws IOException {
    Files.createDirectory(folder.resolve("deeper"));
    assertEquals("", loaded(folder));
    assertEquals(List.of("folder `" + folder.resolve("deeper") + "` is not read"),
        problems.sorted().stream().map(Problem::message).toList());
  }

  @Test
  void saysWhatCannotBeRead() throws IOException {
    Files.write(folder.resolve("latin.yaml"), new byte[] {(byte) 0xe4, 'a'});
    loaded(folder);
    assertEquals(1, problems.errors());
  }

  @Test
  void readsMountedFilesBehindLinksThatAreSwapped() throws Exception {
    Path one = Files.createDirectory(folder.resolve("..one"));
    Path two = Files.createDirectory(folder.resolve("..two"));
    Files.writeString(one.resolve("r.yaml"), "1");
    Files.writeString(two.resolve("r.yaml"), "2");
    Files.createSymbolicLink(folder.resolve("..data"), Path.of("..one"));
    Files.createSymbolicLink(folder.resolve("r.yaml"), Path.of("..data/r.yaml"));
    assertEquals("r.yaml=1", loaded(folder));
    files.watch(shown::add);
    Path next = Files.createSymbolicLink(folder.resolve("..next"), Path.of("..two"));
    Files.move(next, folder.resolve("..data"), StandardCopyOption.ATOMIC_MOVE);
    assertEquals("r.yaml=2", next());
  }

  @Test
  void reportsReplacedFile() throws Exception {
    write("r.yaml", "1");
    watched(folder);
    renamedOver("r.yaml", "2");
    assertEquals("r.yaml=2", next());
  }

  @Test
  void reportsFileChangedWithinAStepOfTheClock() throws Exception {
    FileTime time = Files.getLastModifiedTime(write("r.yaml", "1"));
    loaded(folder);
    Files.setLastModifiedTime(write("r.yaml", "2"), time);
    files.look(shown::add);
    assertEquals("r.yaml=2", next());
    files.look(shown::add);
    assertNull(shown.poll());
  }

  @Test
  void doesNotReportFileThatWasReadJustAfterItWasWritten() throws Exception {
    write("r.yaml", "1");
    loaded(folder);
    files.look(shown::add);
    files.look(shown::add);
    assertNull(shown.poll());
  }

  @Test
  void reportsFileWrittenInPlaceWhenStable() throws Exception {
    write("r.yaml", "1");
    watched(folder);
    for (int i = 0; i < 10; i++) {
      Files.writeString(folder.resolve("r.yaml"), i == 0 ? "line 0" : "\nline " + i + (i < 9 ? "" : "\n"),
          i == 0 ? StandardOpenOption.TRUNCATE_EXISTING : StandardOpenOption.APPEND);
      Await.pause(20); // what ends within a line may take three seconds to go on
    }
    assertEquals(10, next().lines().count());
    assertNull(shown.poll(300, TimeUnit.MILLISECONDS));
  }

  @Test
  void reportsEmptiedFile() throws Exception {
    write("r.yaml", "1");
    watched(folder);
    write("r.yaml", "");
    assertEquals("r.yaml=", next());
  }

  @Test
  void reportsRemovedAndMovedFiles() throws Exception {
    write("a.yaml", "1");
    write("b.yaml", "2");
    watched(folder);
    Files.move(folder.resolve("a.yaml"), folder.resolve("c.yaml"));
    assertEquals("-a.yaml c.yaml=1", next());
    Files.delete(folder.resolve("b.yaml"));
    assertEquals("-b.yaml", next());
  }

  @Test
  void reportsBurstOfChangesTogether() throws Exception {
    watched(folder);
    for (int i = 0; i < 50; i++) {
      renamedOver("r" + i % 5 + ".yaml", Integer.toString(i));
    }
    assertEquals("r0.yaml=45 r1.yaml=46 r2.yaml=47 r3.yaml=48 r4.yaml=49", next());
  }

  @Test
  void reportsFileReplacedContinuously() throws Exception {
    write("r.yaml", "1");
    watched(folder);
    for (int i = 2; shown.isEmpty() && i < 12_000; i++) {
      renamedOver("r.yaml", Integer.toString(i));
      Await.pause(5);
    }
    String[] parts = next().split("=");
    assertEquals("r.yaml", parts[0]);
    assertTrue(Integer.parseInt(parts[1]) > 1);
  }

  @Test
  void watchesOneFileAlone() throws Exception {
    Path file = write("a.yaml", "1");
    watched(file);
    write("other.yaml", "x");
    renamedOver("a.yaml", "2");
    assertEquals("a.yaml=2", next());
  }

  /** How many lines say that; nothing is logged afterwards. */
  private long lines(String word) {
    writer.close();
    return out.toString(StandardCharsets.UTF_8).lines().filter(line -> line.contains(word)).count();
  }

  @Test
  void logsUnreadableFilesOnceAndReadsTheOthers() throws Exception {
    write("a.yaml", "1");
    write("b.yaml", "1");
    loaded(folder);
    Files.write(folder.resolve("a.yaml"), new byte[] {(byte) 0xff, 0});
    write("b.yaml", "22");
    for (int i = 0; i < 5; i++) {
      files.look(shown::add);
    }
    assertEquals(1, log.problems().size());
    assertTrue(log.problems().getFirst().text().contains("a.yaml"), log.problems().toString());
    write("a.yaml", "222");
    files.look(shown::add);
    files.look(shown::add);
    assertEquals(List.of(), log.problems());
    assertEquals(1, lines("ERR Rules cannot be read"));
    assertEquals(1, lines("INF Rules can be read again"));
    assertEquals(List.of("b.yaml=22", "a.yaml=222"), shown.stream().map(this::text).toList());
  }

  @Test
  void goesOnWhereAListenerThrows() throws Exception {
    AtomicInteger calls = new AtomicInteger();
    loaded(folder);
    files.watch(changes -> {
      if (calls.incrementAndGet() == 1) {
        throw new IllegalStateException("a bug");
      }
      shown.add(changes);
    });
    write("a.yaml", "1");
    assertEquals("a.yaml=1", next());
    write("b.yaml", "2");
    assertEquals("b.yaml=2", next());
  }

  @Test
  void goesOnWhereItsFolderIsReplaced() throws Exception {
    Path rules = Files.createDirectory(folder.resolve("rules"));
    Files.writeString(rules.resolve("a.yaml"), "1");
    watched(rules);
    Files.move(rules, folder.resolve("old"));
    assertEquals("-a.yaml", next().replace("nothing", "-a.yaml"));
    Files.createDirectory(rules);
    Files.writeString(rules.resolve("b.yaml"), "2");
    String found = next();
    assertTrue(found.endsWith("b.yaml=2"), found);
  }

  @Test
  void aFolderThatIsGoneKeepsItsRules() throws Exception {
    Path rules = Files.createDirectory(folder.resolve("rules"));
    Files.writeString(rules.resolve("a.yaml"), "1");
    loaded(rules);
    Files.move(rules, folder.resolve("away"));
    files.look(shown::add);
    assertTrue(log.problems().isEmpty(), "it may be replaced now");
    files.look(shown::add);
    assertTrue(shown.isEmpty());
    assertTrue(log.problems().getFirst().text().contains("no such folder"), log.problems()::toString);
    Files.createFile(rules);
    files.look(shown::add);
    assertTrue(shown.isEmpty());
    Files.delete(rules);
    Files.move(folder.resolve("away"), rules);
    files.look(shown::add);
    assertTrue(shown.isEmpty());
    assertTrue(log.problems().isEmpty(), log.problems()::toString);
  }

  /** {@code promote} removes them. */
  @Test
  void aShadowFolderThatIsGoneTakesItsRulesWithIt() throws Exception {
    Path rules = Files.createDirectory(folder.resolve("rules"));
    Files.writeString(rules.resolve("a.yaml"), "1");
    files = new FileSystem(rules, "shadow", false, log);
    files.load(Origin.BUILT_IN, problems);
    Files.move(rules, folder.resolve("away"));
    files.look(shown::add);
    files.look(shown::add);
    assertEquals("-a.yaml", next());
    assertTrue(log.problems().isEmpty(), log.problems()::toString);
  }

  @Test
  void aLinkToNothingKeepsItsRulesAndOthersChange() throws Exception {
    Path data = Files.createDirectory(folder.resolve("data"));
    Files.writeString(data.resolve("a.yaml"), "1");
    Path rules = Files.createDirectory(folder.resolve("rules"));
    Files.createSymbolicLink(rules.resolve("a.yaml"), data.resolve("a.yaml"));
    Files.writeString(rules.resolve("b.yaml"), "2");
    assertEquals("a.yaml=1 b.yaml=2", loaded(rules));
    assertTrue(problems.isEmpty());
    Files.move(data, folder.resolve("away"));
    Files.delete(rules.resolve("b.yaml"));
    files.look(shown::add);
    assertEquals("-b.yaml", next());
    files.look(shown::add);
    new FileSystem(rules, log).load(Origin.BUILT_IN, problems);
    assertTrue(problems.hasErrors(), "so that a reload is refused");
    assertTrue(problems.sorted().getFirst().text().contains("a.yaml` is a link to a file that does not exist"));
    assertTrue(log.problems().getFirst().text().contains("a link to a file that does not exist"));
    Files.delete(rules.resolve("a.yaml"));
    files.look(shown::add);
    assertEquals("-a.yaml", next());
    assertTrue(log.problems().getFirst().text().contains("No rule file is left"), log.problems()::toString);
    FileSystem reloaded = new FileSystem(rules, log);
    reloaded.load(Origin.BUILT_IN, problems);
    files.close();
    files = reloaded;
    files.look(shown::add);
    assertTrue(log.problems().getFirst().text().contains("No rule file is left"), log.problems()::toString);
    Files.writeString(rules.resolve("a.yaml"), "3");
    Await.until(() -> {
      files.look(shown::add);
      return !shown.isEmpty() && log.problems().isEmpty();
    });
    assertEquals("a.yaml=3", next());
  }
}
