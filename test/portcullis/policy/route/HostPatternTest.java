package portcullis.policy.route;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static portcullis.policy.route.HostPattern.Type.EXACT;
import static portcullis.policy.route.HostPattern.Type.GLOB;
import static portcullis.policy.route.HostPattern.Type.REGEX;
import static portcullis.policy.route.HostPattern.Type.WILDCARD;
import static portcullis.policy.route.RuleText.found;
import static portcullis.policy.route.RuleText.get;
import static portcullis.policy.route.RuleText.request;
import static portcullis.policy.route.RuleText.rule;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import portcullis.lang.source.Origin;
import portcullis.lang.source.Problem;
import portcullis.lang.source.Problems;

class HostPatternTest {
  private static final RouteIndex<String> INDEX = RuleText.index(rule("general").path("/only-general"),
      rule("star").host("*.example.test").path("/v"), rule("api").host("Api.Example.test", "second.test").path("/v"),
      rule("port").host("port.example.test:8080").path("/v"),
      rule("deeper").host("*.a.example.test").methods("GET").path("/v"), rule("ip6").host("[::1]:8080").path("/v"),
      rule("ports").host("*.ports.test:8080").path("/v"), rule("local").host("[::1]").path("/v"));

  @Test
  void triesMostSpecificHostFirst() {
    for (List<String> row : List.of(List.of("api.example.test", "api"), List.of("api.example.test:8080", "-"),
        List.of("port.example.test:8080", "port"), List.of("port.example.test", "star"),
        List.of("a.example.test", "star"),
        List.of("b.a.example.test", "deeper"), List.of("example.test", "-"), List.of("notexample.test", "-"),
        List.of("deep.b.a.example.test", "deeper"), List.of("second.test", "api"), List.of("other.test", "-"),
        List.of("[::1]:8080", "ip6"), List.of("[::1]", "local"), List.of("[::1]:80", "local"),
        List.of("[0:0:0:0:0:0:0:1]", "local"),
        List.of("[0::0001]:8080", "ip6"), List.of("[::2]", "-"),
        List.of("api.example.test.evil.test", "-"), List.of("api-example.test", "-"),
        List.of("x.ports.test:8080", "ports"),
        List.of("x.y.ports.test:8080", "ports"), List.of("x.ports.test", "-"), List.of("", "-"))) {
      assertEquals(row.getLast(), found(INDEX, get("//" + row.getFirst() + "/v")), row.getFirst());
      assertEquals("general", found(INDEX, get("//" + row.getFirst() + "/only-general")), row.getFirst());
    }
    assertEquals("star", found(INDEX, request("POST", "//b.a.example.test/v")));
  }

  @Test
  void aSingleStarMatchesEveryHost() {
    RouteIndex<String> index = RuleText.index(rule("any").host("*").path("/v"));
    for (String host : List.of("a.test", "[::1]:8080", "localhost")) {
      assertEquals("any", found(index, get("//" + host + "/v")), host);
    }
  }

  @Test
  void aStarOfAGlobEndsAtTheDotAndTwoDoNot() {
    RouteIndex<String> index = RuleText.index(rule("one").host(GLOB, "*.b.test").path("/one"),
        rule("all").host(GLOB, "**.b.test").path("/all"), rule("mark").host(GLOB, "a?b.test").path("/mark"));
    assertEquals("one", found(index, get("//a.b.test/one")));
    assertEquals("-", found(index, get("//x.a.b.test/one")));
    assertEquals("all", found(index, get("//x.a.b.test/all")));
    assertEquals("mark", found(index, get("//a-b.test/mark")));
    assertEquals("-", found(index, get("//a.b.test/mark")));
  }

  @Test
  void letterCaseAndADotAtTheEndMakeNoDifference() { // S11
    RouteIndex<String> index = RuleText.index(rule("exact").host("A.b.Test.").path("/e"),
        rule("below").host("*.B.test").path("/w"),
        rule("glob").host(GLOB, "*.B.Test").path("/g"), rule("regex").host(REGEX, "^[a-c]\\.B\\.Test$").path("/r"));
    for (String host : List.of("a.b.test", "A.B.TEST", "a.b.test.", "A.b.Test.", "a.b.test:80", "a.b.test.:80")) {
      assertEquals("exact below glob regex", Stream.of("/e", "/w", "/g", "/r")
          .map(path -> found(index, get("//" + host + path))).reduce((a, b) -> a + " " + b).orElseThrow(), host);
      assertEquals("-", found(index, get("//x" + host.replace(":80", "") + ":81/e")));
    }
  }

  @Test
  void thePortOfTheSchemeMakesNoDifferenceAndOthersDo() { // S11
    RouteIndex<String> index = RuleText.index(rule("none").host("a.test").path("/e"),
        rule("tls").host("b.test:443").path("/e"),
        rule("plain").host("c.test:80").path("/e"), rule("both").host("d.test").path("/e"),
        rule("own").host("d.test:443").path("/e"),
        rule("glob").host(GLOB, "g.test:443").path("/e"), rule("regex").host(REGEX, "^r\\.test$").path("/e"),
        rule("other").host(GLOB, "*.p.test:*").path("/e"));
    for (List<String> row : List.of(List.of("http://a.test", "none"), List.of("http://a.test:80", "none"),
        List.of("https://a.test", "none"), List.of("https://a.test:443", "none"), List.of("http://a.test:443", "-"),
        List.of("https://a.test:80", "-"), List.of("https://b.test", "tls"), List.of("http://b.test", "-"),
        List.of("http://b.test:443", "tls"), List.of("http://c.test", "plain"), List.of("https://c.test", "-"),
        List.of("https://d.test", "own"), List.of("http://d.test", "both"), List.of("https://g.test", "glob"),
        List.of("http://g.test", "-"), List.of("https://r.test:443", "regex"), List.of("https://r.test:8443", "-"),
        List.of("http://x.p.test:8080", "other"), List.of("http://x.p.test", "other"))) {
      assertEquals(row.getLast(), found(index, get(row.getFirst() + "/e")), row.getFirst());
    }
  }

  @Test
  void requiresListedHostsAndMatchingPatterns() {
    RouteIndex<String> index = RuleText.index(rule("mixed").host("*.a.test", "b.test").host(GLOB, "x.**", "y.**")
        .host(REGEX, "^b").path("/m"), rule("texts").host(GLOB, "{c,d}.*").path("/t"));
    assertEquals("mixed mixed - mixed -", Stream.of("x.a.test", "y.a.test", "z.a.test", "b.test", "x.b.test")
        .map(host -> found(index, get("//" + host + "/m"))).reduce((a, b) -> a + " " + b).orElseThrow());
    assertEquals("texts -", found(index, get("//c.test/t")) + " " + found(index, get("//e.test/t")));
  }

  @Test
  void namesBeyondAsciiAreThoseThatRequestsCarry() {
    RouteIndex<String> index = RuleText.index(rule("k").host("\u30de.\u30ab").path("/"));
    assertEquals("k", found(index, get("//xn--1dk.xn--lck/")));
  }

  @Test
  void saysWhatIsWrongWithAHost() {
    assertError(WILDCARD, "*foo.com", "1+1 in `*foo.com` the `*` is not the whole of the first label");
    assertError(WILDCARD, "a.*", "3+1 in `a.*` the `*` is not the whole of the first label");
    assertError(WILDCARD, "a.*.b", "3+1 in `a.*.b` the `*` is not the whole of the first label");
    assertError(WILDCARD, "**", "2+1 in `**` the `*` is not the whole of the first label");
    assertError(WILDCARD, "*.*.a", "3+1 in `*.*.a` the `*` is not the whole of the first label");
    assertError(WILDCARD, "*:80", "1+1 in `*:80` the `*` is not the whole of the first label");
    assertError(WILDCARD, ":x", "1+2 invalid host `:x`");
    assertError(WILDCARD, "*.", "1+2 invalid host `*.`");
    assertError(EXACT, "*.a", "1+1 `*` is not allowed in a host");
    assertError(EXACT, "", "1+1 the host is empty");
    assertError(EXACT, "https://a.test", "1+14 invalid host `https://a.test`");
    assertError(EXACT, "a.test/x", "1+8 invalid host `a.test/x`");
    assertError(EXACT, "a..b", "1+4 invalid host `a..b`");
    assertError(EXACT, "a.test:99999", "1+12 invalid host `a.test:99999`");
    assertError(EXACT, "::1", "1+3 invalid host `::1`");
    assertError(EXACT, "stra\u00dfe.de", "1+9 `stra\u00dfe.de` has no unique ASCII form");
    assertError(EXACT, "a\u0080.test", "1+7 `a .test` has no unique ASCII form");
    assertError(REGEX, "(", "1+1 invalid regular expression `(`: missing closing )");
    assertError(GLOB, "[", "1+1 invalid glob `[`: `[` is never closed");
  }

  private static void assertError(HostPattern.Type type, String text, String expected) {
    Problems problems = new Problems();
    assertTrue(HostPattern.compile(type, RuleText.written(text), problems).isEmpty(), text);
    Problem problem = problems.sorted().getFirst();
    Origin.InFile at = (Origin.InFile) problem.at();
    assertEquals(expected, at.column() + "+" + at.length() + " " + problem.message());
  }
}
