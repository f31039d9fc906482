package portcullis.lang.expression;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.projectnessie.cel.checker.Decls;
import org.projectnessie.cel.common.types.Err;
import org.projectnessie.cel.tools.Script;
import org.projectnessie.cel.tools.ScriptException;
import org.projectnessie.cel.tools.ScriptHost;
import portcullis.lang.source.LocatedText;
import portcullis.lang.source.Problems;
import portcullis.lang.value.JsonText;
import portcullis.lang.value.Value;

/**
 * Compares random expressions with cel-tools, an implementation by others. A seventh of {@code -Dmutations=N} is their
 * number, {@code -Dseed=N} sets the seed.
 */
@Timeout(600) // a busy machine takes long for so much
class SecondImplementationTest {
  private static final int COUNT = Integer.getInteger("mutations", 20_000) / 7;
  private static final long SEED = Long.getLong("seed", 1);
  private static final String FAILS = "fails";
  private static final Map<String, Object> ATTRIBUTES = Map.of("admin", true, "count", 2.5, "name", "jo", "groups",
      List.of("dev", "ops"), "age", 42.0);

  private final ScriptHost host = ScriptHost.newBuilder().build();

  @Test
  void randomExpressionsHaveTheSameResult() {
    RandomExpressions random = new RandomExpressions(SEED);
    List<String> differences = new ArrayList<>();
    int values = 0;
    for (int i = 0; i < COUNT; i++) {
      String expression = random.next();
      String result = ours(expression);
      values += result.equals(FAILS) ? 0 : 1;
      String other = theirs(expression);
      if (!result.equals(other)) {
        differences.add(expression + "\n  ours " + result + "\n  cel-tools " + other);
      }
    }
    assertEquals("", String.join("\n", differences));
    assertTrue(values > COUNT / 4, "only " + values + " of " + COUNT + " expressions have a value");
  }

  /** Where cel-tools differs from cel-go 0.29.2, which is right here. */
  @ParameterizedTest
  @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
      '1' == dyn(1)                                     | false | true
      dyn('true') == true                               | false | true
      string(3.0)                                       | "3"   | "3.0"
      ['a'] == ['b'].filter(s, s > [''][5])             | fails | false
      """)
  void knownDifferences(String expression, String ours, String theirs) {
    assertEquals(ours, ours(expression));
    assertEquals(theirs, theirs(expression));
  }

  private static String ours(String text) {
    Problems problems = new Problems();
    Optional<Expression> expression = Expression.any(LocatedText.of("t", text), problems);
    if (expression.isEmpty()) {
      return FAILS;
    }
    try {
      Value subject = Value.dict("Attributes", value(ATTRIBUTES));
      return JsonText.plain(expression.get().evaluate(Variables.of(Map.of("Subject", subject))));
    } catch (EvaluationFailure _) {
      return FAILS;
    }
  }

  private String theirs(String text) {
    try {
      Script script = host.buildScript(text).withDeclarations(Decls.newVar("Subject", Decls.Dyn)).build();
      Object result = script.execute(Object.class, Map.of("Subject", Map.of("Attributes", ATTRIBUTES)));
      return result instanceof Err ? FAILS : JsonText.plain(value(result));
    } catch (ScriptException | RuntimeException _) {
      return FAILS;
    }
  }

  private static Value value(Object of) {
    return switch (of) {
      case Boolean truth -> Value.of(truth);
      case Long number -> Value.of(number);
      case Double number -> Value.of(number);
      case String text -> Value.of(text);
      case List<?> list -> new Value.Array(list.stream().map(SecondImplementationTest::value).toList());
      case Object[] array -> value(List.of(array));
      case Map<?, ?> map -> {
        Map<String, Value> out = new LinkedHashMap<>();
        map.forEach((name, member) -> out.put(name.toString(), value(member)));
        yield new Value.Dict(out);
      }
      default -> throw new IllegalArgumentException(of.getClass() + " " + of);
    };
  }
}
