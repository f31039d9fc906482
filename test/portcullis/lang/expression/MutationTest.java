package portcullis.lang.expression;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import portcullis.fixture.Corpora;
import portcullis.fixture.GoldenRow;
import portcullis.lang.source.LocatedText;
import portcullis.lang.source.Problems;
import portcullis.lang.value.Value;

/** Changes expressions at random; {@code -Dmutations=N} sets how many, {@code -Dseed=N} the seed. */
@Timeout(600) // a busy machine takes long for so much
class MutationTest {
  private static final int COUNT = Integer.getInteger("mutations", 20_000);
  private static final long SEED = Long.getLong("seed", 1);
  private static final String CHARACTERS = "()[]{}.,:?!+-*/%<>=&|'\"\\`abexr0159 \n\t_é🌍";

  @Test
  void anyInputEndsInValueProblemOrFailure() {
    List<String> expressions = expressions();
    Variables variables = ConditionRows.variables(
        Corpora.member(GoldenRow.read(ConditionRows.FILE).getFirst().contexts(), "base").orElseThrow());
    Random random = new Random(SEED);
    for (int i = 0; i < COUNT; i++) {
      String text = mutated(expressions, random);
      assertTimeoutPreemptively(Duration.ofSeconds(20), () -> run(text, variables), text);
    }
  }

  private static List<String> expressions() {
    List<String> all = new ArrayList<>();
    GoldenRow.read(ConditionRows.FILE).forEach(row -> all.add(row.text("expression")));
    ConformanceRows.FILES.stream().filter(Corpora::has).forEach(file -> collect(Corpora.read(file), all));
    return all;
  }

  private static void collect(Value suite, List<String> out) {
    Corpora.items(suite, "suites").forEach(inner -> collect(inner, out));
    Corpora.items(suite, "tests")
        .forEach(row -> out.add(Corpora.text(Corpora.member(row, "original").orElseThrow(), "expr")));
  }

  private static void run(String text, Variables variables) {
    Problems problems = new Problems();
    Optional<Expression> expression = Expression.any(LocatedText.of("mutant", text), problems);
    assertTrue(expression.isPresent() == problems.isEmpty(), text);
    problems.sorted().forEach(problem -> assertFalse(problem.text().contains("\n") && !text.contains("\n"), text));
    problems.sorted().forEach(problem -> problem.excerpt());
    if (expression.isPresent()) {
      try {
        expression.get().evaluate(variables);
        expression.get().test(variables);
      } catch (EvaluationFailure e) {
        assertFalse(e.getMessage().isEmpty(), text);
      }
    }
  }

  private static String mutated(List<String> expressions, Random random) {
    StringBuilder text = new StringBuilder(any(expressions, random));
    int changes = 1 + random.nextInt(6);
    for (int i = 0; i < changes; i++) {
      int at = random.nextInt(text.length() + 1);
      int to = Math.min(text.length(), at + random.nextInt(8));
      switch (random.nextInt(6)) {
        case 0 -> text.delete(at, to);
        case 1 -> text.insert(at, CHARACTERS.charAt(random.nextInt(CHARACTERS.length())));
        case 2 -> text.insert(at, any(expressions, random));
        case 3 -> text.insert(at, text.substring(at, to).repeat(1 + random.nextInt(50)));
        case 4 -> text.insert(0, "(".repeat(random.nextInt(4) == 0 ? 300 : 1)).append(')');
        default -> text.append(random.nextBoolean() ? " && " : " + ").append(any(expressions, random));
      }
    }
    return text.toString();
  }

  private static String any(List<String> expressions, Random random) {
    return expressions.get(random.nextInt(expressions.size()));
  }
}
