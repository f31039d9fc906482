package portcullis.acceptance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import portcullis.fixture.Await;

/** Rule files are written slowly, in pieces, while the built image serves their rules. */
class SlowWriterTest {
  private static final String HEAD = "version: 1alpha4\nrules:\n";

  @TempDir
  private Path folder;

  /** What is asked for while a writer pauses is answered by one whole set. */
  private static void pause(GuardedSite site, long millis, int before, int after) throws Exception {
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
    do {
      assertEquals(List.of(before, after), List.of(site.status("/before"), site.status("/after")));
      Await.pause(100);
    } while (System.nanoTime() < end);
  }

  private static void append(Path file, String piece) throws IOException {
    try (OutputStream out = Files.newOutputStream(file, StandardOpenOption.APPEND)) {
      out.write(piece.getBytes(StandardCharsets.UTF_8));
    }
  }

  private GuardedSite started() throws Exception {
    GuardedSite site = GuardedSite.start(folder, GuardedSite::hello);
    site.rules(site.rule("one", "/before") + site.rule("two", "/too"));
    site.awaitStatus("/too", 200);
    return site;
  }

  /** Pieces end within lines, behind lines, behind whole rules. */
  @Test
  void halfAFileThatIsWrittenInPiecesIsNeverInForce() throws Exception {
    try (GuardedSite site = started()) {
      String text = HEAD + site.rule("one", "/after") + site.rule("two", "/too");
      int rule = text.indexOf("- id: two");
      int from = 10;
      Files.writeString(site.rulesFile(), text.substring(0, from));
      for (int to : List.of(HEAD.length() - 3, HEAD.length(), rule - 20, rule, rule + 20, text.length())) {
        pause(site, 1500, 200, 401);
        append(site.rulesFile(), text.substring(from, to));
        from = to;
      }
      site.awaitStatus("/after", 200);
      assertEquals(401, site.status("/before"));
      assertEquals(200, site.status("/too"));
      assertFalse(site.image().output().contains("level=WRN"), site.image().output());
    }
  }

  /** What does not parse to its end is no set, however long it stands there. */
  @Test
  void aFileThatEndsWithinARuleIsNeverTaken() throws Exception {
    try (GuardedSite site = started()) {
      String text = HEAD + site.rule("one", "/after") + site.rule("two", "/too");
      Files.writeString(site.rulesFile(), text.substring(0, text.indexOf("  execute", text.indexOf("two"))));
      pause(site, 6000, 200, 401);
      site.image().await("r\\.yaml:\\d+:\\d+: .*`execute` is missing");
      append(site.rulesFile(), text.substring(text.indexOf("  execute", text.indexOf("two"))));
      site.awaitStatus("/after", 200);
    }
  }

  @Test
  void rulesThatATruncatedFileLosesAreLoggedWhenTheyGo() throws Exception {
    try (GuardedSite site = started()) {
      String text = Files.readString(site.rulesFile());
      Files.writeString(site.rulesFile(), text.substring(0, text.indexOf("- id: two")));
      pause(site, 1500, 200, 401);
      assertEquals(200, site.status("/too"));
      site.awaitStatus("/too", 401);
      site.image().await("(?s)WRN.*two");
      assertEquals(200, site.status("/before"));
    }
  }

  @Test
  void appliesARenamedFileAsAWhole() throws Exception {
    try (GuardedSite site = started()) {
      site.rules(site.rule("one", "/after"));
      site.awaitStatus("/after", 200);
      assertEquals(List.of(401, 401), List.of(site.status("/before"), site.status("/too")));
    }
  }
}
