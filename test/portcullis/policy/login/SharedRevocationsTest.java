package portcullis.policy.login;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import portcullis.lang.value.Value;
import portcullis.policy.cache.Cache;
import portcullis.policy.cache.CacheKey;
import portcullis.policy.mechanism.LoginState;
import portcullis.policy.mechanism.Mechanism;

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
    return bench.provider.signed(new LinkedHashMap<>(Map.of("aud", Value.of("gate"), "sub", Value.of("ann"), "jti",
        Value.of("token-1"), "events",
        Value.dict("http://schemas.openid.net/event/backchannel-logout", Value.Dict.EMPTY))), Map.of());
  }

  private int backChannel(Mechanism.Authenticator login, String token) throws Exception {
    LoginBench.Browser provider = bench.new Browser();
    return provider.answered(login, provider.request("POST", "/.portcullis/backchannel-logout",
        "logout_token=" + token, "Content-Type", "application/x-www-form-urlencoded")).status();
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
}
