package portcullis.demo;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import portcullis.crypto.jwt.TokenSigner;
import portcullis.crypto.keys.Base64Url;
import portcullis.crypto.keys.KeyEntry;
import portcullis.crypto.keys.KeyMaterialException;
import portcullis.lang.value.Value;

final class UpstreamTest {
  private static final Caller CALLER = new Caller();
  private static final int PORT = CALLER.addresses.upstream();
  private static final String TREASURY = "{\"id\":\"3\",\"title\":\"Inventory of the treasury\"}";
  private static final String[] BROWSER = {"Accept", "text/html,application/xhtml+xml,*/*;q=0.8"};

  @AfterAll
  static void end() {
    CALLER.close();
  }

  private static String token(KeyEntry key, String subject, Value... documents) {
    Map<String, Value> claims = new LinkedHashMap<>();
    claims.put("name", Value.of("Ann & <b>Co</b>"));
    claims.put("documents", new Value.Array(List.of(documents)));
    try {
      return "Bearer "
          + TokenSigner.of(key, "test").sign(new Value.Dict(claims), subject, Instant.now(), Duration.ofMinutes(1));
    } catch (KeyMaterialException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void believesTheProxysTokens() {
    String token = token(CALLER.proxyKey(), "ann", Value.of("document:3"), Value.of(7), Value.of("document:99"));
    String shown = CALLER.get(PORT, "/api/documents", "Authorization", token).body();
    assertAll(
        () -> assertTrue(shown.contains("\"subject\": \"ann\""), shown),
        () -> assertTrue(shown.contains("\"signed_by_the_proxy\": true"), shown),
        () -> assertTrue(shown.contains("\"viewable_documents\": [\n    " + TREASURY + "\n  ]"), shown),
        () -> assertFalse(shown.contains(token), shown));
  }

  @Test
  void believesNoOtherTokens() {
    String shown = CALLER.get(PORT, "/me", "Authorization", token(DemoKey.make().key(), "ann")).body();
    assertTrue(shown.contains("\"signed_by_the_proxy\": false"), shown);
    assertFalse(shown.contains("\"subject\""), shown);
    assertFalse(shown.contains("\"viewable_documents\""), shown);
  }

  @Test
  void showsATokenAsAPage() {
    HttpResponse<String> page = page("/me", "Authorization", token(CALLER.proxyKey(), "ann", Value.of("document:1")));
    assertAll(
        () -> assertTrue(page.body().contains("<p class=\"big\">ann</p>"), page.body()),
        () -> assertTrue(page.body().contains("Its signature is good"), page.body()),
        () -> assertTrue(page.body().contains("<span class=\"chip\">document:1</span>"), page.body()),
        () -> assertTrue(page.body().contains("<span class=\"name\">Ann &amp; &lt;b&gt;Co&lt;/b&gt;</span>"),
            page.body()),
        () -> assertFalse(page.body().contains("<b>Co"), page.body()));
  }

  @Test
  void marksTokenOfAnotherIssuerAsInvalid() {
    String page = page("/me", "Authorization", token(DemoKey.make().key(), "ann")).body();
    assertTrue(page.contains("the proxy has not signed it") && page.contains("<p class=\"big\">unknown</p>"), page);
    String odd = Base64Url.text("{\"alg\":\"ES256\"}".getBytes(UTF_8)) + "."
        + Base64Url.text("{\"exp\":9223372036854775807}".getBytes(UTF_8)) + ".AA";
    assertEquals(200, page("/me", "Authorization", "Bearer " + odd).statusCode());
    String none = page("/me", "Authorization", "Bearer a.b.c").body();
    assertFalse(none.contains("<h2>The token</h2>"), none);
  }

  @Test
  void showsHeadersAsText() {
    HttpResponse<String> page = page("/admin", "X-Odd", "<img src=x onerror=\"alert('1')\">");
    assertTrue(page.body().contains("&lt;img src=x onerror=&quot;alert(&#39;1&#39;)&quot;&gt;"), page.body());
    assertEquals(Optional.of("nosniff"), Caller.header(page, "X-Content-Type-Options"));
  }

  @Test
  void marksWhatTheProxyWrites() {
    String page = page("/", "X-Forwarded-For", "127.0.0.1", "X-Mine", "1").body();
    assertTrue(page.contains("<dt>X-Forwarded-For <span class=\"tag\">proxy</span></dt>"), page);
    assertTrue(page.contains("<dt>X-Mine</dt>"), page);
  }

  @Test
  void answersAsTheClientWants() {
    assertEquals(Optional.of("application/json"), Caller.header(CALLER.get(PORT, "/"), "Content-Type"));
    assertEquals(Optional.of("application/json"),
        Caller.header(CALLER.get(PORT, "/", "Accept", "text/csv"), "Content-Type"));
    assertEquals(Optional.of("text/html; charset=utf-8"), Caller.header(page("/"), "Content-Type"));
  }

  @Test
  void showsUnplannedPaths() {
    HttpResponse<String> page = page("/%3Cscript%3E");
    assertEquals(200, page.statusCode());
    assertTrue(page.body().contains("An unplanned page") && page.body().contains("GET /%3Cscript%3E"), page.body());
  }

  @Test
  void whoIsSignedInCanSignOut() {
    String mine = page("/me", "Authorization", token(CALLER.proxyKey(), "ann")).body();
    assertTrue(mine.contains("href=\"/.portcullis/logout?return_to=/\""), mine);
    assertTrue(page("/").body().contains("href=\"/.portcullis/login?return_to=/me\">Sign in"));
  }

  @Test
  void homePageSuggestsWhatToTry() {
    String page = page("/").body();
    CALLER.world.guide().lines()
        .forEach(line -> assertTrue(page.contains(line.command().replace("\"", "&quot;").replace("'", "&#39;")), page));
    assertTrue(page.contains(CALLER.world.guide().rules()), page);
  }

  private static HttpResponse<String> page(String path, String... headers) {
    String[] all = new String[headers.length + BROWSER.length];
    System.arraycopy(headers, 0, all, 0, headers.length);
    System.arraycopy(BROWSER, 0, all, headers.length, BROWSER.length);
    return CALLER.get(PORT, path, all);
  }
}
