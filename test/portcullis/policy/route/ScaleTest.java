package portcullis.policy.route;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import portcullis.lang.regex.Regex;
import portcullis.lang.source.Problems;
import portcullis.lang.value.ValueException;

/** Prints what it measures; asserts only what holds on any machine by a wide margin. */
class ScaleTest {
  private static final Duration LOADING = Duration.ofSeconds(60);
  private static final int LOOKUPS = 20_000;

  @Test
  void lookupsTakeTimeByThePathNotByTheNumberOfRules() {
    for (int rules : List.of(100, 10_000, 100_000)) {
      long start = System.nanoTime();
      RouteIndex<String> index = RouteIndex.<String>empty().with(sets(rules), new Problems()).orElseThrow();
      Duration loading = Duration.ofNanos(System.nanoTime() - start);
      lookup(index, rules);
      long each = lookup(index, rules) / LOOKUPS;
      System.out.printf("%,7d rules: compiled and loaded in %d ms, %d ns a lookup%n", rules, loading.toMillis(), each);
      assertTrue(loading.compareTo(LOADING) < 0, loading + " for " + rules + " rules");
    }
  }

  /** Rules of many interfaces in ten sources: own hosts, shared hosts, wildcards, several rules of one path. */
  private static List<RouteSet<String>> sets(int rules) {
    List<List<RuleText>> sources = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      sources.add(new ArrayList<>());
    }
    for (int i = 0; i < rules; i++) {
      RuleText rule = new RuleText("r" + i, new Problems());
      String path = switch (i % 4) {
        case 0 -> "/service-" + i + "/users/:id/files/:file";
        case 1 -> "/service-" + i + "/users/**";
        case 2 -> "/tenants/" + i + "/orders/:id";
        default -> "/static/page-" + i + ".html";
      };
      RuleText placed = i % 3 == 0 ? rule.host("host-" + i % 1000 + ".example.com") : rule;
      sources.get(i % 10).add(placed.methods("GET", "POST").path(path));
    }
    List<RouteSet<String>> sets = new ArrayList<>();
    sources.forEach(source -> sets.add(RuleText.set("s" + sets.size(), source.toArray(RuleText[]::new))));
    return sets;
  }

  private static long lookup(RouteIndex<String> index, int rules) {
    Lookup[] requests = new Lookup[LOOKUPS];
    for (int i = 0; i < LOOKUPS; i++) {
      int rule = (int) ((i * 7919L) % rules);
      String path = switch (rule % 4) {
        case 0 -> "/service-" + rule + "/users/42/files/a.txt";
        case 1 -> "/service-" + rule + "/users/x/y/z";
        case 2 -> "/tenants/" + rule + "/orders/4711";
        default -> "/static/page-" + rule + ".html";
      };
      requests[i] = Lookup.of("https", "GET", "host-" + rule % 1000 + ".example.com", path);
    }
    long start = System.nanoTime();
    for (int i = 0; i < LOOKUPS; i++) {
      assertEquals("r" + (i * 7919L) % rules, index.find(requests[i]).orElseThrow().value());
    }
    return System.nanoTime() - start;
  }

  @Test
  void searchesHostileStringsInLinearTime() throws ValueException {
    for (String text : List.of("(a+)+$", "(a|aa)+$", "(a*)*b", "^(([a-z])+.)+[A-Z]([a-z])+$", "(.*a){20}b")) {
      Regex regex = Regex.unbounded(text);
      String hostile = "a".repeat(50_000) + "!";
      regex.isFoundIn(hostile);
      long start = System.nanoTime();
      assertFalse(regex.isFoundIn(hostile));
      System.out.printf("%s on 50 kB: %d us%n", text, (System.nanoTime() - start) / 1000);
      assertTrue(System.nanoTime() - start < Duration.ofSeconds(5).toNanos(), text);
    }
  }

  @Test
  void pathsOfManySegmentsAndHostsOfManyLabelsAreNoBurden() {
    RouteIndex<String> index = RuleText.index(RuleText.rule("deep").path("/deep/*rest"),
        RuleText.rule("host").host("*.test").path("/h"), RuleText.rule("long").path("/:a" + "/b".repeat(900)));
    String many = "/deep" + "/s".repeat(50_000);
    assertEquals("deep", RuleText.found(index, RuleText.get(many)));
    assertEquals("-", RuleText.found(index, RuleText.get(many.substring(5))));
    assertEquals("host", RuleText.found(index, RuleText.get("//" + "a.".repeat(120) + "test/h")));
    assertEquals("long", RuleText.found(index, RuleText.get("/x" + "/b".repeat(900))));
  }
}
