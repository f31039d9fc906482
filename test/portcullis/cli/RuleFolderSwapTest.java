package portcullis.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RuleFolderSwapTest {
  private static final Instant NOW = Instant.parse("2026-01-02T03:04:05.006Z");

  @TempDir
  private Path folder;
  private Path src;
  private Path shadow;
  private RuleSwap swap;

  @BeforeEach
  void write() throws IOException {
    src = Files.createDirectory(folder.resolve("rules"));
    shadow = Files.createDirectory(folder.resolve("next"));
    Files.writeString(src.resolve("a.yaml"), "old a");
    Files.writeString(src.resolve("gone.yaml"), "old");
    Files.writeString(shadow.resolve("a.yaml"), "new a");
    Files.writeString(shadow.resolve("b.yaml"), "new b");
    Files.setPosixFilePermissions(src, PosixFilePermissions.fromString("rwxr-x---"));
    Files.setPosixFilePermissions(src.resolve("a.yaml"), PosixFilePermissions.fromString("r--r-----"));
    swap = RuleSwap.of(src, shadow);
  }

  private static Map<String, String> content(Path of) throws IOException {
    try (Stream<Path> files = Files.list(of)) {
      Map<String, String> out = new TreeMap<>();
      for (Path file : files.toList()) {
        out.put(file.getFileName().toString(), Files.readString(file));
      }
      return out;
    }
  }

  private List<String> names() throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.map(file -> file.getFileName().toString()).sorted().collect(Collectors.toList());
    }
  }

  private static String permissions(Path of) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(of));
  }

  @Test
  void theShadowFolderTakesThePlaceOfTheLiveOne() throws Exception {
    assertEquals(Optional.empty(), swap.obstacle());
    Path old = swap.run(swap.texts(), NOW);
    assertEquals(Map.of("a.yaml", "new a", "b.yaml", "new b"), content(src));
    assertEquals(Map.of("a.yaml", "old a", "gone.yaml", "old"), content(old));
    assertEquals(List.of("rules", "rules.20260102T030405.006Z~"), names(), "nothing else is left");
    assertEquals("rwxr-x---", permissions(src));
    assertEquals("r--r-----", permissions(src.resolve("a.yaml")));
    assertEquals("mv " + src + " " + src + ".undone~ && mv " + old + " " + src, swap.undo(old));
  }

  @Test
  void aLinkIsReplacedAtOnce() throws Exception {
    Path link = Files.createSymbolicLink(folder.resolve("current"), src);
    RuleSwap linked = RuleSwap.of(link, shadow);
    assertEquals(src.toRealPath(), linked.run(linked.texts(), NOW));
    assertEquals(Map.of("a.yaml", "new a", "b.yaml", "new b"), content(link));
    assertEquals(Map.of("a.yaml", "old a", "gone.yaml", "old"), content(src));
    assertEquals(List.of("current", "current.20260102T030405.006Z", "rules"), names());
    assertEquals("ln -sfn " + src + " " + link, linked.undo(src));
  }

  @Test
  void whatWasChangedMeanwhileStays() throws Exception {
    var texts = swap.texts();
    Files.writeString(shadow.resolve("b.yaml"), "newer b");
    swap.run(texts, NOW);
    assertEquals("new b", content(src).get("b.yaml"), "what was compared");
    assertEquals(Map.of("b.yaml", "newer b"), content(shadow));
  }

  @Test
  void refusesWhatWouldBeLeftBehind() throws Exception {
    Files.createDirectory(src.resolve(".git"));
    assertTrue(swap.obstacle().orElseThrow().contains(".git"), swap.obstacle().toString());
    Files.delete(src.resolve(".git"));
    Files.writeString(src.resolve("a.yaml~"), "backup");
    assertEquals(Optional.empty(), swap.obstacle());
    assertTrue(RuleSwap.of(src, src.resolve("a.yaml")).obstacle().orElseThrow().contains("is not a folder"));
    assertTrue(RuleSwap.of(src, folder.resolve("none")).obstacle().isPresent());
    Files.delete(shadow.resolve("a.yaml"));
    Files.delete(shadow.resolve("b.yaml"));
    assertTrue(swap.obstacle().orElseThrow().contains("no rule files"));
  }

  /** The live folder stands again under its name if the new one cannot get it. */
  @Test
  void aFailureChangesNothing() throws Exception {
    var texts = swap.texts();
    texts.put("c/d.yaml", "x");
    assertThrows(IOException.class, () -> swap.run(texts, NOW));
    assertEquals(Map.of("a.yaml", "old a", "gone.yaml", "old"), content(src));
    assertEquals(List.of("next", "rules"), names());
    assertEquals(2, content(shadow).size());
  }

  @Test
  void undoesAPromotionThatWasKilledBetweenItsRenames() throws Exception {
    assertEquals(Optional.empty(), RuleFolderSwap.recover(src), "nothing to do");
    Files.createDirectory(folder.resolve("rules.20250101T000000.000Z~"));
    Path old = Files.move(src, folder.resolve("rules.20260102T030405.006Z~"));
    assertEquals(Optional.empty(), RuleFolderSwap.recover(src), "not by a promotion");
    Files.writeString(Files.createDirectory(folder.resolve(".rules.next")).resolve("a.yaml"), "new a");
    assertEquals(Optional.of(old), RuleFolderSwap.recover(src).map(Path::toAbsolutePath));
    assertEquals(Map.of("a.yaml", "old a", "gone.yaml", "old"), content(src));
    assertFalse(Files.exists(folder.resolve(".rules.next")));
  }
}
