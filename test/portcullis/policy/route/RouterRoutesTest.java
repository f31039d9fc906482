package portcullis.policy.route;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import portcullis.fixture.CorpusTables;
import portcullis.lang.source.Problems;

/** The interfaces of GitHub, Google+ and Parse and the files of a site as rules: each path finds its own rule. */
class RouterRoutesTest {
  private record Row(String set, String method, String path) {
    String id() {
      return method + " " + path;
    }

    /** The path with every wildcard replaced by a value that no literal has. */
    String sample() {
      return path.replaceAll("[:*]([a-zA-Z_]+)", "its-$1");
    }
  }

  @Test
  void everyPathFindsItsOwnRule() {
    for (Map.Entry<String, List<Row>> set : rows().entrySet()) {
      RouteIndex<String> index = index(set.getValue());
      for (Row row : set.getValue()) {
        Match<String> match = index.find(RuleText.request(row.method(), row.sample())).orElseThrow();
        assertEquals(row.id(), match.value());
        match.captures().forEach((name, value) -> assertEquals("its-" + name, value));
        assertEquals(row.path().chars().filter(c -> c == ':' || c == '*').count(), match.captures().size(), row.path());
      }
    }
    assertEquals(Map.of("github", 203, "gplus", 13, "parse", 26, "static", 157),
        rows().entrySet().stream().collect(Collectors.toMap(Map.Entry::getKey, e -> e.getValue().size())));
  }

  @Test
  void unknownMethodsAndLongerPathsFindNothing() {
    List<Row> github = rows().get("github");
    RouteIndex<String> index = index(github);
    for (Row row : github) {
      assertEquals("-", RuleText.found(index, RuleText.request("PURGE", row.sample())));
      assertEquals("-", RuleText.found(index, RuleText.request(row.method(), row.sample() + "/a/b/c/d/e/f/g")));
    }
  }

  private static Map<String, List<Row>> rows() {
    return CorpusTables.text("router-routes/routes.tsv").lines().filter(line -> !line.startsWith("#")).skip(1)
        .map(line -> line.split("\t")).map(parts -> new Row(parts[0], parts[1], parts[2]))
        .collect(Collectors.groupingBy(Row::set));
  }

  private static RouteIndex<String> index(List<Row> rows) {
    Problems problems = new Problems();
    RuleText[] rules = rows.stream().map(row -> new RuleText(row.id(), problems).methods(row.method()).path(row.path()))
        .toArray(RuleText[]::new);
    RouteIndex<String> index = RouteIndex.<String>empty().with(List.of(RuleText.set("s", rules)), problems)
        .orElseThrow(() -> new AssertionError(RuleText.texts(problems)));
    assertEquals(List.of(), RuleText.texts(problems));
    return index;
  }
}
