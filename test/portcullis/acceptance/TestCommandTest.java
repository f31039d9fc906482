package portcullis.acceptance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import portcullis.fixture.DemoKeyFiles;
import portcullis.fixture.Needs;
import portcullis.fixture.RunningImage;

/** {@code portcullis test} as an operator calls it. */
class TestCommandTest {
  private static final String PROGRAM = RunningImage.PROGRAM.toString();

  @TempDir
  private Path folder;

  private Release.Outcome run(String... more) throws IOException {
    String[] words = new String[3 + more.length];
    words[0] = PROGRAM;
    words[1] = "test";
    words[2] = "--insecure";
    System.arraycopy(more, 0, words, 3, more.length);
    return Release.run(DemoKeyFiles.write(folder), words);
  }

  @Test
  void sampleRulesPassWithFullCoverage() throws IOException {
    Release.Outcome outcome = run("--coverage=100", "rules");
    assertEquals(0, outcome.status(), outcome.output());
    assertTrue(outcome.output().contains(" passed, 0 failed\n"), outcome.output());
    assertTrue(outcome.output().contains("coverage 100 %"), outcome.output());
  }

  @Test
  void aFailedCaseIsStatus1() throws IOException {
    Path file = Files.writeString(folder.resolve("x_test.yaml"), "config: " + Path.of("config/portcullis.yaml")
        .toAbsolutePath() + "\nrules: " + Path.of("rules/shop.yaml").toAbsolutePath()
        + "\ncases: [ { name: n, request: GET http://h/, expect: { status: 403 } } ]\n");
    Release.Outcome outcome = run(file.toString());
    assertEquals(1, outcome.status(), outcome.output());
    assertTrue(outcome.output().contains("status is 200, expected 403"), outcome.output());
    assertEquals(1, run("-o", "junit", file.toString()).status());
    assertEquals(1, run("--coverage=50", "--run", "n", file.toString()).status());
  }

  @Test
  void whatCannotBeRunIsStatus2() throws IOException {
    assertEquals(2, run().status());
    assertEquals(2, run(folder.resolve("none_test.yaml").toString()).status());
    assertEquals(2, run(Files.writeString(folder.resolve("x_test.yaml"), "cases: 1\n").toString()).status());
    assertEquals(2, run("--run", "no such case", "rules/shop_test.yaml").status());
  }

  @Test
  void aThousandCasesNeedNoNetwork() throws IOException {
    StringBuilder text = new StringBuilder("config: " + Path.of("config/portcullis.yaml").toAbsolutePath() + "\nrules: "
        + Path.of("rules/shop.yaml").toAbsolutePath() + "\ncases:\n  - name: n <i>\n    table:\n");
    for (int i = 0; i < 1000; i++) {
      text.append("      - { i: ").append(i).append(" }\n");
    }
    text.append("    request: PUT https://shop.example/api/orders/<i>\n    subject: s<i>\n    stubs:\n"
        + "      - { step: related, body: { allowed: true } }\n    expect: { decision: allow, subject: s<i> }\n");
    Path file = Files.writeString(folder.resolve("many_test.yaml"), text);
    Release.Outcome outcome = run(file.toString());
    assertEquals(0, outcome.status(), outcome.output());
    assertTrue(outcome.output().endsWith("1000 passed, 0 failed\n"), outcome.output());
  }

  @Test
  void anInterruptEndsWatching() throws Exception {
    Needs.signal("SIGINT", 2);
    Path rules = Files.writeString(folder.resolve("rules.yaml"), "version: 1alpha4\nrules: [ { id: r, match: { routes: "
        + "[ { path: /a } ] }, execute: [ { authenticator: anyone } ] } ]\n");
    Path config = Files.writeString(folder.resolve("config.yaml"), "mechanisms: { authenticators: [ { id: anyone, "
        + "type: anonymous } ] }\ndefault_rule: { execute: [ { authenticator: anyone } ] }\n");
    Path file = Files.writeString(folder.resolve("x_test.yaml"), "config: " + config + "\nrules: " + rules
        + "\ncases: [ { name: n, request: GET http://h/a, expect: { status: 200 } } ]\n");
    Process process = new ProcessBuilder(PROGRAM, "test", "--insecure", "--watch", file.toString())
        .redirectErrorStream(true).start();
    try (BufferedReader lines = process.inputReader()) {
      assertEquals("1 passed, 0 failed", lines.readLine());
      assertEquals("watching 3 files, ^C ends", lines.readLine());
      Files.writeString(file, Files.readString(file).replace("200", "404"));
      assertEquals("changed " + file, lines.readLine());
      new ProcessBuilder("kill", "-INT", String.valueOf(process.pid())).start().waitFor();
      assertTrue(process.waitFor(30, TimeUnit.SECONDS));
      assertEquals(130, process.exitValue());
    } finally {
      process.destroyForcibly();
    }
  }
}
