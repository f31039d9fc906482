package portcullis.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import portcullis.lang.source.Origin;
import portcullis.lang.source.Problem;
import portcullis.lang.source.Problems;
import portcullis.lang.source.SourceFile;

/** Whatever the text, reading it ends with a tree or with problems that stand within the file. */
class RandomTextsTest {
  private static final List<String> PIECES = List.of("a", "name", "inner", "path", ": ", ":", " ", "  ", "\n", "\n  ",
      "\n- ", "- ", "{", "}",
      "[", "]", ", ", ",", "'", "\"", "\\", "\\x41", "|", ">", "|\n  ", "#", " # ", "&x ", "*x", "<<: ", "!t ", "? ",
      "%", "@", "`", "\t", "---\n",
      "...\n", "${A}", "${", "}", "${A:-", "${A/", "$$", "5", "5s", "true", "~", "\r\n", "\u00e4", "\uD83D\uDE00",
      "\uFEFF", "\u0007", "\u2028");
  private static final Map<String, String> ENVIRONMENT = Map.of("A", "{ \"b\": [1] }", "P_INNER_PATH", "x", "P_TAGS_1",
      "[", "P_NAME", "y");

  @Test
  void endsWithATreeOrWithProblemsWithinTheFile() {
    Random random = new Random(20250101);
    for (int i = 0; i < 20_000; i++) {
      StringBuilder text = new StringBuilder();
      for (int n = random.nextInt(30); n >= 0; n--) {
        text.append(PIECES.get(random.nextInt(PIECES.size())));
      }
      check(new SourceFile("f", text.toString()));
    }
  }

  private static void check(SourceFile file) {
    Problems problems = new Problems();
    Optional<SubstitutedSource> substituted = Substitution.apply(file, ENVIRONMENT, problems);
    assertEquals(substituted.isEmpty(), problems.hasErrors(), file.text());
    Optional<Node> node = substituted.flatMap(s -> Yaml.read(s, problems));
    Optional<Node> whole = Environment.overlay(node, ENVIRONMENT, List.of("P_"), Samples.thing().shape(), problems);
    boolean good = whole.flatMap(n -> Samples.thing().decode(n, problems)).isPresent();
    assertTrue(good || problems.hasErrors(), file.text());
    for (Problem problem : problems.sorted()) {
      if (problem.at() instanceof Origin.InFile at) {
        assertTrue(at.line() >= 1 && at.line() <= 1 + file.text().chars().filter(c -> c == '\n').count(), file.text());
        assertTrue(at.column() >= 1 && at.column() + at.length() <= file.text().length() + 2, file.text());
      }
      assertTrue(problem.text().lines().count() == 1 && problem.excerpt().lines().count() <= 2,
          problem.text() + "\n" + file.text());
    }
  }
}
