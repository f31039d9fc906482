package portcullis.verify;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class DecisionTextTest {
  @Test
  void filesOfTheWorkingFolderAreRelativeToIt() {
    Path here = Path.of("/srv/gate");
    assertEquals("allowed by rule `r` (rules/a.yaml:6)",
        DecisionText.places("allowed by rule `r` (/srv/gate/rules/a.yaml:6)", here));
    assertEquals("denied by step `s` of rule `r` (/srv/gates/a.yaml:6) with x",
        DecisionText.places("denied by step `s` of rule `r` (/srv/gates/a.yaml:6) with x", here));
    assertEquals("rule `/srv/gate/a`", DecisionText.places("rule `/srv/gate/a`", here));
    assertEquals("(a.yaml:1)", DecisionText.places("(/a.yaml:1)", Path.of("/")));
  }

  @Test
  void timesAreInWholeSeconds() {
    assertEquals("2026-11-27T16:49:24Z", DecisionText.time("2026-11-27T16:49:24.040307675Z"));
    assertEquals("2026-11-27T16:49:24Z", DecisionText.time("2026-11-27T16:49:24Z"));
    assertEquals("yesterday", DecisionText.time("yesterday"));
  }
}
