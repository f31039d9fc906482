package portcullis.acceptance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import portcullis.fixture.RunningImage;

/** {@code portcullis convert ruleset} as an operator calls it. */
class ConvertCommandTest {
  private static final String PROGRAM = RunningImage.PROGRAM.toString();

  @TempDir
  private Path folder;

  private static Release.Outcome run(String... more) throws IOException {
    String[] words = new String[3 + more.length];
    words[0] = PROGRAM;
    words[1] = "convert";
    words[2] = "ruleset";
    System.arraycopy(more, 0, words, 3, more.length);
    return Release.run(Map.of(), words);
  }

  @Test
  void sampleRulesConvertBothWays() throws IOException {
    Path beta = folder.resolve("beta.yaml");
    Path alpha = folder.resolve("alpha.yaml");
    Path again = folder.resolve("again.yaml");
    assertEquals(0, run("--desired-version", "1beta1", "--out", beta.toString(), "rules/shop.yaml").status());
    assertEquals(0, run("-v", "1alpha4", "-o", alpha.toString(), beta.toString()).status());
    assertEquals(0, run("-v", "1beta1", "-o", again.toString(), alpha.toString()).status());
    assertTrue(Files.readString(beta).startsWith("version: 1beta1\n"), Files.readString(beta));
    assertEquals(Files.readString(beta), Files.readString(again));
  }

  @Test
  void wrongUseIsStatus2AndARefusedRuleSet1() throws IOException {
    assertEquals(2, run("rules/shop.yaml").status());
    assertEquals(2, run("-v", "1alpha3", "rules/shop.yaml").status());
    Release.Outcome same = run("-v", "1alpha4", "rules/shop.yaml");
    assertEquals(1, same.status());
    assertTrue(same.output().contains("the rule set has version `1alpha4` already"), same.output());
  }
}
