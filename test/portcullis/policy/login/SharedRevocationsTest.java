package portcullis.policy.login;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static portcullis.policy.login.LoginBench.location;

import java.nio.file.Path;
import java.time.Duration;
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
import portcullis.policy.cache.Cache;
import portcullis.policy.cache.CacheKey;
import portcullis.policy.mechanism.LoginState;
import portcullis.policy.mechanism.Mechanism;
import portcullis.policy.mechanism.OwnEndpoints.Answer;

/** Ends of sessions that several instances with one cache know of at different times. */
class SharedRevocationsTest {
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

  /** A logout token of the user, without `sid`. */
  private String token() {
    return token(Map.of());
  }

  private String token(Map<String, Value> changed) {
    return bench.provider.signed(new LinkedHashMap<>(Map.of("aud", Value.of("gate"), "sub", Value.of("ann"), "jti",
        Value.of("token-1"), "events",
        Value.dict("http://schemas.openid.net/event/backchannel-logout", Value.Dict.EMPTY))), changed);
  }

  private int backChannel(Mechanism.Authenticator login, String token) throws Exception {
    return bench.new Browser().answered(login, request(token)).status();
  }

  private Request request(String token) {
    return bench.new Browser().request("POST", "/.portcullis/backchannel-logout", "logout_token=" + token,
        "Content-Type", "application/x-www-form-urlencoded");
  }

  private Mechanism.Authenticator instance(String store) {
    return bench.otherInstance(bench.yaml(", store: " + store, ""));
  }

  @ParameterizedTest
  @ValueSource(strings = {"cookie", "cache"})
  void anOwnRevocationDoesNotHideALaterOneOfAnotherInstance(String store) throws Exception {
    Mechanism.Authenticator one = instance(store);
    Mechanism.Authenticator two = instance(store);
    assertEquals(200, backChannel(one, token()));
    bench.passes(20);
    browser.signIn(one, "/");
    assertEquals("ann", browser.visit(one));
    bench.passes(5);
    assertEquals(200, backChannel(two, token()));
    assertEquals(OVER, browser.visit(one));
  }

  @Test
  void anOlderRevocationDoesNotReplaceALaterOneOfAnotherInstance() throws Exception {
    String old = token();
    bench.passes(20);
    Mechanism.Authenticator one = instance("cookie");
    browser.signIn(one, "/");
    bench.passes(5);
    assertEquals(200, backChannel(one, token()));
    assertEquals(200, backChannel(instance("cookie"), old));
    assertEquals(OVER, browser.visit(instance("cookie")));
  }

  @Test
  void aRevocationThatIsSharedLateDoesNotReplaceALaterOne() throws Exception {
    LoginState state = new LoginState(Integer.MAX_VALUE);
    Mechanism.Authenticator cut = bench.instance(bench.yaml("", ""), state, bench.cache);
    bench.cache.away = true;
    assertEquals(503, backChannel(cut, token()));
    bench.cache.away = false;
    bench.passes(20);
    Mechanism.Authenticator one = instance("cookie");
    browser.signIn(one, "/");
    bench.passes(5);
    assertEquals(200, backChannel(one, token()));
    state.share(bench.cache, bench.now);
    assertEquals(OVER, browser.visit(instance("cookie")));
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aRefreshUnderWayDoesNotBringBackASessionThatWasEnded(boolean away) throws Exception {
    Cache overwritten = new Cache() { // another instance stores the session again at once
      @Override
      public Optional<byte[]> get(CacheKey key) {
        return bench.cache.get(key);
      }

      @Override
      public boolean put(CacheKey key, byte[] value, Duration time) {
        return value.length > 1 && bench.cache.put(key, value, time);
      }
    };
    Mechanism.Authenticator login = bench.login(bench.yaml(", store: cache", ""));
    Mechanism.Authenticator other = bench.otherInstance(bench.yaml(", store: cache", ""), overwritten);
    browser.signIn(login, "/");
    LoginBench.Browser copy = bench.new Browser();
    copy.cookies.putAll(browser.cookies);
    bench.cache.away = away;
    assertEquals(away ? 503 : 200, browser.get(away ? login : other, "/.portcullis/logout").status());
    bench.cache.away = false;
    bench.context.logins().share(overwritten, bench.now);
    assertEquals(OVER, copy.visit(instance("cache")));
  }

  @Test
  void aProviderWhoseClockIsBehindEndsSessionsToo() throws Exception {
    Mechanism.Authenticator login = instance("cookie");
    Value behind = Value.of(bench.now.getEpochSecond() - 60);
    bench.provider.claims.put("iat", behind);
    browser.signIn(login, "/");
    bench.passes(5);
    String token = token(Map.of("iat", Value.of(bench.now.getEpochSecond() - 60)));
    assertEquals("ann", browser.visit(login));
    assertEquals(200, backChannel(login, token));
    assertEquals(OVER, browser.visit(login));
    bench.passes(1);
    bench.provider.claims.put("iat", Value.of(bench.now.getEpochSecond() - 60));
    browser.signIn(login, "/");
    assertEquals(200, backChannel(login, token), "the provider repeats it");
    assertEquals("ann", browser.visit(login));
  }

  @Test
  void allLoginsOfTheSameClientLearnOfALogout() throws Exception {
    Mechanism.Authenticator one = bench.login();
    Mechanism.Authenticator two = bench.login(bench.yaml(", cookie: two", ""));
    LoginBench.Browser other = bench.new Browser();
    browser.signIn(one, "/");
    other.signIn(two, "/");
    assertEquals(200, backChannel(one, token()));
    assertEquals("ann", other.visit(two));
    assertTrue(one.endpoints().orElseThrow().answer(request(token())).orElseThrow().isShared());
    assertEquals(200, backChannel(two, token()));
    assertEquals(OVER, other.visit(two));
  }

  @Test
  void allProvidersOfALoginWithTheSameClientLearnOfALogout() throws Exception {
    Mechanism.Authenticator login = bench.login(bench.yaml("", "").replace(bench.providerYaml(""),
        bench.providerYaml(", id: a") + ", " + bench.providerYaml(", id: b")));
    for (String provider : List.of("a", "b")) {
      for (boolean back : new boolean[] {true, false}) {
        LoginBench.Browser user = bench.new Browser();
        String to = location(user.get(login, "/.portcullis/login?provider=" + provider));
        user.get(login, "/.portcullis/callback/" + provider + "?" + bench.provider.authorize(to));
        assertEquals("ann", user.visit(login));
        if (back) {
          assertEquals(200, backChannel(login, token()));
        } else {
          bench.new Browser().get(login, "/.portcullis/frontchannel-logout?iss=" + bench.provider.issuer()
              + "&sid=sid-1");
        }
        assertEquals(OVER, user.visit(login), provider);
        bench.passes(1);
      }
    }
  }

  @Test
  void aFrontChannelLogoutWithTheSessionIsKnownToAll() throws Exception {
    Mechanism.Authenticator login = bench.login();
    browser.signIn(login, "/");
    LoginBench.Browser copy = bench.new Browser();
    copy.cookies.putAll(browser.cookies);
    bench.cache.away = true;
    browser.get(login, "/.portcullis/frontchannel-logout?iss=" + bench.provider.issuer() + "&sid=sid-1");
    bench.cache.away = false;
    bench.context.logins().share(bench.cache, bench.now);
    assertEquals(OVER, copy.visit(instance("cookie")));
    assertTrue(bench.logged().contains("ERR session ended by its provider, but the cache does not know that yet"));
  }

  @Test
  void aFailureOfOneLoginCountsMoreThanTheSuccessOfAnother() {
    Field cookie = new Field("Set-Cookie", "a=b");
    Answer stored = Answer.of(Response.of(200).with(List.of(cookie))).shared();
    Answer refused = new Answer(Response.of(400), "refused");
    Answer failed = new Answer(Response.of(503), "failed");
    assertEquals("failed", stored.and(failed).error());
    assertEquals(List.of("a=b"), refused.and(stored).and(failed).response().fields().all("Set-Cookie"));
    assertEquals(200, refused.and(stored).response().status());
    assertEquals(200, stored.and(refused).response().status());
    assertEquals(400, refused.and(refused).response().status());
  }

  @Test
  void aLogoutTokenThatCannotBeCheckedIsRepeated() throws Exception {
    bench.provider.down = true;
    assertEquals(503, backChannel(instance("cookie"), token()));
  }
}
