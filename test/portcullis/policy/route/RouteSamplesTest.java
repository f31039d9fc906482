package portcullis.policy.route;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static portcullis.policy.route.RuleText.rule;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import portcullis.fixture.Expected;
import portcullis.lang.source.Problems;

/** A request for each route: what conditions it fits, and which route it is for. */
class RouteSamplesTest {
  private static String shown(RouteSample<String> sample) {
    return sample.value() + " " + sample.route().text() + ": " + String.join(",", sample.methods())
        + (sample.isAnyMethod() ? ",…" : "") + " " + sample.url() + " " + sample.captures() + " unknown ["
        + sample.unknown() + "] for " + sample.winner().orElse("-") + (sample.taken() ? " (all)" : "")
        + sample.captures().keySet().stream()
            .map(name -> " " + sample.urlWith(name, "Z")).collect(Collectors.joining());
  }

  private static void assertSamples(String section, RuleText... rules) {
    Expected.assertSection("samples.txt", section, RuleText.index(rules).samples().stream()
        .map(RouteSamplesTest::shown).collect(Collectors.joining("\n")));
  }

  @Test
  void pathsAndMethods() {
    assertSamples("paths and methods", rule("root").path("/"), rule("deep").path("/a/:b/c/*d"),
        rule("unnamed").path("/u/:*/**"), rule("one").path("/:x"),
        rule("taken").path("/1", "/x7").methods("PUT", "GET"),
        rule("end").path("/e/"));
  }

  @Test
  void hosts() {
    assertSamples("hosts", rule("exact").host("a.test", "b.test:81").path("/h"),
        rule("below").host("*.c.test").path("/h"),
        rule("any").host("*").path("/i"), rule("glob").host(HostPattern.Type.GLOB, "*.d.{x,y}").path("/j"),
        rule("regex").host(HostPattern.Type.REGEX, "^api\\.(e|f)\\.test$").path("/k"),
        rule("none").host(HostPattern.Type.REGEX, "^[a-c]{9}\\.test$").path("/l"),
        rule("plain").scheme(Scheme.HTTP).path("/m"));
  }

  @Test
  void parameters() {
    assertSamples("parameters", rule("exact").where("id", PathParameter.Type.EXACT, "seven").path("/a/:id"),
        rule("glob").where("id", PathParameter.Type.GLOB, "u-*").path("/b/:id"),
        rule("class").where("id", PathParameter.Type.GLOB, "[x-z][!a]?[bc]**{m,n}\\*").path("/c/:id"),
        rule("number").where("id", PathParameter.Type.REGEX, "^[0-9]{4}$").path("/d/:id"),
        rule("choice").where("id", PathParameter.Type.REGEX, "^(red|blue)$").path("/e/:id"),
        rule("uuid").where("id", PathParameter.Type.REGEX, "^[0-9a-f-]{36}$").path("/f/:id"),
        rule("none").where("id", PathParameter.Type.REGEX, "^q{40}$").where("x", PathParameter.Type.REGEX, "^r{40}$")
            .path("/g/:id/:x"),
        rule("two").where("id", PathParameter.Type.GLOB, "a*").where("id", PathParameter.Type.GLOB, "*1")
            .path("/h/:id"));
  }

  @Test
  void otherRequestsAreTriedWhereOneIsTaken() {
    assertSamples("taken by others", rule("admin").path("/x/admin", "/y/a", "/y/b"),
        rule("regex").where("p", PathParameter.Type.REGEX, "^(admin|public)$").path("/x/:p"),
        rule("glob").where("p", PathParameter.Type.GLOB, "{admin,other}").path("/x/:p"),
        rule("class").where("p", PathParameter.Type.REGEX, "^[a-c]$").path("/y/:p"),
        rule("app").host("app.corp.test", "*.example").path("/h"),
        rule("hosts").host(HostPattern.Type.REGEX, "^(app|www)\\.corp\\.test$").path("/h"),
        rule("anywhere").path("/h"), rule("secure").scheme(Scheme.HTTPS).path("/s"), rule("both").path("/s"),
        rule("single").path("/z/:a"), rule("rest").path("/z/**"), rule("get").methods("GET").path("/m"),
        rule("others").path("/m"), rule("usual").methods("GET", "POST", "PUT", "PATCH", "DELETE").path("/n"),
        rule("unusual").path("/n"));
  }

  @Test
  void onlyRoutesThatAreTakenForCertainAreSaidToBe() {
    assertSamples("certain", rule("all").path("/a/:x", "/b"), rule("same").path("/a/:x"),
        rule("get").methods("GET").path("/b"),
        rule("some").where("z", PathParameter.Type.REGEX, ".").path("/c/:z"), rule("uncertain").path("/c/:z"),
        rule("first").host("app.example").path("/d"), rule("wide").path("/d"),
        rule("both").host("a.test", "*").path("/e"), rule("narrow").host("a.test").path("/e"));
  }

  @Test
  @Timeout(30)
  void rulesWithManyRoutesAreNotSearchedForEachRequest() {
    String[] paths = IntStream.range(0, 20_000).mapToObj(i -> "/p" + i + "/:x").toArray(String[]::new);
    assertEquals(paths.length, RuleText.index(rule("all").path(paths), rule("same").path(paths)).samples().stream()
        .filter(RouteSample::taken).count());
  }

  @Test
  void requestsArePutTogetherInOrder() {
    RequestCandidates candidates = new RequestCandidates(List.of("https", "http"), List.of("a.test", "b.test"),
        List.of(List.of("1", "2"), List.of("x")), new LinkedHashMap<>(), "");
    List<String> all = candidates.requests()
        .map(request -> request.scheme() + "://" + request.host() + request.path()).toList();
    assertEquals(List.of("https://a.test/1/x", "https://a.test/2/x", "https://b.test/1/x", "https://b.test/2/x",
        "http://a.test/1/x", "http://a.test/2/x", "http://b.test/1/x", "http://b.test/2/x"), all);
    assertEquals(candidates.first(), candidates.requests().findFirst().orElseThrow());
  }

  @Test
  void globs() {
    Expected.assertSection("samples.txt", "globs", Stream
        .of("a", "*", "**", "a*b", "?", "[a-c]", "[!a-c]", "[abc]", "[!abc]", "{x,y}z", "\\*", "{a,{b,c}}", "[!x]",
            "[!1]", "{,a}", "a/b", "[!w-y]", "")
        .map(glob -> glob + " | "
            + Glob.compile(RuleText.written(glob), '/', new Problems()).orElseThrow().samples().stream().findFirst())
        .collect(Collectors.joining("\n")));
  }
}
