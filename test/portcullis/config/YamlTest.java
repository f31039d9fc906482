package portcullis.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import portcullis.lang.source.Origin;
import portcullis.lang.source.Problem;
import portcullis.lang.source.Problems;
import portcullis.lang.source.SourceFile;

class YamlTest {
  private final Problems problems = new Problems();

  private Optional<Node> read(String text) {
    return Yaml.read(new SourceFile("f.yaml", text), problems);
  }

  private Node.Scalar scalar(String text, String... path) {
    Node node = read(text).orElseThrow();
    for (String step : path) {
      node = node instanceof Node.Sequence s ? s.items().get(Integer.parseInt(step))
          : ((Node.Mapping) node).get(step).orElseThrow();
    }
    return (Node.Scalar) node;
  }

  private String reported() {
    return problems.sorted().stream().map(Problem::text).collect(Collectors.joining("\n"));
  }

  @ParameterizedTest
  @CsvSource({"on, TEXT", "no, TEXT", "true, BOOL", "True, BOOL", "12, INT", "-3, INT", "0x1f, INT", "0o17, INT",
    "1.5, FLOAT", "1e3, FLOAT",
    ".5, FLOAT", "'.', TEXT", "1.2.3, TEXT", "~, NULL", "null, NULL", "'\"1\"', TEXT", "1_000, TEXT", "1alpha4, TEXT",
    "-, NULL"})
  void plainScalarsMeanWhatTheCoreSchemaSays(String written, Node.Meaning meaning) {
    assertEquals(meaning, written.equals("-") ? scalar("a:\n", "a").meaning() : scalar("a: " + written, "a").meaning());
  }

  @ParameterizedTest
  @CsvSource(delimiter = ';', value = {
    "a: plain text;6;1:10",
    "a: \"q\\tx\";2;1:8",
    "a: \"it''s\";3;1:8",
    "a: |\\n  one\\n    two;0;2:3",
    "a: |\\n  one\\n    two;6;3:5",
    "a: >-\\n  one\\n  two;4;3:3",
    "a: one\\n  two;4;2:3",
    "a: 'one\\n  two';5;2:4",
  })
  void everyCharacterOfAScalarKnowsItsPlace(String yaml, int offset, String place) {
    Origin.InFile at = (Origin.InFile) scalar(yaml.replace("\\n", "\n"), "a").at(offset, 1);
    assertEquals(place, at.line() + ":" + at.column());
  }

  @Test
  void placesCountCharactersBehindOnesBeyondSixteenBits() {
    assertEquals("f.yaml:1:14", scalar("{x: \uD83D\uDE00\uD83D\uDE00, a: b}", "a").at().text());
  }

  @Test
  void mergedMembersCountWhereThereAreNone() {
    String yaml = "base: &b {x: 1, y: 2}\nown:\n  <<: *b\n  y: 3\n";
    assertEquals("1", scalar(yaml, "own", "x").text());
    assertEquals("own.x", scalar(yaml, "own", "x").path());
    assertEquals("f.yaml:1:14", scalar(yaml, "own", "x").at().text());
    assertEquals("3", scalar(yaml, "own", "y").text());
  }

  @Test
  void mergesSeveralTheFirstOfWhichWins() {
    String yaml = "a: &a {x: 1}\nb: &b {x: 2, y: 2}\nc: {<<: [*a, *b]}\n";
    assertEquals("1", scalar(yaml, "c", "x").text());
    assertEquals("2", scalar(yaml, "c", "y").text());
  }

  @Test
  void pathsNameMembersAndItems() {
    assertEquals("rules[1].match.routes[0]",
        scalar("rules: [a, {match: {routes: [x]}}]", "rules", "1", "match", "routes", "0").path());
  }

  @Test
  void refusesAYamlBomb() {
    StringBuilder yaml = new StringBuilder("a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n");
    for (int i = 1; i < 9; i++) {
      yaml.append("a").append(i).append(": &a").append(i).append(" [");
      yaml.append(("*a" + (i - 1) + ", ").repeat(9)).append("*a").append(i - 1).append("]\n");
    }
    assertTrue(read(yaml.toString()).isEmpty());
    assertTrue(reported().contains("aliases multiply to more than 100000 values"), reported());
  }

  @Test
  void refusesDeepNesting() {
    assertTrue(read("[".repeat(5000) + "]".repeat(5000)).isEmpty());
    assertTrue(reported().contains("nested more than 100 levels deep"), reported());
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', value = {
    "a: 1\\na: 2|f.yaml:2:1: `a` is there twice, first at f.yaml:1:1",
    "a: *x|f.yaml:1:4: a: unknown anchor `x`, an anchor is set before it is used; a string that begins with `*` "
        + "needs quotes",
    "a: !!python/object x|f.yaml:1:4: a: unknown tag `tag:yaml.org,2002:python/object`, write the value without a "
        + "tag",
    "? [a]\\n: b|f.yaml:1:3: a name is needed here, names are plain strings",
    "<<: 3|f.yaml:1:5: `<<` merges mappings, this is a number",
  })
  void saysWhereTheErrorIs(String yaml, String message) {
    read(yaml.replace("\\n", "\n"));
    assertEquals(message, reported());
  }

  @ParameterizedTest
  @ValueSource(strings = {"a: [1", "a: {b", "\tx: 1", "a: 'x", "a: b: c", "%", "@x", "a\n b: c\nd"})
  void whatIsNoYamlIsOneLocatedProblem(String yaml) {
    assertTrue(read(yaml).isEmpty());
    assertEquals(1, problems.errors(), reported());
    assertTrue(reported().startsWith("f.yaml:"), reported());
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "\n\n", "# only a comment\n", "---\n", "---\n...\n"})
  void inputWithoutADocumentIsEmpty(String yaml) {
    assertTrue(read(yaml).isEmpty());
    assertTrue(problems.isEmpty(), reported());
  }

  @Test
  void readsTheFirstDocumentAndWarnsOfMore() {
    assertEquals("1", scalar("a: 1\n---\nb: 2\n", "a").text());
    assertEquals("f.yaml:2:1: warning: only the first document of a file is read, put each into a file of its own",
        reported());
  }
}
