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
  void sessionIsThatOfTheCookie() {
    HttpResponse<String> known = CALLER.get(PORT, "/session", "Cookie", "theme=dark; " + CALLER.cookieOf("bob"));
    assertEquals(200, known.statusCode());
    assertEquals("{\"groups\":[\"staff\"],\"identity\":{\"id\":\"bob\"},\"name\":\"Bob Baker\"}", known.body());
    assertEquals(401, CALLER.get(PORT, "/session", "Cookie", "demo_session=guessed").statusCode());
    assertEquals(401, CALLER.get(PORT, "/session").statusCode());
  }

  @Test
  void cookieIsForOurPagesAlone() {
    String cookie = Caller.header(CALLER.post(PORT, "/login", "user=ann"), "Set-Cookie").orElseThrow();
    assertTrue(cookie.matches("demo_session=[\\w-]{32}; Path=/; HttpOnly; SameSite=Lax"), cookie);
  }

  @Test
  void logoutEndsTheSession() {
    String cookie = CALLER.cookieOf("ann");
    HttpResponse<String> answer = CALLER.post(PORT, "/logout", "", "Cookie", cookie);
    assertEquals(Optional.of(HOME + "/"), Caller.header(answer, "Location"));
    assertTrue(Caller.header(answer, "Set-Cookie").orElseThrow().contains("Max-Age=0"));
    assertEquals(401, CALLER.get(PORT, "/session", "Cookie", cookie).statusCode());
  }

  @Test
  void loggingInAgainEndsTheFirstSession() {
    String cookie = CALLER.cookieOf("ann");
    CALLER.post(PORT, "/login", "user=bob", "Cookie", cookie);
    assertEquals(401, CALLER.get(PORT, "/session", "Cookie", cookie).statusCode());
  }

  @Test
  void strangersCannotLogIn() {
    HttpResponse<String> answer = CALLER.post(PORT, "/login", "user=eve");
    assertEquals(Optional.of(HOME + "/login"), Caller.header(answer, "Location"));
    assertEquals(Optional.empty(), Caller.header(answer, "Set-Cookie"));
  }

  @ParameterizedTest
  @CsvSource({"/admin?tab=1, /admin?tab=1", "http://evil.test/me, /me", "//evil.test/me, /me",
    "http://x//evil.test/, //evil.test/",
    "javascript:alert(1), /me", "relative, /me", "'/a b', /me", "'', /me", "http://x, /me", "/%0d%0aX:1, /%0d%0aX:1",
    "/\u00e9, /%C3%A9"})
  void comesBackToOurOwnPagesOnly(String wanted, String target) {
    HttpResponse<String> answer = CALLER.post(PORT, "/login", "user=ann&return_to=" + encoded(wanted));
    assertEquals(303, answer.statusCode());
    assertEquals(Optional.of(HOME + target), Caller.header(answer, "Location"));
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  @Test
  void pagesShowWhatTheyAreGivenAsText() {
    String wanted = "/x?%22%3E%3Cscript%3Ealert(1)%3C/script%3E'&amp;";
    String odd = encoded("/x?'&y=\"<script>");
    HttpResponse<String> login = CALLER.get(PORT, "/login?return_to=" + encoded(wanted));
    assertAll(
        () -> assertTrue(login.body().contains("value=\"/x?%22%3E%3Cscript%3Ealert(1)%3C/script%3E&#39;&amp;amp;\""),
            login.body()),
        () -> assertFalse(CALLER.get(PORT, "/login?return_to=" + odd).body().contains("<script")),
        () -> assertFalse(CALLER.get(PORT, "/error?reason=forbidden&from=" + odd).body().contains("<script")),
        () -> assertFalse(CALLER.get(PORT, "/error?from=" + odd).body().contains("<script")));
  }

  @Test
  void pagesNeedNoScriptAndNothingFromElsewhere() {
    HttpResponse<String> page = CALLER.get(PORT, "/login");
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
