package portcullis.policy.route;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static portcullis.policy.route.RuleText.get;
import static portcullis.policy.route.RuleText.rule;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import portcullis.lang.source.Problems;

/** Comparisons that ignore letter case, ports or both. */
class CaseFoldingTest {
  @ParameterizedTest
  @CsvSource({"/Admin/x,/admin/x", "/%C3%84rger,/%C3%A4rger", "/%c3%84%c3%96x,/%C3%A4%C3%B6x", "A%C3%84,a%C3%A4",
    "%E2%84%AA,k", "%C5%BFa,sa", "%FF%C3%84Z,%FF%C3%84z", "%41%2FB,%41%2Fb", "%C3%84%2F%C3%96,%C3%A4%2F%C3%B6",
    "100%,100%", "\u00c4\u212a,\u00e4k", "\ud801\udc00,\ud801\udc28", "%7F%80,%7F%80"})
  void foldsLettersAndEscapesOfUtf8(String text, String folded) {
    assertEquals(folded, CaseFolding.folded(text));
  }

  @ParameterizedTest
  @CsvSource({"/e/one,-,exact", "/E/ONE,-,exact", "/e/two,-,-", "/g/%C3%84x,glob,glob", "/g/%C3%A4X,-,glob",
    "/g/Ox,-,-", "/r/Abc,regex,regex", "/R/aBC,-,regex", "/r/xabc,-,-", "/t/a,turned,turned", "/t/A,-,turned",
    "/t/b,-,-"})
  void conditionsOfCapturesIgnoreCase(String path, String exactly, String anyCase) {
    RouteIndex<String> index = RuleText.index(
        rule("exact").where("x", PathParameter.Type.EXACT, "One").path("/e/:x"),
        rule("glob").where("x", PathParameter.Type.GLOB, "%C3%84?").path("/g/:x"),
        rule("regex").where("x", PathParameter.Type.REGEX, "^Ab").path("/r/:x"),
        rule("turned").where("x", PathParameter.Type.GLOB, "[Z-a]").path("/t/:x"));
    assertEquals(exactly, RuleText.found(index, get(path)));
    assertEquals(anyCase, found(index, path, new Comparison(true, false)));
  }

  @Test
  void eachComparisonHasItsOwnRoutes() {
    RouteIndex<String> index = RuleText.index(rule("all").host("a.test:8080").path("/x"));
    for (Comparison how : List.of(Comparison.EXACT, new Comparison(true, false), new Comparison(false, true),
        new Comparison(true, true))) {
      assertEquals(how.anyCase() ? "all" : "-", found(index, "http://a.test:8080/X", how));
      assertEquals(how.anyPort() ? "all" : "-", found(index, "http://a.test/x", how));
      assertEquals(how.anyCase() && how.anyPort() ? "all" : "-", found(index, "http://a.test/X", how));
    }
  }

  private static String found(RouteIndex<String> index, String url, Comparison how) {
    return index.find(get(url), how).map(Match::value).orElse("-");
  }

  @ParameterizedTest
  @CsvSource({"http://a.test/x,-,exact", "http://a.test:1/x,-,exact", "http://a.test:8080/x,exact,exact",
    "http://c.p.test:8080/x,own,own", "http://c.q.test:8080/x,-,any", "http://c.q.test/x,any,any",
    "http://c.q.test:80/x,any,any", "http://c.p.test:81/x,-,-"})
  void portsOfHostsAreIgnored(String url, String exactly, String anyPort) {
    RouteIndex<String> index = RuleText.index(rule("exact").host("a.test:8080").path("/x"),
        rule("own").host(HostPattern.Type.GLOB, "*.p.test:8080").path("/x"),
        rule("any").host(HostPattern.Type.REGEX, "^c\\.q\\.test$").path("/x"));
    assertEquals(exactly, RuleText.found(index, get(url)));
    assertEquals(anyPort, found(index, url, new Comparison(false, true)));
  }

  @ParameterizedTest
  @CsvSource({"EXACT,A.test,2147483647", "EXACT,b.a.test,0", "WILDCARD,*.a.test,0", "WILDCARD,*.test,4",
    "WILDCARD,*.est,0", "WILDCARD,*,0", "GLOB,a.*,0"})
  void narrownessIsTheLengthOfTheSuffix(HostPattern.Type type, String text, int narrowness) {
    Optional<HostPattern> pattern = HostPattern.compile(type, RuleText.written(text), new Problems());
    assertEquals(narrowness, pattern.orElseThrow().narrowness("a.test."));
  }

  @Test
  void hostsOfOtherSchemesHaveNoDefaultPort() {
    assertEquals("80 443 0", HostName.defaultPort("http") + " " + HostName.defaultPort("https") + " "
        + HostName.defaultPort("ws"));
  }

  @Test
  void namesThatHaveNoAsciiFormAreRefused() {
    Problems problems = new Problems();
    String label = "\u00e4".repeat(64);
    assertEquals(Optional.empty(), HostPattern.compile(HostPattern.Type.EXACT, RuleText.written(label), problems));
    assertEquals("`" + label + "` has no unique ASCII form", problems.sorted().getFirst().message());
  }
}
