package portcullis.policy.route;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import portcullis.lang.source.Problems;

/** The index against {@link Naive} on random rules and requests from a small world, where much collides. */
class PropertyTest {
  private static final List<String> HOSTS = List.of("", "", "", "a.t", "b.a.t", "*.t", "*.a.t", "*", "a.t:443",
      "a.t:81", "*.t:81");
  private static final List<String> SEGMENTS = List.of("a", "b", "a", ":", ":", "c%2Fd");
  private static final List<String> SCHEMES = List.of("", "", "", "https");
  private static final List<List<String>> METHODS = List.of(List.of(), List.of(), List.of("GET"),
      List.of("GET", "POST"));
  private final Random random = new Random(20_261_121);

  @Test
  void findsWhatALinearSearchFinds() {
    int found = 0;
    for (int i = 0; i < 20_000; i++) {
      List<Naive.Rule> rules = rules(1 + random.nextInt(8), "r");
      RouteIndex<String> index = RuleText.index(rules.stream().map(Naive.Rule::text).toArray(RuleText[]::new));
      for (int j = 0; j < 4; j++) {
        Lookup request = request();
        String expected = Naive.found(rules, request);
        found += expected.equals("-") ? 0 : 1;
        assertEquals(expected, text(index.find(request)),
            () -> rules + " " + request);
      }
    }
    assertTrue(found > 15_000, "only " + found + " requests found a rule");
  }

  @Test
  void refusesExactlyWhatComparingAllPairsRefuses() {
    int refused = 0;
    for (int i = 0; i < 4_000; i++) {
      List<Naive.Rule> one = rules(1 + random.nextInt(3), "one");
      List<Naive.Rule> two = rules(1 + random.nextInt(3), "two");
      boolean conflict = one.stream().anyMatch(a -> two.stream().anyMatch(b -> Naive.areInConflict(a, b)));
      assertEquals(conflict, RouteIndex.<String>empty().with(List.of(set("one", one), set("two", two)),
          new Problems()).isEmpty(),
          () -> one + " " + two);
      refused += conflict ? 1 : 0;
    }
    assertTrue(refused > 400 && refused < 3_900, refused + " were refused");
  }

  @Test
  void incrementalIndexEqualsFreshIndex() {
    for (int i = 0; i < 300; i++) {
      RouteIndex<String> index = RouteIndex.empty();
      Map<String, RouteSet<String>> sets = new HashMap<>();
      for (int step = 0; step < 12; step++) {
        String source = "s" + random.nextInt(4);
        if (random.nextInt(4) == 0) {
          index = index.without(List.of(source));
          sets.remove(source);
        } else {
          RouteSet<String> set = set(source, rules(random.nextInt(3), source + "-" + step));
          var next = index.with(List.of(set), new Problems());
          next.ifPresent(_ -> sets.put(source, set));
          index = next.orElse(index);
        }
      }
      RouteIndex<String> fresh = RouteIndex.<String>empty().with(List.copyOf(sets.values()),
          new Problems()).orElseThrow();
      for (int j = 0; j < 30; j++) {
        Lookup request = request();
        assertEquals(text(fresh.find(request)), text(index.find(request)), () -> sets + " " + request);
      }
    }
  }

  private RouteSet<String> set(String source, List<Naive.Rule> rules) {
    return RuleText.set(source, rules.stream().map(Naive.Rule::text).toArray(RuleText[]::new));
  }

  private List<Naive.Rule> rules(int count, String prefix) {
    List<Naive.Rule> rules = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      rules.add(rule(prefix + i));
    }
    return rules;
  }

  /** Wildcards of one place have one name, so that no two rules are ambiguous. */
  private Naive.Rule rule(String id) {
    StringBuilder path = new StringBuilder();
    List<String> names = new ArrayList<>();
    for (int depth = 0, size = random.nextInt(4); depth < size; depth++) {
      String segment = pick(SEGMENTS);
      path.append('/').append(segment.equals(":") ? ":n" + depth : segment);
      names.addAll(segment.equals(":") ? List.of("n" + depth) : List.of());
    }
    switch (random.nextInt(path.isEmpty() ? 2 : 5)) {
      case 0 -> path.append('/');
      case 1 -> path.append("/*rest");
      default -> {
      }
    }
    boolean asks = !names.isEmpty() && random.nextInt(3) == 0;
    return new Naive.Rule(id, pick(HOSTS), path.toString(), pick(SCHEMES), pick(METHODS), asks ? pick(names) : "",
        asks ? pick(List.of("a", "b", "c/d", "c%2Fd")) : "", pick(List.of(EncodedSlashes.values())));
  }

  private Lookup request() {
    StringBuilder path = new StringBuilder();
    for (int depth = 0, size = random.nextInt(4); depth < size; depth++) {
      path.append('/').append(pick(List.of("a", "b", "a", "b", "c%2Fd", "e")));
    }
    path.append(path.isEmpty() || random.nextInt(5) == 0 ? "/" : "");
    return Lookup.of(pick(List.of("http", "https")), pick(List.of("GET", "POST", "PUT")),
        pick(List.of("a.t", "b.a.t", "c.b.a.t", "t", "x.y", "a.t:443", "a.t:81", "b.a.t:81", "a.t:80")),
        path.toString());
  }

  private <T> T pick(List<T> list) {
    return list.get(random.nextInt(list.size()));
  }

  private static String text(Optional<Match<String>> found) {
    return found.map(m -> m.value() + new TreeMap<>(m.captures())).orElse("-");
  }
}
