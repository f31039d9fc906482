package portcullis.policy.route;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import portcullis.fixture.CorpusTables;
import portcullis.http.message.RequestPath;
import portcullis.lang.source.Problems;
import portcullis.lang.value.Value;

/** The tables of the reference's own trie. */
class TrieCorpusTest {
  /**
   * Each path of the tree is a rule of its own. Rows that have no match because of a matcher that always fails become
   * rules for another method. Lookups go through the spelling of request paths, without merging slashes.
   */
  @Test
  void findsWhatTheReferenceFinds() {
    List<String> tree = CorpusTables.texts(CorpusTables.forwardedAndTrie().get("trie_lookup_tree_host_star"));
    RouteIndex<String> index = RuleText.index(rules(tree, "GET"));
    List<String> wrong = new ArrayList<>();
    List<Value> rows = CorpusTables.rows("radix_trie_lookup");
    for (Value each : rows) {
      Map<String, Value> row = CorpusTables.members(each);
      String path = RequestPath.normalized(CorpusTables.text(row.get("path")));
      String method = row.containsKey("matcher") ? "POST" : "GET";
      String expected = row.containsKey("expErr") ? "-" : CorpusTables.text(row.get("expPath")) + captures(row);
      String found = index.find(RuleText.request(method, path)).map(m -> m.value()
          + new TreeMap<>(m.captures())).orElse("-");
      if (!found.equals(expected)) {
        wrong.add(path + ": " + found + " instead of " + expected);
      }
    }
    assertEquals(List.of(), wrong);
    assertEquals(47, rows.size());
  }

  private static Map<String, String> captures(Map<String, Value> row) {
    Map<String, String> out = new TreeMap<>();
    if (row.get("expParams") instanceof Value.Dict dict) {
      dict.members().forEach((name, value) -> out.put(name, RequestPath.normalized(CorpusTables.text(value))));
    }
    return out;
  }

  private static RuleText[] rules(List<String> paths, String method) {
    return paths.stream().map(path -> RuleText.rule(path).methods(method).path(path)).toArray(RuleText[]::new);
  }

  @Test
  void refusesTheHostsThatTheReferenceRefuses() {
    for (Value each : CorpusTables.rows("host_conflicts")) {
      List<Value> row = CorpusTables.items(CorpusTables.members(each).get("case"));
      List<String> hosts = CorpusTables.texts(row.getFirst());
      Problems problems = new Problems();
      RuleText rule = new RuleText("r",
          problems).host(HostPattern.Type.WILDCARD, hosts.toArray(String[]::new)).path("/");
      RouteIndex.<String>empty().with(List.of(RuleText.set("s", rule)), problems);
      assertEquals(CorpusTables.flag(row.getLast()), problems.hasErrors(),
          () -> hosts + " " + RuleText.texts(problems));
    }
  }

  @Test
  void refusesThePathsThatTheReferenceRefuses() {
    for (Value each : CorpusTables.rows("path_conflicts")) {
      List<Value> row = CorpusTables.items(CorpusTables.members(each).get("case"));
      List<String> paths = CorpusTables.texts(row.getFirst());
      Problems problems = new Problems();
      RuleText rule = new RuleText("r", problems).path(paths.toArray(String[]::new));
      RouteIndex.<String>empty().with(List.of(RuleText.set("s", rule)), problems);
      assertEquals(CorpusTables.flag(row.getLast()), problems.hasErrors(),
          () -> paths + " " + RuleText.texts(problems));
    }
  }

  /** Keys are host and path as looked up, names the pattern that wins. */
  @Test
  void findsByHostAndPathAsTheReferencesBenchmarkDoes() {
    Map<String, String> lookups = new HashMap<>();
    List<RuleText> rules = new ArrayList<>();
    for (Value each : CorpusTables.rows("bench")) {
      String pattern = CorpusTables.text(CorpusTables.members(each).get("name"));
      List<String> hostAndPath = CorpusTables.texts(CorpusTables.members(each).get("case"));
      rules.add(RuleText.rule(pattern).host(hostAndPath.getFirst()).path(pattern));
      lookups.put("//" + hostAndPath.getFirst().replace("*", "foo") + hostAndPath.getLast(), pattern);
    }
    RouteIndex<String> index = RuleText.index(rules.toArray(RuleText[]::new));
    lookups.forEach((url, pattern) -> assertEquals(pattern, RuleText.found(index, RuleText.get(url)), url));
  }
}
