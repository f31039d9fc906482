package portcullis.policy.route;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static portcullis.policy.route.PathParameter.Type.EXACT;
import static portcullis.policy.route.PathParameter.Type.GLOB;
import static portcullis.policy.route.RuleText.rule;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import portcullis.lang.source.Problems;

class RuleSetCheckTest {
  private static final String PLACE = " (r.yaml:1:1) ";

  @Test
  void idsAreThereOnce() {
    assertProblems("r.yaml:1:1: there is a rule `a` already (r.yaml:1:1), give each rule of a set its own id",
        rule("a").path("/a"), rule("b").path("/b"), rule("a").path("/c"));
  }

  @Test
  void rulesHaveRoutes() {
    assertProblems("r.yaml:1:1: warning: rule `a` is never reached: it has no routes, add the paths it is for",
        rule("a"));
  }

  @Test
  void namesOfOnePathAgree() {
    assertProblems("r.yaml:1:1: route `/x/:two` of rule `b` is the same path as route `/x/:one` of rule `a`" + PLACE
        + "with other names, use the same names", rule("a").methods("GET").path("/x/:one"),
        rule("b").path("/x/:two"));
    assertProblems("r.yaml:1:1: route `/x/*two` of rule `b` is the same path as route `/x/*one` of rule `a`" + PLACE
        + "with other names, use the same names", rule("a").methods("GET").path("/x/*one"),
        rule("b").path("/x/*two"));
    assertProblems("", rule("a").path("/x/:one/a"), rule("b").path("/x/:two/b"), rule("c").path("/x/:three"),
        rule("d").path("/x/*four"));
    assertProblems("", rule("a").methods("GET").path("/x/:one"), rule("b").path("/x/:*"));
    assertProblems("", rule("a").methods("GET").path("/x/:one/**"), rule("b").path("/x/:two/*rest"));
    assertProblems("", rule("a").host("a.test").path("/x/:one"), rule("b").host("b.test").path("/x/:two"));
  }

  @Test
  void reportsRoutesThatCanNeverMatch() {
    String shown = "r.yaml:1:1: warning: route `/x` of rule `b` is never reached: route `/x` of rule `a`" + PLACE
        + "comes first and takes all, remove it, or put it first";
    assertProblems(shown, rule("a").path("/x"), rule("b").methods("GET").path("/x"));
    assertProblems(shown, rule("a").methods("ALL").path("/x"), rule("b").methods("GET", "PUT").path("/x"));
    assertProblems(shown, rule("a").path("/x"), rule("b").host(HostPattern.Type.GLOB, "a*").path("/x"));
    assertProblems(shown, rule("a").host("a.test", "b.test").path("/x"), rule("b").host("b.test").path("/x"));
    assertProblems(shown.replace("/x", "/:p"), rule("a").where("p", EXACT, "1").path("/:p"),
        rule("b").where("p", GLOB, "*").where("p", EXACT, "1").path("/:p"));
  }

  @Test
  void routesThatSomeRequestStillReachesAreNot() {
    assertProblems("", rule("a").methods("GET").path("/x"), rule("b").path("/x"));
    assertProblems("", rule("a").scheme(Scheme.HTTPS).path("/x"), rule("b").path("/x"));
    assertProblems("", rule("a").methods("ALL").path("/x"), rule("b").path("/x"));
    assertProblems("", rule("a").host("a.test").path("/x"), rule("b").host("a.test", "b.test").path("/x"));
    assertProblems("", rule("a").where("p", EXACT, "1").path("/:p"), rule("b").where("p", EXACT, "2").path("/:p"));
    assertProblems("", rule("a").where("p", EXACT, "1").path("/:p"),
        rule("b").slashes(EncodedSlashes.ON).where("p", EXACT, "1").path("/:p"));
    assertProblems("", rule("a").path("/**"), rule("b").path("/x"), rule("c").path("/:x"));
  }

  @ParameterizedTest
  @CsvSource({"0, true", "63, true", "64, false"})
  void rulesOfOnePathAreComparedWithTheFirst64(int method, boolean compared) {
    RuleText[] rules = new RuleText[66];
    Arrays.setAll(rules, i -> rule("r" + i).methods("M" + i).path("/x"));
    rules[65] = rule("last").methods("M" + method).path("/x");
    assertProblems(compared ? "r.yaml:1:1: warning: route `/x` of rule `last` is never reached: route `/x` of rule `r"
        + method + "`" + PLACE + "comes first and takes all, remove it, or put it first" : "", rules);
  }

  private static void assertProblems(String expected, RuleText... rules) {
    Problems problems = new Problems();
    RouteIndex.<String>empty().with(List.of(RuleText.set("s", rules)), problems);
    assertEquals(expected.isEmpty() ? List.of() : List.of(expected), RuleText.texts(problems));
  }
}
