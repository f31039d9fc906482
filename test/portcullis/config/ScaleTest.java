package portcullis.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import portcullis.lang.source.Problems;
import portcullis.lang.source.SourceFile;

/** Ten times the rules take some ten times the work, with errors and variables too. */
class ScaleTest {
  private static final Decoder<Integer> SET = Decoders.object("", List.of(Key.required("rules",
      Decoders.list(Decoders.object("",
          List.of(Key.required("id", Decoders.text(), ""), Key.optional("names", Decoders.node(), "")),
          p -> p)),
      "")), p -> p.node().members().size());

  private static String rules(int count, String item) {
    return "rules:\n" + ("- " + item + "\n").repeat(count);
  }

  private static long work(String text, int errors) {
    long start = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    Problems problems = new Problems();
    Optional<Node> node = Substitution.apply(new SourceFile("f", text), Map.of("ID", "x"), problems)
        .flatMap(s -> Yaml.read(s, problems));
    node.flatMap(n -> SET.decode(n, problems));
    assertEquals(errors, problems.errors());
    return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - start;
  }

  private static void isInProportion(String item, boolean faulty) {
    work(rules(2_000, item), faulty ? 2_000 : 0);
    long few = work(rules(2_000, item), faulty ? 2_000 : 0);
    long many = work(rules(20_000, item), faulty ? 20_000 : 0);
    assertTrue(many < 40 * Math.max(few, 5_000_000), few + " and " + many + " ns");
  }

  @Test
  void goodRules() {
    isInProportion("id: a\n  names: { b: [1, 2], c: d }", false);
  }

  @Test
  void rulesWithVariables() {
    isInProportion("id: ${ID}\n  names: { b: $$, c: '${NONE:-d}' }", false);
  }

  @Test
  void rulesWithAnErrorEach() {
    isInProportion("id: a\n  nmaes: { b: ${ID} }", true);
  }

  @Test
  void aMappingOfManyNames() {
    StringBuilder text = new StringBuilder("rules: []\n");
    for (int i = 0; i < 50_000; i++) {
      text.append("name").append(i).append(": 1\n");
    }
    assertEquals(50_001, ((Node.Mapping) Yaml.read(new SourceFile("f", text.toString()), new Problems()).orElseThrow())
        .members().size());
  }
}
