package portcullis.policy.login;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static portcullis.policy.login.LoginBench.location;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import portcullis.http.message.Field;
import portcullis.http.message.Request;
import portcullis.http.message.Response;
import portcullis.lang.value.Value;
import portcullis.policy.cache.CacheKey;
import portcullis.policy.cache.RecentKeys;
import portcullis.policy.mechanism.Failure;
import portcullis.policy.mechanism.Mechanism;
import portcullis.policy.mechanism.OwnEndpoints;

class LogoutTest {
  private static final String OVER = "authentication error: no session";

  @TempDir
  private Path folder;
  private LoginBench bench;
  private LoginBench.Browser browser;

  @BeforeEach
  void open() {
    bench = new LoginBench(folder);
    browser = bench.new Browser();
  }

  @AfterEach
  void close() {
    bench.close();
  }

  private int backChannel(Mechanism.Authenticator login, Map<String, Value> changed) throws Exception {
    Map<String, Value> claims = new LinkedHashMap<>(Map.of("aud", Value.of("gate"), "sid", Value.of("sid-1"), "jti",
        Value.of("token-1"), "events",
        Value.dict("http://schemas.openid.net/event/backchannel-logout", Value.Dict.EMPTY)));
    String token = bench.provider.signed(claims, changed);
    return bench.new Browser().answered(login, bench.new Browser().request("POST", "/.portcullis/backchannel-logout",
        "logout_token=" + token, "Content-Type", "application/x-www-form-urlencoded")).status();
  }

  @ParameterizedTest
  @ValueSource(strings = {"cookie", "cache"})
  void aUserSignsOutHereAndAtTheProvider(String store) throws Exception {
    bench.provider.metadata.put("end_session_endpoint", Value.of(bench.provider.issuer() + "/end?x=y"));
    Mechanism.Authenticator login = bench.login(bench.yaml(", store: " + store, ""));
    browser.signIn(login, "/");
    LoginBench.Browser copy = bench.new Browser();
    copy.cookies.putAll(browser.cookies);
    Response out = browser.get(login, "/.portcullis/logout?return_to=/bye");
    assertTrue(location(out).startsWith(bench.provider.issuer() + "/end?x=y&client_id=gate&"), location(out));
    Map<String, String> asked = StrictProvider.parameters(location(out).replaceFirst(".*\\?", ""));
    assertEquals("https://app.example/.portcullis/logout", asked.get("post_logout_redirect_uri"));
    assertEquals(Map.of(), browser.cookies);
    assertEquals(OVER, copy.visit(login));
    assertEquals("/bye", location(browser.get(login, "/.portcullis/logout?state=" + asked.get("state"))));
    assertEquals(200, browser.get(login, "/.portcullis/logout?state=x").status());
  }

  @Test
  void anIdTokenIsPostedToTheProviderAsAHint() throws Exception {
    bench.provider.metadata.put("end_session_endpoint", Value.of(bench.provider.issuer() + "/end?x=y"));
    Mechanism.Authenticator login = bench.login(bench.yaml(", tokens: [id_token]", ""));
    browser.signIn(login, "/");
    String token = ((Value.Str) browser.page(login).attributes().get("id_token").orElseThrow()).value();
    Response out = browser.get(login, "/.portcullis/logout?return_to=/bye");
    String page = new String(out.body(), StandardCharsets.UTF_8);
    assertEquals(200, out.status());
    assertEquals(Map.of(), browser.cookies);
    assertEquals(OVER, browser.visit(login));
    assertTrue(page.contains("<form method=\"post\" action=\"" + bench.provider.issuer() + "/end?x=y\">"), page);
    assertTrue(page.contains("name=\"id_token_hint\" value=\"" + token + "\""), page);
    assertTrue(page.contains("name=\"client_id\" value=\"gate\""), page);
    assertFalse(out.fields().toString().contains(token));
    assertEquals("no-store", out.fields().first("Cache-Control").orElse(""));
    String state = page.replaceAll("(?s).*name=\"state\" value=\"|\".*", "");
    assertEquals("/bye", location(browser.get(login, "/.portcullis/logout?state=" + state)));
  }

  @Test
  void withoutTheProviderASessionEndsHere() throws Exception {
    Mechanism.Authenticator login = bench.login();
    browser.signIn(login, "/");
    bench.provider.down = true;
    bench.passes(3000);
    assertEquals("/bye", location(browser.get(login, "/.portcullis/logout?return_to=/bye")));
    assertEquals(OVER, browser.visit(login));
  }

  @ParameterizedTest
  @ValueSource(strings = {"Sec-Fetch-Site: cross-site", "Sec-Fetch-Site: CROSS-SITE", "Sec-Fetch-Site: same-site",
    "Sec-Fetch-Site: same-origin, Sec-Fetch-Site: cross-site",
    "Sec-Fetch-Site: cross-site, Origin: https://app.example",
    "Origin: https://evil.example, Referer: https://app.example/", "Origin: null",
    "Referer: https://app.example.evil.example/", "Referer: http://app.example/", "Referer: "})
  void anotherSiteCannotSignAUserOutWithoutAClick(String fields) throws Exception {
    Mechanism.Authenticator login = bench.login();
    browser.signIn(login, "/");
    for (String field : fields.split(", ")) {
      browser.extra.add(new Field(field.split(": ?")[0], field.replaceFirst("[^:]*: ?", "")));
    }
    Response page = browser.get(login, "/.portcullis/logout");
    assertTrue(new String(page.body(), StandardCharsets.UTF_8).contains("<form method=\"post\""));
    assertEquals(List.of("same-origin"), page.fields().all("Referrer-Policy"), "its form needs an `Origin`");
    assertEquals("ann", browser.visit(login));
    browser.extra.clear();
    browser.extra.add(new Field("Sec-Fetch-Site", "same-origin"));
    browser.answered(login, browser.request("POST", "/.portcullis/logout", ""));
    assertEquals(OVER, browser.visit(login));
  }

  @ParameterizedTest
  @ValueSource(strings = {"Sec-Fetch-Site: none", "Origin: https://app.example", "Referer: https://app.example/page"})
  void theUserSignsOutAtOnce(String field) throws Exception {
    Mechanism.Authenticator login = bench.login();
    browser.signIn(login, "/");
    browser.extra.add(new Field(field.split(": ")[0], field.split(": ")[1]));
    browser.get(login, "/.portcullis/logout");
    assertEquals(OVER, browser.visit(login));
  }

  @Test
  void browsersGetAPageWhereTheProviderIsAway() throws Exception {
    Mechanism.Authenticator login = bench.login();
    OwnEndpoints endpoints = login.endpoints().orElseThrow();
    bench.provider.down = true;
    Request page = browser.request("GET", "/.portcullis/login", "", "Sec-Fetch-Mode", "navigate");
    Failure away = assertThrows(Failure.Communication.class, () -> endpoints.answer(page));
    Response shown = endpoints.failed(page, away).orElseThrow();
    assertEquals(502, shown.status());
    assertTrue(new String(shown.body(), StandardCharsets.UTF_8).contains("cannot be reached"));
    assertEquals(500, endpoints.failed(page, new Failure.Internal("x")).orElseThrow().status());
    assertEquals(Optional.empty(), endpoints.failed(browser.request("GET", "/.portcullis/login", ""), away));
  }

  @Test
  void aLogoutWithoutASessionReturnsToo() throws Exception {
    Mechanism.Authenticator login = bench.login();
    assertEquals("/bye", location(browser.get(login, "/.portcullis/logout?return_to=/bye")));
    assertEquals(200, browser.get(login, "/.portcullis/logout?return_to=https://evil.example/").status());
  }

  @Test
  void theProviderEndsASession() throws Exception {
    Mechanism.Authenticator login = bench.login();
    browser.signIn(login, "/");
    Mechanism.Authenticator other = bench.otherInstance(bench.yaml("", ""));
    assertEquals("ann", browser.visit(other));
    bench.passes(1);
    assertEquals(200, backChannel(login, Map.of()));
    assertEquals(OVER, browser.visit(login));
    assertEquals(OVER, browser.visit(other)); // by the cache that both use
    bench.passes(1);
    browser.signIn(login, "/");
    assertEquals("ann", browser.visit(login));
  }

  @Test
  void theProviderEndsAllSessionsOfAUser() throws Exception {
    Mechanism.Authenticator login = bench.login();
    browser.signIn(login, "/");
    assertEquals(200, backChannel(login, Map.of("sid", Value.NULL, "sub", Value.of("bob"))));
    assertEquals("ann", browser.visit(login));
    assertEquals(200, backChannel(login, Map.of("sid", Value.NULL, "sub", Value.of("ann"))));
    assertEquals(OVER, browser.visit(login));
  }

  @Test
  void onlyLogoutTokensOfTheProviderEndSessions() throws Exception {
    Mechanism.Authenticator login = bench.login();
    browser.signIn(login, "/");
    long now = bench.now.getEpochSecond();
    assertEquals(400, backChannel(login, Map.of("events", Value.NULL)));
    assertEquals(400, backChannel(login, Map.of("nonce", Value.of("n"))));
    assertEquals(400, backChannel(login, Map.of("aud", Value.of("other"))));
    assertEquals(400, backChannel(login, Map.of("iss", Value.of("https://evil.example"))));
    assertEquals(400, backChannel(login, Map.of("sid", Value.NULL)));
    assertEquals(400, backChannel(login, Map.of("iat", Value.of(now - 601))));
    assertEquals(400, backChannel(login, Map.of("iat", Value.NULL)));
    bench.provider.idTokenSignature = _ -> "AAAA";
    assertEquals(400, backChannel(login, Map.of()));
    assertEquals(405, browser.get(login, "/.portcullis/backchannel-logout").status());
    assertEquals("ann", browser.visit(login));
  }

  @Test
  void garbageCostsNoCall() throws Exception {
    Mechanism.Authenticator login = bench.login();
    for (String garbage : List.of("", "x", "a.b.c", "eyJhbGciOiJub25lIn0.e30.", "x".repeat(60_000))) {
      assertEquals(400, bench.new Browser().answered(login, bench.new Browser().request("POST",
          "/.portcullis/backchannel-logout", "logout_token=" + garbage)).status());
    }
    long now = bench.now.getEpochSecond();
    for (Map<String, Value> wrong : List.<Map<String, Value>>of(Map.of("iss", Value.of("https://evil.example")),
        Map.of("aud", Value.of("other")), Map.of("events", Value.NULL), Map.of("iat", Value.of(now - 601)))) {
      assertEquals(400, backChannel(login, wrong));
    }
    assertEquals(List.of(), bench.provider.calls("/.well-known/openid-configuration"));
    assertEquals(List.of(), bench.provider.calls("/jwks"));
    assertEquals(200, backChannel(login, Map.of()));
    for (int i = 0; i < 10; i++) { // of keys that the provider does not have
      bench.provider.idTokenHeader = "{\"alg\":\"ES256\",\"kid\":\"k" + (i + 2) + "\"}";
      assertEquals(400, backChannel(login, Map.of()));
    }
    assertEquals(1, bench.provider.calls("/.well-known/openid-configuration").size());
    assertTrue(bench.provider.calls("/jwks").size() <= 2, () -> "" + bench.provider.calls("/jwks").size());
  }

  @Test
  void frontChannelLogoutEndsTheSession() throws Exception {
    Mechanism.Authenticator login = bench.login();
    String target = "/.portcullis/frontchannel-logout?iss=" + bench.provider.issuer() + "&sid=";
    browser.signIn(login, "/");
    assertEquals(200, browser.get(login, target + "other").status());
    assertEquals("ann", browser.visit(login));
    assertEquals(200, browser.get(login, target + "sid-1").status());
    assertEquals(Map.of(), browser.cookies);
    bench.passes(1);
    browser.signIn(login, "/");
    assertEquals("ann", browser.visit(login));
    assertEquals(200, bench.new Browser().get(login, target + "sid-1").status());
    assertEquals(OVER, browser.visit(login));
    assertEquals(400, browser.get(login, target.replace("iss=", "iss=x") + "sid-1").status());
  }

  @ParameterizedTest
  @ValueSource(strings = {"logout", "frontchannel-logout?iss=ISSUER&sid=sid-1"})
  void oneLoginLeavesTheSessionsOfAnotherAlone(String target) throws Exception {
    Mechanism.Authenticator login = bench.login();
    Mechanism.Authenticator other = bench.login(bench.yaml("", "").replace("client_id: gate", "client_id: reports"));
    browser.signIn(login, "/");
    Request request = browser.request("GET", "/.portcullis/" + target.replace("ISSUER", bench.provider.issuer()), "");
    assertEquals(Optional.empty(), other.endpoints().orElseThrow().answer(request));
    assertEquals("ann", browser.visit(login));
    browser.answered(login, request);
    assertEquals(OVER, browser.visit(login));
  }

  @Test
  void tooManyRevocationsEndOlderSessions() {
    RecentKeys keys = new RecentKeys(2, Duration.ofHours(1));
    Instant start = bench.now;
    for (int i = 0; i < 3; i++) {
      assertTrue(keys.add(CacheKey.of("k", "" + i), start.plusSeconds(i)));
    }
    assertEquals(start, keys.evicted());
    assertEquals(2, keys.size());
    assertFalse(keys.add(CacheKey.of("k", "2"), start.plusSeconds(4000)));
    assertEquals(start, keys.evicted()); // those that have expired are forgotten without a trace
    assertEquals(1, keys.size());
  }
}
