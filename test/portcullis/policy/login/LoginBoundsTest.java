package portcullis.policy.login;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import portcullis.http.message.Response;
import portcullis.lang.value.Value;
import portcullis.policy.cache.Cache;
import portcullis.policy.mechanism.Failure;
import portcullis.policy.mechanism.LoginState;
import portcullis.policy.mechanism.Mechanism;

/** What a login is refused for: its session, or the time of the sign-in. */
class LoginBoundsTest {
  private static final int DEFAULT_HEAD = 8192;

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

  @Test
  void aSessionThatNoRequestCouldCarryIsRefusedAtTheLogin() throws Exception {
    for (String store : new String[] {"cookie", "cache"}) {
      Mechanism.Authenticator login = bench.instance(bench.yaml(", store: " + store, ""), new LoginState(DEFAULT_HEAD),
          bench.cache);
      bench.provider.claims.put("groups", Value.of("g".repeat(3_500)));
      assertEquals(303, browser.signIn(login, "/").status());
      bench.provider.claims.put("groups", Value.of("g".repeat(4_500)));
      LoginBench.Browser other = bench.new Browser();
      if (store.equals("cache")) {
        assertEquals(303, other.signIn(login, "/").status());
      } else {
        String report = assertThrows(Failure.Internal.class, () -> other.signIn(login, "/")).report();
        assertTrue(report.startsWith("internal error: the session is too long for cookies: they would have ")
            && report.endsWith(" bytes, and `serve.buffer_limit.read` leaves room for 6144: set `session.store: cache`,"
                + " or keep fewer tokens"),
            report);
      }
    }
  }

  @Test
  void aSessionThatIsThereGoesOn() throws Exception {
    Mechanism.Authenticator login = bench.login();
    bench.provider.claims.put("groups", Value.of("g".repeat(4_500)));
    browser.signIn(login, "/");
    Mechanism.Authenticator bounded = bench.instance(bench.yaml("", ""), new LoginState(DEFAULT_HEAD), bench.cache);
    bench.passes(600);
    assertEquals("ann", browser.visit(bounded));
  }

  @Test
  void usersHaveSignedInAsLatelyAsWasAskedFor() throws Exception {
    Mechanism.Authenticator login = bench
        .login(bench.yaml("", "").replace("client_id: gate", "client_id: gate, parameters: { max_age: \"600\" }"));
    long now = bench.now.getEpochSecond();
    assertTrue(
        browser.start(login, "/").contains("&max_age=600&") || browser.start(login, "/").contains("?max_age=600&"));
    assertEquals(403, browser.signIn(login, "/").status());
    for (Map.Entry<Value, Integer> one : Map.<Value, Integer>of(Value.of(now), 303, Value.of(now - 610), 303,
        Value.of(now - 611), 403, Value.of("" + now), 403, Value.of(Long.MIN_VALUE), 403).entrySet()) {
      bench.provider.claims.put("auth_time", one.getKey());
      assertEquals(one.getValue(), bench.new Browser().signIn(login, "/").status(), () -> "" + one.getKey());
    }
    String logged = bench.logged();
    assertTrue(logged.contains("the ID token has no `auth_time`, which `max_age` needs"), logged);
    assertTrue(logged.contains("the user signed in at the provider longer ago than `max_age`"), logged);
    assertTrue(
        bench.problems(bench.yaml("", "").replace("client_id: gate", "client_id: gate, parameters: { max_age: 1h }"))
            .contains("`max_age` is not a number of seconds"));
  }

  @Test
  void sessionsNeedACacheThatStoresThem() {
    String problems = bench.problems(bench.yaml(", store: cache", ""), Cache.none());
    assertTrue(problems.contains("the cache of this configuration stores nothing, so that nobody could sign in"),
        problems);
    assertEquals("", bench.problems(bench.yaml(", store: cookie", ""), Cache.none()));
    assertEquals("", bench.problems(bench.yaml(", store: cache", "")));
  }

  @Test
  void thePageOfALogoutNamesTheProvider() throws Exception {
    bench.provider.metadata.put("end_session_endpoint", Value.of(bench.provider.issuer() + "/end"));
    for (Map.Entry<String, String> one : Map.of("gate", "localhost", "gate, id: staff", "staff", "gate, name: Staff",
        "Staff").entrySet()) {
      Mechanism.Authenticator login = bench.login(bench.yaml(", tokens: [id_token]", "").replace("client_id: gate",
          "client_id: " + one.getKey()));
      browser.signIn(login, "/");
      String page = new String(browser.get(login, "/.portcullis/logout").body(), StandardCharsets.UTF_8);
      assertTrue(page.contains("Sign out of " + one.getValue() + " as well"), page);
    }
  }

  @Test
  void aSessionThatARefreshMakesTooLongLeadsToTheLogin() throws Exception {
    Mechanism.Authenticator login = bench.instance(bench.yaml("", ""), new LoginState(DEFAULT_HEAD), bench.cache);
    bench.provider.claims.put("groups", Value.of("g".repeat(3_000)));
    browser.signIn(login, "/");
    bench.provider.claims.put("groups", Value.of("g".repeat(3_500)));
    bench.passes(60);
    assertEquals("ann", browser.visit(login));
    bench.provider.claims.put("groups", Value.of("g".repeat(6_000)));
    bench.passes(60);
    Response asked = browser.keep(LoginBench.challenged(login, browser.request("GET", "/page", "", "Accept",
        "text/html")));
    assertEquals(302, asked.status());
    assertEquals(Map.of(), browser.cookies);
    String logged = bench.logged();
    assertTrue(logged.contains("WRN session ended, as its refresh made it too long"), logged);
  }

  @Test
  void aLoginLeavesNoCookiesOfOthersThatWereUnderWay() throws Exception {
    Mechanism.Authenticator login = bench.login();
    String other = browser.start(login, "/other");
    for (int i = 0; i < 5; i++) {
      browser.start(login, "/more");
    }
    browser.signIn(login, "/");
    assertEquals(List.of("__Host-"), browser.cookies.keySet().stream().map(name -> name.substring(0, 7)).toList());
    Response back = browser.get(login, "/.portcullis/callback?" + bench.provider.authorize(other));
    assertEquals("/other", LoginBench.location(back));
    assertEquals("ann", browser.visit(login));
  }
}
