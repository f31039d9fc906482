package portcullis.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import portcullis.fixture.Await;

/** Cases run again when a file that they depend on changes. */
class TestWatchTest {

  @TempDir
  private Path folder;
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private FutureTask<Integer> command;
  private Thread thread;

  @BeforeEach
  void start() throws Exception {
    Files.writeString(folder.resolve("config.yaml"), """
        mechanisms:
          authenticators: [ { id: anyone, type: anonymous }, { id: closed, type: unauthorized } ]
        default_rule: { execute: [ { authenticator: closed } ] }
        """);
    for (String name : List.of("a", "b")) {
      rules(name, "anyone");
      Files.writeString(folder.resolve(name + "_test.yaml"), "rules: " + name + ".yaml\ncases: [ { name: case " + name
          + ", request: GET https://h/" + name + ", expect: { decision: allow } } ]\n");
    }
    command = new FutureTask<>(() -> new Commands(new Console(CommandResult.print(out), CommandResult.print(out)))
        .run(List.of("test", "--insecure", "--watch", "-c", folder.resolve("config.yaml").toString(),
            folder.toString())));
    thread = Thread.ofPlatform().daemon().start(command);
    awaitText("watching 5 files, ^C ends\n");
  }

  @AfterEach
  void stop() {
    thread.interrupt();
  }

  private void rules(String name, String authenticator) throws IOException {
    Files.writeString(folder.resolve(name + ".yaml"), "version: 1alpha4\nrules: [ { id: r, match: { routes: [ { path: /"
        + name + " } ] }, execute: [ { authenticator: " + authenticator + " } ] } ]\n");
  }

  /** Waits for a string at the end of the output, and returns all of it. */
  private String awaitText(String end) throws InterruptedException {
    AtomicReference<String> reported = new AtomicReference<>("");
    Await.until(() -> {
      boolean isOver = command.isDone();
      reported.set(out.toString(StandardCharsets.UTF_8));
      boolean isThere = reported.get().endsWith(end);
      assertTrue(isThere || !isOver, reported::get);
      return isThere;
    }, reported::get);
    return reported.get();
  }

  @Test
  void onlyCasesOfTheChangedRulesRunAgain() throws Exception {
    assertTrue(awaitText("watching 5 files, ^C ends\n").startsWith("2 passed, 0 failed\n"));
    out.reset();
    rules("a", "closed");
    String reported = awaitText("0 passed, 1 failed\n");
    assertTrue(reported.startsWith("changed " + folder.resolve("a.yaml") + "\nFAILED case a "), reported);
    out.reset();
    rules("a", "anyone");
    awaitText("changed " + folder.resolve("a.yaml") + "\n1 passed, 0 failed\n");
    thread.interrupt();
    assertEquals(0, command.get(30, TimeUnit.SECONDS));
  }

  @Test
  void aChangedConfigurationRunsAllCasesAgain() throws Exception {
    out.reset();
    Path config = folder.resolve("config.yaml");
    Files.writeString(config, Files.readString(config) + "# more\n");
    awaitText("changed " + config + "\n2 passed, 0 failed\n");
  }

  @Test
  void mistakesAreShownAndWatchingGoesOn() throws Exception {
    out.reset();
    Path test = folder.resolve("b_test.yaml");
    String good = Files.readString(test);
    Files.writeString(test, "cases: 1\n");
    assertTrue(awaitText("1 error\n").contains("b_test.yaml:1:8: "));
    out.reset();
    Files.writeString(test, good);
    awaitText("changed " + test + "\n1 passed, 0 failed\n");
  }

  @Test
  void newTestFilesAreRun() throws Exception {
    out.reset();
    Path added = folder.resolve("c_test.yaml");
    Files.writeString(added, Files.readString(folder.resolve("a_test.yaml")).replace("case a", "case c"));
    awaitText("changed " + added + "\n1 passed, 0 failed\n");
  }

  @Test
  void otherFormatsAreRefused() {
    assertEquals(2, CommandResult.of("test", "--watch", "-o", "json", folder.toString()).status());
  }
}
