package portcullis.demo;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.URLEncoder;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import portcullis.crypto.jwt.CompactToken;
import portcullis.crypto.jwt.Verification;
import portcullis.crypto.keys.Algorithm;
import portcullis.crypto.keys.JwkSet;
import portcullis.lang.value.Json;
import portcullis.lang.value.Value;

final class IdentityTest {
  private static final Caller CALLER = new Caller();
  private static final int PORT = CALLER.addresses.identity();
  private static final String HOME = CALLER.addresses.proxyUrl();

  @AfterAll
  static void end() {
    CALLER.close();
  }

  @Test
  void errorPageLeadsBackToTheLogin() {
    String page = CALLER.get(PORT, "/error?reason=forbidden&from=" + encoded(HOME + "/admin?tab=1")).body();
    assertTrue(page.contains("href=\"/.portcullis/login?return_to=%2Fadmin%3Ftab%3D1\""), page);
    assertTrue(page.contains("You get no further"), page);
    assertTrue(CALLER.get(PORT, "/error?reason=forbidden&from=//evil.test/x").body().contains("<code>/x</code>"));
  }

  @ParameterizedTest
  @CsvSource({"/admin?tab=1, /admin?tab=1", "http://evil.test/me, /me", "//evil.test/me, /me",
    "http://x//evil.test/, //evil.test/",
    "javascript:alert(1), /me", "relative, /me", "'/a b', /me", "'', /me", "http://x, /me", "/%0d%0aX:1, /%0d%0aX:1",
    "/\u00e9, /%C3%A9"})
  void namesOurOwnPagesOnly(String wanted, String target) {
    assertEquals(target, Identity.target(Optional.of(wanted)));
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  @Test
  void pagesShowWhatTheyAreGivenAsText() {
    String odd = encoded("/x?'&y=\"<script>");
    assertAll(
        () -> assertFalse(CALLER.get(PORT, "/error?reason=forbidden&from=" + odd).body().contains("<script")),
        () -> assertFalse(CALLER.get(PORT, "/error?from=" + odd).body().contains("<script")));
  }

  @Test
  void pagesNeedNoScriptAndNothingFromElsewhere() {
    HttpResponse<String> page = CALLER.get(PORT, "/error");
    String policy = Caller.header(page, "Content-Security-Policy").orElseThrow();
    assertTrue(policy.startsWith("default-src 'none'; style-src 'sha256-"), policy);
    assertFalse(page.body().contains("src=\"http"), page.body());
    assertFalse(page.body().contains("{}"), page.body());
  }

  @Test
  void errorPageHasTheStatusItNames() {
    assertEquals(403, CALLER.get(PORT, "/error?reason=forbidden&from=/admin").statusCode());
    assertEquals(404, CALLER.get(PORT, "/error?reason=unknown&from=/x").statusCode());
    assertEquals(404, CALLER.get(PORT, "/error").statusCode());
    assertEquals(404, CALLER.get(PORT, "/elsewhere").statusCode());
  }

  @Test
  void tokenIsVerifiedByThePublishedKeys() throws Exception {
    JwkSet keys = JwkSet.read(Json.read(CALLER.get(PORT, "/keys").body()));
    CompactToken token = CompactToken.parse(CALLER.post(PORT, "/token", "user=cleo").body());
    Value.Dict claims = Verification.verify(token, keys, Set.of(Algorithm.ES256)).claims();
    assertEquals(Optional.of(Value.of("cleo")), claims.get("sub"));
    assertEquals(Optional.of(Value.of("http://127.0.0.1:" + PORT)), claims.get("iss"));
  }

  @Test
  void issuesTokenToKnownClientsOnly() {
    HttpResponse<String> answer = CALLER.post(PORT, "/token", "user=<b>");
    assertEquals(400, answer.statusCode());
    assertEquals("whose token? user=ann or user=bob or user=cleo\n", answer.body());
  }

  @Test
  void longBodiesAreRefused() {
    assertEquals(413, CALLER.post(PORT, "/token", "x".repeat(70_000)).statusCode());
  }
}
