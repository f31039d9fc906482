package portcullis.policy.route;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static portcullis.policy.route.PathParameter.Type.EXACT;
import static portcullis.policy.route.PathParameter.Type.GLOB;
import static portcullis.policy.route.PathParameter.Type.REGEX;
import static portcullis.policy.route.RuleText.found;
import static portcullis.policy.route.RuleText.get;
import static portcullis.policy.route.RuleText.request;
import static portcullis.policy.route.RuleText.rule;

import java.util.List;
import org.junit.jupiter.api.Test;
import portcullis.http.message.RequestPath;
import portcullis.http.message.ResponseStatusException;
import portcullis.lang.source.Problems;

class RouteIndexTest {
  @Test
  void theMostSpecificPathWinsInAnyOrder() {
    List<String> paths = List.of("/**", "/a/**", "/a/:x", "/a/:x/:y", "/a/:x/c", "/a/b", "/a/b/:y", "/a/b/c",
        "/a/b/**");
    RuleText[] rules = paths.stream().map(path -> rule(path).path(path)).toArray(RuleText[]::new);
    RuleText[] backwards = paths.reversed().stream().map(path -> rule(path).path(path)).toArray(RuleText[]::new);
    for (RouteIndex<String> index : List.of(RuleText.index(rules), RuleText.index(backwards))) {
      assertEquals("/a/b/c /a/b/:y /a/:x/c /a/:x/:y /a/** /a/b/** /a/b /a/:x /** - /** /a/b/:y /** /**",
          all(index, "/a/b/c", "/a/b/x", "/a/x/c", "/a/x/y", "/a/x/y/z", "/a/b/x/y", "/a/b", "/a/x", "/b", "/",
              "/ab/c", "/a/b/cd", "/a/", "/a"));
    }
  }

  @Test
  void freeWildcardsTakeAtLeastOneCharacter() {
    RouteIndex<String> index = RuleText.index(rule("files").path("/files/*rest"), rule("all").path("/**"));
    assertEquals("files files files all all all -",
        all(index, "/files/a", "/files/a/", "/files/a/b", "/files/", "/files", "/filesystem", "/"));
    assertEquals("{rest=a/b/}", captures(index, get("/files/a/b/")));
    assertEquals("{}", captures(index, get("/x/y")));
  }

  @Test
  void singleWildcardsTakeOneSegmentThatIsNotEmpty() {
    RouteIndex<String> index = RuleText.index(rule("user").path("/users/:id"),
        rule("file").path("/users/:id/files/:file"),
        rule("unnamed").path("/any/:*/end"), rule("colon").path("/lit/\\:id"), rule("star").path("/lit/\\*all"),
        rule("slash").path("/docs/"), rule("bare").path("/docs"));
    assertEquals("user - - - file - unnamed colon star - slash bare",
        all(index, "/users/42", "/users/", "/users", "/users/42/",
            "/users/42/files/a", "/users/42/files", "/any/x/end", "/lit/:id", "/lit/*all", "/lit/7", "/docs/",
            "/docs"));
    assertEquals("{id=42, file=a.txt}", captures(index, get("/users/42/files/a.txt")));
    assertEquals("{}", captures(index, get("/any/x/end")));
  }

  @Test
  void matchesLiteralsCaseSensitively() {
    RouteIndex<String> index = RuleText.index(rule("dots").path("/v1.0/a.b"), rule("marks").path("/a+b(c)[d]"));
    assertEquals("dots - - marks -", all(index, "/v1.0/a.b", "/v1x0/aXb", "/V1.0/a.b", "/a+b(c)%5Bd%5D", "/aab(c)d"));
  }

  @Test
  void dotIsLiteralExceptInRegularExpressions() {
    RouteIndex<String> index = RuleText.index(rule("host").host("a.b").path("/x"),
        rule("below").host("*.c.d").path("/x"),
        rule("like").host(HostPattern.Type.GLOB, "*.e.f").path("/x"),
        rule("value").where("v", EXACT, "a.b").path("/v/:v"),
        rule("globbed").where("g", GLOB, "a.b*").path("/g/:g"), rule("regex").where("r", REGEX, "^a.b$").path("/r/:r"));
    assertEquals("host - below - like - value - globbed - regex regex",
        all(index, "//a.b/x", "//axb/x", "//1.c.d/x", "//1.cxd/x",
            "//1.e.f/x", "//1.exf/x", "/v/a.b", "/v/axb", "/g/a.b", "/g/axb", "/r/a.b", "/r/axb"));
  }

  @Test
  void queriesAndRelativePathsMatchNothing() {
    RouteIndex<String> index = RuleText.index(rule("a").path("/a"), rule("all").path("/:x/**"));
    assertEquals("-", found(index, Lookup.of("http", "OPTIONS", "any.test", "*")));
    assertEquals("-", found(index, Lookup.of("http", "GET", "any.test", "")));
    assertEquals("-", found(index, get("/a?x")));
  }

  @Test
  void noSpellingOfAPathDodgesItsRule() throws ResponseStatusException {
    RouteIndex<String> index = RuleText.index(rule("wide").path("/**"), rule("admin").path("/admin"),
        rule("below").path("/admin/**"), rule("cafe").path("/caf\u00e9"), rule("semicolon").path("/r/a;b"),
        rule("escaped").path("/r/a%3bb"));
    for (List<String> row : List.of(List.of("/admin", "admin"), List.of("/%61dmin", "admin"),
        List.of("/%61%64%6D%69%6e", "admin"), List.of("//admin", "admin"), List.of("/x/../admin", "admin"),
        List.of("/./admin//x", "below"), List.of("/admin/%2e%2e%2e", "below"), List.of("/caf%c3%a9", "cafe"),
        List.of("/caf%C3%A9", "cafe"), List.of("/r/a;b", "semicolon"), List.of("/r/a%3Bb", "escaped"),
        List.of("/r/a%3bb", "escaped"), List.of("/%2561dmin", "wide"))) {
      assertEquals(row.getLast(), found(index, get(RequestPath.read(row.getFirst()).canonical())), row.getFirst());
    }
  }

  @Test
  void unmetConditionsFallBackToLessSpecificRules() {
    RouteIndex<String> index = RuleText.index(rule("rest").path("/files/**"),
        rule("get").methods("GET").where("team", REGEX, "^(t1|t2)$").path("/files/:team/:name"),
        rule("team").where("team", REGEX, "^(t1|t2)$").path("/files/:team/:name"),
        rule("t3").methods("GET", "POST").path("/files/t3/:name"));
    assertEquals("get team t3 rest rest", found(index, get("/files/t1/d")) + " "
        + found(index, request("POST", "/files/t1/d"))
        + " " + found(index, get("/files/t3/d")) + " " + found(index, request("PUT", "/files/t3/d")) + " "
        + found(index, get("/files/t4/d")));
  }

  @Test
  void capturesSurviveAFailedLiteral() {
    RouteIndex<String> index = RuleText.index(rule("lit").methods("POST").path("/:a/foo"), rule("two").path("/:a/:b"),
        rule("edit").methods("POST").path("/q/:v/edit"),
        rule("op").where("op", EXACT, "edit").where("v", GLOB, "v*").path("/q/:v/:op"));
    assertEquals("two{a=x, b=foo}", found(index, get("/x/foo")) + captures(index, get("/x/foo")));
    assertEquals("op{v=v1, op=edit}", found(index, get("/q/v1/edit")) + captures(index, get("/q/v1/edit")));
    assertEquals("-", found(index, get("/q/zz/edit")));
  }

  @Test
  void eachRuleHasItsOwnNames() {
    RouteIndex<String> index = RuleText.index(rule("pk").path("/users/:pk/:related"),
        rule("id").path("/users/:id/edit"),
        rule("some").methods("GET").path("/x/:*"), rule("named").path("/x/:name"));
    assertEquals("{pk=1, related=x}", captures(index, get("/users/1/x")));
    assertEquals("{id=1}", captures(index, get("/users/1/edit")));
    assertEquals("{}", captures(index, get("/x/1")));
    assertEquals("{name=1}", captures(index, request("POST", "/x/1")));
  }

  @Test
  void theFirstListedOfOnePathWinsAlsoAfterReloads() {
    RuleText one = rule("one").methods("GET").path("/p");
    RuleText two = rule("two").methods("GET", "POST").path("/p");
    RuleText any = rule("any").path("/p");
    RouteIndex<String> index = RuleText.index(one, two, any);
    assertEquals("one two any", found(index, get("/p")) + " " + found(index, request("POST", "/p")) + " "
        + found(index, request("PUT", "/p")));
    var changed = index.with(List.of(RuleText.set("one", two, rule("one").methods("GET", "PUT").path("/p"), any)),
        new Problems()).orElseThrow();
    assertEquals("two two one", found(changed, get("/p")) + " " + found(changed, request("POST", "/p")) + " "
        + found(changed, request("PUT", "/p")));
  }

  @Test
  void schemesAndMethodsAreComparedAsWritten() {
    RouteIndex<String> index = RuleText.index(rule("tls").scheme(Scheme.HTTPS).path("/t"),
        rule("all").methods("ALL").path("/a"),
        rule("not").methods("ALL", "!DELETE", "!TRACE").path("/n"), rule("odd").methods("PURGE").path("/o"));
    assertEquals("tls -", found(index, get("https://h/t")) + " " + found(index, get("http://h/t")));
    assertEquals("all - -", found(index, request("TRACE", "/a")) + " " + found(index, request("PROPFIND", "/a")) + " "
        + found(index, request("get", "/a")));
    assertEquals("not -", found(index, request("OPTIONS", "/n")) + " " + found(index, request("DELETE", "/n")));
    assertEquals("odd", found(index, request("PURGE", "/o")));
  }

  @Test
  void listsRulesPathsAndHostsOfAllSources() {
    RouteIndex<String> index = RuleText.index(rule("a").path("/one", "/two"), rule("b").host("b.test").path("/one"))
        .with(List.of(RuleText.set("other", rule("a").path("/three"), rule("c").host("c.test:81").path("/Four"))),
            new Problems())
        .orElseThrow();
    assertEquals(List.of("a", "b", "a", "c"), List.copyOf(index.values()));
    assertEquals(List.of("/one", "/two", "/three", "/Four"), List.copyOf(index.paths()));
    assertEquals("- a a c", all(index, "/one/x", "//b.test/three", "/three", "//c.test:81/Four"));
    assertEquals("a! b! a! c!",
        String.join(" ", index.mapped(value -> value + "!").values()));
    assertEquals(List.of("a", "b"), List.copyOf(index.without(List.of("other")).values()));
    assertSame(index, index.without(List.of("none")));
    assertEquals(List.of("a", "c"), List.copyOf(index.without(List.of("none", "one")).values()));
  }

  @Test
  void knowsWhetherCaseAndPortsMakeADifference() {
    RouteIndex<String> plain = RuleText.index(rule("a").path("/one"));
    RouteIndex<String> named = RuleText.index(rule("a").host("a.test").path("/One"));
    RouteIndex<String> ported = RuleText.index(rule("a").host("a.test:81").path("/one/:x"),
        rule("b").where("x", EXACT, "B").path("/b/:x"));
    assertEquals("false true true", plain.hasCapitals() + " " + named.hasCapitals() + " " + ported.hasCapitals());
    for (int port : new int[] {0, 80, 81, 443}) {
      assertFalse(plain.distinguishesPorts("http", port));
      assertEquals(port == 81 || port == 443, named.distinguishesPorts("http", port), "" + port);
      assertEquals(port == 81 || port == 80, named.distinguishesPorts("https", port), "" + port);
      assertTrue(ported.distinguishesPorts("http", port));
    }
  }

  private static String all(RouteIndex<String> index, String... paths) {
    return String.join(" ", List.of(paths).stream().map(path -> found(index, get(path))).toList());
  }

  private static String captures(RouteIndex<String> index, Lookup lookup) {
    return index.find(lookup).orElseThrow().captures().toString();
  }
}
