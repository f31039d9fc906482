package portcullis.policy.route;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import portcullis.http.message.RequestPath;
import portcullis.lang.source.Problems;
import portcullis.lang.value.Value;

/** The tables of the reference's own trie. */
class TrieCorpusTest {
  private static final String FILE = "heimdall-data/forwarded-authority-trie.json";

  /**
   * Each path of the tree is a rule of its own. Rows that have no match because of a matcher that always fails become
   * rules for another method. Lookups go through the spelling of request paths, without merging slashes.
   */
  @Test
  void findsWhatTheReferenceFinds() {
    List<String> tree = Corpus.texts(Corpus.json(FILE).get("trie_lookup_tree_host_star"));
    RouteIndex<String> index = RuleText.index(rules(tree, "GET"));
    List<String> wrong = new ArrayList<>();
    List<Value> rows = table("radix_trie_lookup");
    for (Value each : rows) {
      Map<String, Value> row = Corpus.members(each);
      String path = RequestPath.normalized(Corpus.text(row.get("path")));
      String method = row.containsKey("matcher") ? "POST" : "GET";
      String expected = row.containsKey("expErr") ? "-" : Corpus.text(row.get("expPath")) + captures(row);
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
      dict.members().forEach((name, value) -> out.put(name, RequestPath.normalized(Corpus.text(value))));
    }
    return out;
  }

  private static RuleText[] rules(List<String> paths, String method) {
    return paths.stream().map(path -> RuleText.rule(path).methods(method).path(path)).toArray(RuleText[]::new);
  }

  @Test
  void refusesTheHostsThatTheReferenceRefuses() {
    for (Value each : table("host_conflicts")) {
      List<Value> row = Corpus.items(Corpus.members(each).get("case"));
      List<String> hosts = Corpus.texts(row.getFirst());
      Problems problems = new Problems();
      RuleText rule = new RuleText("r",
          problems).host(HostPattern.Type.WILDCARD, hosts.toArray(String[]::new)).path("/");
      RouteIndex.<String>empty().with(RuleText.set("s", rule), problems);
      assertEquals(Corpus.flag(row.getLast()), problems.hasErrors(), () -> hosts + " " + RuleText.texts(problems));
    }
  }

  @Test
  void refusesThePathsThatTheReferenceRefuses() {
    for (Value each : table("path_conflicts")) {
      List<Value> row = Corpus.items(Corpus.members(each).get("case"));
      List<String> paths = Corpus.texts(row.getFirst());
      Problems problems = new Problems();
      RuleText rule = new RuleText("r", problems).path(paths.toArray(String[]::new));
      RouteIndex.<String>empty().with(RuleText.set("s", rule), problems);
      assertEquals(Corpus.flag(row.getLast()), problems.hasErrors(), () -> paths + " " + RuleText.texts(problems));
    }
  }

  /** Keys are host and path as looked up, names the pattern that wins. */
  @Test
  void findsByHostAndPathAsTheReferencesBenchmarkDoes() {
    Map<String, String> lookups = new HashMap<>();
    List<RuleText> rules = new ArrayList<>();
    for (Value each : table("bench")) {
      String pattern = Corpus.text(Corpus.members(each).get("name"));
      List<String> hostAndPath = Corpus.texts(Corpus.members(each).get("case"));
      rules.add(RuleText.rule(pattern).host(hostAndPath.getFirst()).path(pattern));
      lookups.put("//" + hostAndPath.getFirst().replace("*", "foo") + hostAndPath.getLast(), pattern);
    }
    RouteIndex<String> index = RuleText.index(rules.toArray(RuleText[]::new));
    lookups.forEach((url, pattern) -> assertEquals(pattern, RuleText.found(index, RuleText.get(url)), url));
  }

  private static List<Value> table(String label) {
    return Corpus.items(Corpus.json(FILE).get("tables")).stream().map(Corpus::members)
        .filter(table -> Corpus.text(table.get("label")).equals(label)).findFirst()
        .map(table -> Corpus.items(table.get("rows"))).orElseThrow();
  }
}
