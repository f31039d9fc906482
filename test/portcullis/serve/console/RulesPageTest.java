package portcullis.serve.console;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import portcullis.observe.metrics.Registry;

class RulesPageTest {
  private final Registry registry = new Registry();

  private String page(String query, PageStatus status) {
    RulesPage page = new RulesPage(PageRules::snapshot, status, registry);
    return ConsoleSetup.text(new ConsoleSetup("[{authenticator: anon}]", List.of(page)).get("/console/rules" + query));
  }

  private String page(String query) {
    return page(query, PageStatus.EMPTY);
  }

  @Test
  void showsHostsPathsRulesAndTheirPlaces() {
    String text = page("");
    assertTrue(text.indexOf("shop.example</h3>") < text.indexOf("All other hosts</h3>"), text);
    assertTrue(text.contains("<code>/orders/:id</code></th><td data-label=\"Methods\">GET"), text);
    assertTrue(text.contains("orders<br><span class=\"soft\">shop.yaml:3</span>"), text);
    assertTrue(text.contains("shop.internal:8080 without /orders"), text);
    assertTrue(text.contains("&lt;b&gt;all&lt;/b&gt;"), text);
    assertFalse(text.contains("<b>all</b>"), "escaped");
    assertFalse(text.contains("secret"), "no setting of a mechanism");
  }

  @Test
  void countsAgreeWithTheMetrics() {
    registry.counter("portcullis.rule.decisions", "{request}", "d", "ruleset.id", "rule.id", "rule.decision")
        .of("test:shop.yaml", "orders", "denied").add(7);
    assertTrue(page("").contains("data-label=\"Denied\">7<"));
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', textBlock = """
      method=GET&url=https://shop.example/orders/42 | <strong>orders</strong>
      method=GET&url=https://shop.example/orders/42 | id = 42
      method=GET&url=https://shop.example/orders/42 | staff (basic_auth)
      method=POST&url=https://shop.example/orders/42 | <strong>&lt;b&gt;all&lt;/b&gt;</strong>
      url=nonsense                                  | refused with 400
      url=https://a/%3Cscript%3E                    | value="https://a/&lt;script&gt;"
      """)
  void showsWhereARequestWouldGo(String query, String expected) {
    String text = page("?" + query);
    assertTrue(text.contains(expected), text);
  }

  @Test
  void aRequestWithoutARuleShowsTheNearest() {
    RouteFinder found = RouteFinder.of(PageRules.snapshot(PageRules.RULES.replaceFirst("(?s)- id: \"<b>.*", "")),
        "POST", "https://shop.example/orders/1");
    assertEquals(Optional.empty(), found.rule());
    assertTrue(found.html().markup().contains("`orders` would for GET"), found.html().markup());
  }

  @Test
  void aFilterLeavesWhatFits() {
    String text = page("?filter=ORDERS");
    assertTrue(text.contains("<code>/orders/:id</code>") && !text.contains("<code>/**</code>"), text);
    assertTrue(page("?filter=nowhere").contains("No rule has this"));
  }

  @Test
  void shadowChangesAreShown() {
    String text = page("", new PageStatus(Optional.of(PageStatus.newlyAllowed(3)), List.of(), List.of()));
    assertTrue(text.contains("newly allowed") && text.contains("orders: allowed") && text.contains("abc123"), text);
    assertFalse(page("").contains("Shadow rules"));
  }
}
