package portcullis.policy.login;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static portcullis.policy.login.LoginBench.location;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import portcullis.crypto.keys.LiveFiles;
import portcullis.crypto.session.SessionKeys;
import portcullis.fixture.StubService;
import portcullis.http.message.Field;
import portcullis.http.message.Request;
import portcullis.http.message.Response;
import portcullis.lang.value.Value;
import portcullis.policy.cache.LateWrites;
import portcullis.policy.cache.RecentKeys;
import portcullis.policy.mechanism.LoginState;
import portcullis.policy.mechanism.Mechanism;
import portcullis.policy.mechanism.OwnEndpoints;

/** Sessions while the cache, or the provider, cannot be used. */
class SessionOutageTest {
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

  private Mechanism.Authenticator login(String store) {
    return bench.login(bench.yaml(", store: " + store, ""));
  }

  private LoginBench.Browser copy() {
    LoginBench.Browser copy = bench.new Browser();
    copy.cookies.putAll(browser.cookies);
    return copy;
  }

  private void comesBack() {
    bench.cache.away = false;
    bench.context.logins().share(bench.cache, bench.now);
  }

  private OwnEndpoints.Answer backChannel(Mechanism.Authenticator login) throws Exception {
    Map<String, Value> claims = new LinkedHashMap<>(Map.of("aud", Value.of("gate"), "sid", Value.of("sid-1"), "jti",
        Value.of("token-1"), "events",
        Value.dict("http://schemas.openid.net/event/backchannel-logout", Value.Dict.EMPTY)));
    Request request = bench.new Browser().request("POST", "/.portcullis/backchannel-logout", "logout_token="
        + bench.provider.signed(claims, Map.of()), "Content-Type", "application/x-www-form-urlencoded");
    return login.endpoints().orElseThrow().answer(request).orElseThrow();
  }

  @Test
  void aSessionThatCannotBeLookedUpIsNotMissing() throws Exception {
    Mechanism.Authenticator login = login("cache");
    browser.signIn(login, "/");
    bench.cache.away = true;
    assertEquals("communication error: the session cannot be looked up: the cache is away", browser.visit(login));
    assertEquals(OVER, bench.new Browser().visit(login), "without a cookie there is nothing to look up");
    bench.cache.away = false;
    assertEquals("ann", browser.visit(login));
  }

  @Test
  void sessionsInCookiesGoOnWithoutTheCache() throws Exception {
    Mechanism.Authenticator login = login("cookie");
    browser.signIn(login, "/");
    bench.cache.away = true;
    assertEquals("ann", browser.visit(login));
  }

  @Test
  void aLogoutDuringAnOutageLasts() throws Exception {
    Mechanism.Authenticator login = login("cache");
    Mechanism.Authenticator other = bench.otherInstance(bench.yaml(", store: cache", ""));
    browser.signIn(login, "/");
    LoginBench.Browser copy = copy();
    bench.cache.away = true;
    Response out = browser.get(login, "/.portcullis/logout");
    assertEquals(503, out.status());
    assertTrue(new String(out.body(), StandardCharsets.UTF_8).contains("could not be ended everywhere"));
    assertEquals(Map.of(), browser.cookies);
    bench.cache.away = false;
    assertEquals(OVER, copy.visit(login), "this instance knows at once");
    comesBack();
    assertEquals(OVER, copy.visit(other));
    assertEquals(OVER, copy.visit(login));
    assertTrue(bench.logged().contains("ERR user logged out, but the cache does not know that yet"), bench.logged());
  }

  @Test
  void anotherSiteNeedsAClickDuringAnOutageToo() throws Exception {
    Mechanism.Authenticator login = login("cache");
    browser.signIn(login, "/");
    browser.extra.add(new Field("Sec-Fetch-Site", "cross-site"));
    bench.cache.away = true;
    assertEquals(200, browser.get(login, "/.portcullis/logout").status());
    comesBack();
    assertEquals("ann", browser.visit(login));
  }

  @Test
  void aLogoutOfASessionInCookiesIsSharedLater() throws Exception {
    Mechanism.Authenticator login = login("cookie");
    Mechanism.Authenticator other = bench.otherInstance(bench.yaml(", store: cookie", ""));
    browser.signIn(login, "/");
    LoginBench.Browser copy = copy();
    bench.cache.away = true;
    assertEquals("/bye", location(browser.get(login, "/.portcullis/logout?return_to=/bye")));
    assertEquals(OVER, copy.visit(login));
    comesBack();
    assertEquals(OVER, copy.visit(other));
    assertTrue(bench.logged().contains("WRN user logged out, but other instances do not know that yet"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"cookie", "cache"})
  void aBackChannelLogoutThatCannotBeRecordedIsRefused(String store) throws Exception {
    Mechanism.Authenticator login = login(store);
    Mechanism.Authenticator other = bench.otherInstance(bench.yaml(", store: " + store, ""));
    browser.signIn(login, "/");
    LoginBench.Browser copy = copy();
    bench.cache.away = true;
    OwnEndpoints.Answer answer = backChannel(login);
    assertEquals(503, answer.response().status());
    assertEquals("communication error: the end of a session cannot be stored: the cache is away", answer.error());
    bench.cache.away = false;
    assertEquals(OVER, copy.visit(login));
    assertEquals("ann", copy.visit(other));
    assertEquals(200, backChannel(login).response().status(), "the provider tries again");
    assertEquals(OVER, copy.visit(other));
    assertTrue(bench.logged().contains("ERR session ended by its provider, but the cache does not know that yet"));
  }

  @Test
  void whatCouldNotBeRecordedIsSharedWithoutTheProvider() throws Exception {
    Mechanism.Authenticator login = login("cookie");
    Mechanism.Authenticator other = bench.otherInstance(bench.yaml("", ""));
    browser.signIn(login, "/");
    bench.cache.away = true;
    backChannel(login);
    comesBack();
    assertEquals(OVER, browser.visit(other));
  }

  @ParameterizedTest
  @CsvSource({"invalid_client, 401", "unauthorized_client, 400", "temporarily_unavailable, 400", "server_error, 400",
    "odd, 400"})
  void aProviderThatCannotRefreshHasNotEndedTheSession(String error, int status) throws Exception {
    Mechanism.Authenticator login = bench.login(bench.yaml(", refresh_grace: 5m", ""));
    browser.signIn(login, "/");
    bench.provider.odd.put("/token", StubService.answer(status, "{\"error\":\"" + error
        + "\",\"error_description\":\"see\\nme\"}", StrictProvider.JSON));
    bench.passes(120);
    assertEquals("ann", browser.visit(login));
    bench.passes(300);
    assertEquals("communication error: the provider refuses to refresh tokens: " + error + ": see?me",
        browser.visit(login));
    bench.provider.odd.clear();
    assertEquals("ann", browser.visit(login));
    assertTrue(bench.logged().contains("WRN session is used without its refresh, as the provider cannot be used"));
    assertTrue(bench.logged().contains("refuses to refresh tokens: " + error), bench.logged());
  }

  @ParameterizedTest
  @ValueSource(strings = {"invalid_grant", "login_required", "interaction_required", "consent_required"})
  void aUserWhoHasToSignInAgainHasNoSession(String error) throws Exception {
    Mechanism.Authenticator login = bench.login();
    browser.signIn(login, "/");
    bench.provider.odd.put("/token", StubService.answer(400, "{\"error\":\"" + error + "\"}", StrictProvider.JSON));
    bench.passes(60);
    assertEquals("authentication error: the provider has ended the session", browser.visit(login));
  }

  @ParameterizedTest
  @CsvSource({"aud, other, no expected audience", "iss, https://evil.example, another issuer", "sub, bob, another user",
    "nonce, other, another nonce"})
  void aRefreshThatIsNotAcceptedLeadsToTheLogin(String claim, String value, String reason) throws Exception {
    Mechanism.Authenticator login = bench.login();
    browser.signIn(login, "/");
    LoginBench.Browser other = bench.new Browser();
    other.signIn(login, "/");
    bench.provider.claims.put(claim, Value.of(value));
    bench.passes(60);
    Response asked = LoginBench.challenged(login, browser.request("GET", "/page", "", "Accept", "text/html"));
    assertEquals(302, asked.status());
    assertTrue(location(asked).startsWith("https://app.example/.portcullis/login?"));
    String report = other.visit(login);
    assertTrue(report.startsWith("authentication error: the answer to the refresh was not accepted: ")
        && report.contains(reason), report);
  }

  @Test
  void aRefreshedTokenMayHaveTheNonceOfTheLogin() throws Exception {
    Mechanism.Authenticator login = bench.login();
    String to = browser.start(login, "/");
    String nonce = StrictProvider.parameters(to.replaceFirst(".*\\?", "")).get("nonce");
    browser.get(login, "/.portcullis/callback?" + bench.provider.authorize(to));
    bench.provider.claims.put("nonce", Value.of(nonce));
    bench.passes(60);
    assertEquals("ann", browser.visit(login));
    assertFalse(browser.page(login).attributes().members().containsKey("nonce"));
  }

  @Test
  void nobodyIsToldOfALogoutThatIsNotRemembered() throws Exception {
    LoginState full = new LoginState(new LiveFiles<>(SessionKeys::read), new RecentKeys(9, Duration.ofHours(1)),
        new RecentKeys(9, Duration.ofHours(1)), new RecentKeys(9, Duration.ofHours(1)), new LateWrites(9),
        new LateWrites(0), Integer.MAX_VALUE);
    Mechanism.Authenticator login = bench.instance(bench.yaml(", store: cache", ""), full, bench.cache);
    browser.signIn(login, "/");
    bench.cache.away = true;
    Response out = browser.get(login, "/.portcullis/logout");
    assertEquals(503, out.status());
    assertTrue(new String(out.body(), StandardCharsets.UTF_8).contains("You are still signed in"));
    bench.cache.away = false;
    assertEquals("ann", browser.visit(login));
    browser.get(login, "/.portcullis/logout");
    assertEquals(OVER, browser.visit(login));
  }

  private String accessToken(LoginBench.Browser user, Mechanism.Authenticator login) throws Exception {
    return ((Value.Str) user.page(login).attributes().get("access_token").orElseThrow()).value();
  }

  @Test
  void aRefreshTokenThatStaysIsUsedAgainInTime() throws Exception {
    Mechanism.Authenticator login = bench.login(bench.yaml(", tokens: [access_token]", ""));
    browser.signIn(login, "/");
    for (String token : List.of("one", "two", "three")) {
      bench.provider.odd.put("/token", StubService.ok("{\"access_token\":\"" + token
          + "\",\"token_type\":\"Bearer\",\"expires_in\":60}", StrictProvider.JSON));
      bench.passes(60);
      assertEquals(token, accessToken(browser, login));
      assertEquals(token, accessToken(browser, login));
    }
  }

  @Test
  void anOldCookieLeadsToTokensThatHaveNotExpired() throws Exception {
    Mechanism.Authenticator login = bench.login(bench.yaml(", tokens: [access_token]", ""));
    browser.signIn(login, "/");
    LoginBench.Browser old = copy();
    bench.passes(60);
    String first = accessToken(browser, login);
    assertEquals(first, accessToken(copy(), login));
    bench.passes(60);
    assertNotEquals(first, accessToken(old, login));
    assertEquals(accessToken(old, login), accessToken(browser, login));
    assertEquals("", bench.provider.wrongCalls);
  }
}
