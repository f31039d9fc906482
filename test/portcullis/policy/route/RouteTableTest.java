package portcullis.policy.route;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import portcullis.lang.source.Problems;

class RouteTableTest {
  @Test
  void anIndexWithoutRulesFindsNothing() {
    RouteIndex<String> index = RouteIndex.<String>empty().with(List.of(RuleText.set("s")), new Problems())
        .orElseThrow();
    for (String url : List.of("/", "/a", "//h.sample:81/a/b/", "//h.sample/")) {
      assertEquals("-", RuleText.found(index, RuleText.get(url)), url);
      assertEquals("-", RuleText.found(RouteIndex.empty(), RuleText.get(url)), url);
    }
  }

  /** Each row: a request, the rule it finds. */
  @Test
  void comesBackFromWaysThatEndInNothing() {
    RouteIndex<String> index = RuleText.index(
        RuleText.rule("deep").path("/a/b/c/d/e"), RuleText.rule("single").path("/a/:x/c/d/f"),
        RuleText.rule("rest").path("/a/**"),
        RuleText.rule("post").methods("POST").path("/a/b/only"), RuleText.rule("put").methods("PUT").path("/a/b/only"),
        RuleText.rule("host").host("h.sample").path("/a/b/c/d/g"),
        RuleText.rule("below").host("*.sample").path("/a/:x/c/d/:y"),
        RuleText.rule("slash").path("/a/b/"),
        RuleText.rule("long").path("/a-segment-of-more-than-24-octets/that/goes/on/and/on"),
        RuleText.rule("other").path("/a-segment-of-more-than-24-octets/that/goes/on/:or/:not"));
    List<List<String>> rows = List.of(
        List.of("/a/b/c/d/e", "deep"), List.of("/a/b/c/d/f", "single"), List.of("/a/b/c/d/x", "rest"),
        List.of("/a/b/c/d", "rest"),
        List.of("/a/b/c/d/e/", "rest"), List.of("/a/b/only", "rest"), List.of("/a/b", "rest"),
        List.of("/a/b/", "slash"),
        List.of("/a/", "-"), List.of("/a", "-"), List.of("//h.sample/a/b/c/d/g", "host"),
        List.of("//h.sample/a/b/c/d/e", "below"),
        List.of("//h.sample/a/b/c/x", "rest"), List.of("//i.sample/a/b/c/d/g", "below"),
        List.of("//sample/a/b/c/d/g", "rest"),
        List.of("/a-segment-of-more-than-24-octets/that/goes/on/and/on", "long"),
        List.of("/a-segment-of-more-than-24-octets/that/goes/on/and/off", "other"),
        List.of("/a-segment-of-more-than-24-octets/that/goes/on/and/on/", "-"),
        List.of("/a-segment-of-more-than-24-octetz/that/goes/on/and/on", "-"));
    rows.forEach(
        row -> assertEquals(row.getLast(), RuleText.found(index, RuleText.get(row.getFirst())), row.getFirst()));
    assertEquals("put", RuleText.found(index, RuleText.request("PUT", "/a/b/only")));
    assertEquals("post", RuleText.found(index, RuleText.request("POST", "/a/b/only")));
  }

  /** In another order each time, since it decides which text finds its row taken. */
  @Test
  void findsEachRuleWhileSetsComeAndGo() {
    Random random = new Random(5);
    List<Integer> sets = new ArrayList<>(List.of(0, 1, 2, 3, 4));
    RouteIndex<String> index = RouteIndex.empty();
    for (int round = 0; round < 6; round++) {
      Collections.shuffle(sets, random);
      for (int set : sets) {
        index = index.with(List.of(RuleText.set("s" + set, rules(set, round))), new Problems()).orElseThrow();
        assertEquals("r" + set + "-3-" + round, RuleText.found(index, RuleText.get(path(set, 3, round))));
      }
      for (int set : sets) {
        for (int i = 0; i < 200; i++) {
          assertEquals("r" + set + "-" + i + "-" + round, RuleText.found(index, RuleText.get(path(set, i, round))));
          assertEquals("-", RuleText.found(index, RuleText.get(path(set, i, round + 1))));
        }
        index = random.nextBoolean() ? index.without(List.of("s" + set)) : index;
      }
    }
  }

  private static RuleText[] rules(int set, int round) {
    RuleText[] out = new RuleText[200];
    for (int i = 0; i < out.length; i++) {
      out[i] = RuleText.rule("r" + set + "-" + i + "-" + round).path(path(set, i, round).replace("4711", ":id"));
    }
    return out;
  }

  private static String path(int set, int i, int round) {
    return switch (i % 3) {
      case 0 -> "/of-set-" + set + "/number-" + i + "/round-" + round;
      case 1 -> "/number-" + i + "/4711/of-set-" + set + "/round-" + round;
      default -> "/" + i + "/a-text-that-is-somewhat-longer-than-a-row-has-place-for-" + set + "/4711/round-" + round;
    };
  }
}
