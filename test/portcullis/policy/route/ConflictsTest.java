package portcullis.policy.route;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static portcullis.policy.route.PathParameter.Type.EXACT;
import static portcullis.policy.route.RuleText.rule;
import static portcullis.policy.route.RuleText.set;

import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import portcullis.lang.source.LocatedText;
import portcullis.lang.source.Problems;

class ConflictsTest {
  @Test
  void rejectsOverlappingRoutesOfTwoSources() {
    for (List<String> row : List.of(List.of("/x", "/x"), List.of("/x/y", "/x/:z"), List.of("/x/y", "/**"),
        List.of("/x/:a", "/x/:b"),
        List.of("/x/:a", "/x/**"), List.of("/x/*a", "/x/**"), List.of("/x/*a", "/**"), List.of("/x/:a/**", "/x/**"),
        List.of("/x/:a/b", "/:c/:d/:e"), List.of("/x/", "/**"), List.of("/x/y/", "/x/**"), List.of("/x/a/", "/x/:b/"),
        List.of("a.test/x", "/x"), List.of("a.test/x", "/:y"), List.of("a.test/x", "*.test/x"),
        List.of("b.a.test/x", "*.test/**"),
        List.of("*.a.test/x", "*.test/x"), List.of("*.a.test/x", "*/x"), List.of("a.test/x", "A.test./x"),
        List.of("a.test:8080/x", "/x"), List.of("b.a.test:8080/x", "*.a.test:8080/x"),
        List.of("a.test:443/x", "a.test/x"),
        List.of("a.test:80/x", "*.test/x"), List.of("*.a.test/x", "b.a.test/:y"), List.of("/x", "a.test/**"))) {
      assertTrue(isRefused(row.getFirst(), row.getLast()), row.toString());
      assertTrue(isRefused(row.getLast(), row.getFirst()), row.toString());
    }
  }

  @Test
  void routesThatAreApartOrOnlyCrossLiveTogether() { // facts 11 (12)
    for (List<String> row : List.of(List.of("/x", "/y"), List.of("/x", "/x/"), List.of("/x", "/x/:a"),
        List.of("/x/", "/x/:a"),
        List.of("/x/", "/x/**"), List.of("/", "/**"), List.of("/x/:a", "/x/:a/:b"), List.of("/x/:a/c", "/x/b/:y"),
        List.of("/x/:a/**", "/x/b"), List.of("/\\:a", "/\\*a"), List.of("/X", "/x"), List.of("a.test/x", "b.test/x"),
        List.of("a.test/x", "a.test:8080/x"), List.of("a.test/x", "*.a.test/x"), List.of("*.a.test/x", "*.b.test/**"),
        List.of("b.a.test:8080/x", "*.a.test/x"))) {
      assertFalse(isRefused(row.getFirst(), row.getLast()), row.toString());
      assertFalse(isRefused(row.getLast(), row.getFirst()), row.toString());
    }
  }

  @Test
  void conflictsIgnoreMethodsSchemesAndParameters() {
    RuleText get = rule("get").methods("GET").scheme(Scheme.HTTP).where("a", EXACT, "1")
        .host(HostPattern.Type.GLOB, "a.*").path("/:a");
    RuleText post = rule("post").methods("POST").scheme(Scheme.HTTPS).where("b", EXACT, "2")
        .host(HostPattern.Type.REGEX, "b").path("/:b");
    assertTrue(with(with(RouteIndex.empty(), get).orElseThrow(), post).isEmpty());
  }

  @Test
  void bothPlacesAreNamedAtTheOneThatComesLater() {
    RouteIndex<String> index = RouteIndex.<String>empty()
        .with(List.of(new RouteSet<>("a", List.of(at("a.yaml", "wide", "/x/:y")))),
            new Problems())
        .orElseThrow();
    Problems problems = new Problems();
    assertTrue(index.with(List.of(new RouteSet<>("b", List.of(at("b.yaml", "narrow", "/x/1"),
        at("b.yaml", "apart", "/y")))), problems).isEmpty());
    assertEquals(List.of("b.yaml:1:1: route `/x/1` of rule `narrow` is in conflict with route `/x/:y` of rule `wide` "
        + "(a.yaml:1:1), "
        + "keep rules that share hosts and paths in one rule set"), RuleText.texts(problems));
    Problems backwards = new Problems();
    index.without(List.of("a")).with(List.of(new RouteSet<>("b", List.of(at("b.yaml", "narrow", "/x/1"))),
        new RouteSet<>("c", List.of(at("c.yaml", "wide", "/**")))), backwards);
    assertEquals(List.of("c.yaml:1:1: route `/**` of rule `wide` is in conflict with route `/x/1` of rule `narrow` "
        + "(b.yaml:1:1), "
        + "keep rules that share hosts and paths in one rule set"), RuleText.texts(backwards));
  }

  private static RuleEntry<String> at(String file, String id, String path) {
    PathPattern pattern = PathPattern.compile(LocatedText.of(file, path), new Problems()).orElseThrow();
    return new RuleEntry<>(LocatedText.of(file, id),
        new Conditions(Scheme.ANY, MethodSet.ANY, List.of(), EncodedSlashes.OFF),
        List.of(new Route(pattern, List.of())), id);
  }

  @Test
  void aSetThatWasRefusedLeavesTheOldOneInPlace() {
    RouteIndex<String> index = with(RouteIndex.empty(), rule("old").path("/old")).orElseThrow();
    RouteIndex<String> both = index.with(List.of(set("other", rule("x").path("/x"))), new Problems()).orElseThrow();
    assertTrue(
        both.with(List.of(set("old", rule("new").path("/new"), rule("bad").path("/:x"))), new Problems()).isEmpty());
    assertEquals("old", RuleText.found(both, RuleText.get("/old")));
    assertTrue(
        both.without(List.of("other")).with(List.of(set("old", rule("new").path("/new"), rule("good").path("/:x"))),
            new Problems()).isPresent());
  }

  @Test
  void reportsOnlySomeOfManyConflicts() {
    RuleText[] many = IntStream.range(0, 1000).mapToObj(i -> rule("r" + i).path("/a/" + i)).toArray(RuleText[]::new);
    Problems problems = new Problems();
    with(RouteIndex.empty(), rule("wide").path("/**")).orElseThrow().with(List.of(set("many", many)), problems);
    assertEquals(20, problems.errors());
  }

  private static boolean isRefused(String one, String two) {
    return with(with(RouteIndex.empty(), route("one", one)).orElseThrow(), route("two", two)).isEmpty();
  }

  private static RuleText route(String id, String hostAndPath) {
    int slash = hostAndPath.indexOf('/');
    RuleText rule = rule(id);
    return (slash == 0 ? rule : rule.host(hostAndPath.substring(0, slash))).path(hostAndPath.substring(slash));
  }

  private static Optional<RouteIndex<String>> with(RouteIndex<String> index, RuleText rule) {
    return index.with(List.of(set(rule.entry().value(), rule)), new Problems());
  }
}
