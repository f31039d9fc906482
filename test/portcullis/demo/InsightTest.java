package portcullis.demo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class InsightTest {
  private static final Caller CALLER = new Caller();
  private static final int UPSTREAM = CALLER.addresses.upstream();
  private static final int IDENTITY = CALLER.addresses.identity();
  private static final String[] BROWSER = {"Accept", "text/html", "X-Request-Id", "one"};

  @AfterAll
  static void end() {
    CALLER.close();
  }

  @AfterEach
  void forget() {
    CALLER.world.insight().errorsFrom(List::of);
  }

  private static void decided(String id, String path, boolean allowed, String... lines) {
    CALLER.world.insight().decisions().add(id, new Decisions.Decided(path, allowed, List.of(lines)));
  }

  @Test
  void pagesShowTheDecisionOnTheirRequest() {
    decided("one", "/me", true, "rule      `my page`", "step      <session>");
    decided("two", "/me", true, "another request");
    for (String page : List.of(CALLER.get(UPSTREAM, "/me", BROWSER).body(),
        CALLER.get(IDENTITY, "/error", BROWSER).body())) {
      assertTrue(page.contains("How Portcullis decided"), page);
      assertTrue(page.contains("rule      `my page`\nstep      &lt;session&gt;"), page);
      assertFalse(page.contains("another request"), page);
    }
    String json = CALLER.get(UPSTREAM, "/me", "X-Request-Id", "one").body();
    assertTrue(json.contains("\"decision\": [\"rule      `my page`\",\"step      <session>\"]"), json);
    assertFalse(CALLER.get(UPSTREAM, "/me", "Accept", "text/html").body().contains("How Portcullis decided"));
  }

  @Test
  void pagesBehindARefusalShowTheLatestOneOfItsPath() {
    decided("r1", "/admin", false, "earlier");
    decided("r2", "/admin", false, "not in the group");
    decided("r3", "/admin", true, "another visitor");
    for (String path : List.of("/error?reason=forbidden&from=http%3A%2F%2Fh%2Fadmin%3Fx%3D1",
        "/error?reason=unknown&from=/admin")) {
      String page = CALLER.get(IDENTITY, path).body();
      assertTrue(page.contains("Why it was refused") && page.contains("not in the group"), page);
      assertFalse(page.contains("earlier") || page.contains("another visitor"), page);
    }
    assertFalse(CALLER.get(IDENTITY, "/error").body().contains("Why it was refused"));
    assertFalse(CALLER.get(IDENTITY, "/error?from=/me").body().contains("Why it was refused"));
  }

  @Test
  void errorsOfTheRulesAreABannerUntilTheyAreResolved() {
    CALLER.world.insight().errorsFrom(() -> List.of("demo.yaml:3:1: unknown key `<x>`"));
    for (int port : new int[] {UPSTREAM, IDENTITY}) {
      String page = CALLER.get(port, port == UPSTREAM ? "/" : "/error", BROWSER).body();
      assertTrue(page.contains("The last good ones stay in force"), page);
      assertTrue(page.contains("demo.yaml:3:1: unknown key `&lt;x&gt;`"), page);
    }
    assertTrue(CALLER.get(UPSTREAM, "/").body().contains("\"rule_errors\": ["));
    CALLER.world.insight().errorsFrom(List::of);
    assertFalse(CALLER.get(UPSTREAM, "/", BROWSER).body().contains("role=\"alert\""));
    assertFalse(CALLER.get(UPSTREAM, "/").body().contains("rule_errors"));
  }

  @Test
  void oldDecisionsAreForgotten() {
    Decisions decisions = new Decisions();
    for (int i = 0; i <= 200; i++) {
      decisions.add("id" + i, new Decisions.Decided("/p" + i, false, List.of()));
    }
    assertTrue(decisions.refused("/p0").isEmpty());
    assertEquals("/p1", decisions.refused("/p1?q=1").orElseThrow().path());
  }
}
