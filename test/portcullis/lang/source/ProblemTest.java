package portcullis.lang.source;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class ProblemTest {
  private static final SourceFile FILE = new SourceFile("rules/shop.yaml", "rules:\n\t- id: adimn # x\n");

  @Test
  void hasPlaceMessageAndHint() {
    Problem problem = Problem.error(new Origin.InFile(FILE, 2, 8, 5), "rules[0].id", "no `adimn`",
        "did you mean `admin`?");
    assertEquals("rules/shop.yaml:2:8: rules[0].id: no `adimn`, did you mean `admin`?", problem.text());
  }

  @Test
  void underlinesTheRangeBelowTabs() {
    Problem problem = Problem.error(new Origin.InFile(FILE, 2, 8, 5), "", "m", "");
    assertEquals("\t- id: adimn # x\n\t      ^^^^^", problem.excerpt());
  }

  @Test
  void underlinesOnlyTheLine() {
    Problem problem = Problem.error(new Origin.InFile(FILE, 1, 1, 99), "", "m", "");
    assertEquals("rules:\n^^^^^^", problem.excerpt());
  }

  @Test
  void namesEnvironmentVariables() {
    assertEquals("environment X_Y: serve.port: wrong",
        Problem.error(new Origin.InEnvironment("X_Y"), "serve.port", "wrong", "").text());
  }

  @Test
  void isAlwaysOneLine() {
    Problem problem = Problem.error(Origin.BUILT_IN, "a\tb", "`x\ny\u2028z\u001b[1m` is wrong", "\r\n");
    assertEquals("a b: `x y z [1m` is wrong,   ", problem.text());
  }

  @Test
  void replacesTerminalControlCharacters() {
    SourceFile file = new SourceFile("a\u001b.yaml", "x\u001b[31m: \u202ey\u009b\t1\n");
    Problem problem = Problem.error(new Origin.InFile(file, 1, 1, 2), "", "m\u2066", "");
    assertEquals("a .yaml:1:1: m ", problem.text());
    assertEquals("x [31m:  y \t1\n^^", problem.excerpt());
    assertEquals("environment A ", new Origin.InEnvironment("A\u0007").text());
  }

  @Test
  void marksWarnings() {
    assertEquals("warning: a: old", Problem.warning(Origin.BUILT_IN, "a", "old", "").text());
  }

  @Test
  void sortsByPlaceWithoutDuplicates() {
    Problems problems = new Problems();
    problems.error(new Origin.InFile(FILE, 2, 1, 1), "", "second", "");
    problems.error(new Origin.InFile(FILE, 1, 9, 1), "", "first", "");
    problems.error(new Origin.InFile(FILE, 2, 1, 1), "", "second", "");
    assertEquals("[first, second]", problems.sorted().stream().map(Problem::message).toList().toString());
    assertEquals(2, problems.errors());
  }

  @Test
  void longLinesAreCutAroundWhatIsWrong() {
    String line = "x".repeat(5000) + "!" + "y".repeat(5000);
    String[] shown = Problem
        .error(new Origin.InFile(SourceFile.argument("f", line), 1, 5001, 1), "", "wrong", "").excerpt().split("\n");
    assertEquals(302, shown[0].length());
    assertEquals('!', shown[0].charAt(shown[1].indexOf('^')));
  }
}
