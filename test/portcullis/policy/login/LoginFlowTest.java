package portcullis.policy.login;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static portcullis.policy.login.LoginBench.challenged;
import static portcullis.policy.login.LoginBench.location;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.regex.Matcher;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import portcullis.fixture.CertificateDraft;
import portcullis.fixture.TestCertificate;
import portcullis.fixture.TestKeys;
import portcullis.http.message.Response;
import portcullis.lang.value.Value;
import portcullis.policy.mechanism.Failure;
import portcullis.policy.mechanism.Mechanism;
import portcullis.policy.mechanism.Subject;

class LoginFlowTest {
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
  void aUserSignsInAndComesBack() throws Exception {
    Mechanism.Authenticator login = bench.login();
    assertEquals("authentication error: no session", browser.visit(login));
    Response asked = challenged(login, browser.request("GET", "/a/b?x=1&y=%20", "", "Accept", "text/html"));
    assertEquals(302, asked.status());
    assertTrue(location(asked).startsWith("https://app.example/.portcullis/login?"), location(asked));
    String to = location(browser.get(login, location(asked)));
    Response done = browser.get(login, "/.portcullis/callback?" + bench.provider.authorize(to));
    assertEquals("303 /a/b?x=1&y=%20", done.status() + " " + location(done));
    Subject subject = browser.page(login);
    assertEquals("ann", subject.id());
    assertEquals(Value.of("sid-1"), subject.attributes().get("sid").orElseThrow());
    assertEquals(List.of(), List.copyOf(subject.attributes().members().keySet().stream()
        .filter(List.of("nonce", "access_token", "id_token", "refresh_token")::contains).toList()));
    assertEquals(List.of("__Host-portcullis"), List.copyOf(browser.cookies.keySet()));
    assertEquals("", bench.provider.wrongCalls);
  }

  @Test
  void tokensAreShownToRulesThatWantThem() throws Exception {
    Mechanism.Authenticator login = bench.login(bench.yaml(", tokens: [access_token, id_token]", ""));
    browser.signIn(login, "/");
    Subject subject = browser.page(login);
    assertTrue(subject.attributes().get("access_token").orElseThrow().toString().contains("access-"));
    assertTrue(subject.attributes().get("id_token").isPresent());
  }

  @Test
  void aSessionEndsWithoutUseAndInAnyCase() throws Exception {
    Mechanism.Authenticator login = bench.login(bench.yaml(", idle_timeout: 10m, absolute_timeout: 25m", ""));
    bench.provider.withRefreshTokens = false;
    browser.signIn(login, "/");
    for (int i = 0; i < 2; i++) {
      bench.passes(599);
      assertEquals("ann", browser.visit(login));
    }
    bench.passes(303);
    assertEquals("authentication error: no session", browser.visit(login));
    LoginBench.Browser idle = bench.new Browser();
    idle.signIn(login, "/");
    bench.passes(600);
    assertEquals("authentication error: no session", idle.visit(login));
  }

  @Test
  void tokensAreRefreshedOnce() throws Exception {
    Mechanism.Authenticator login = bench.login(bench.yaml(", tokens: [access_token]", ""));
    browser.signIn(login, "/");
    LoginBench.Browser oldCookie = bench.new Browser();
    oldCookie.cookies.putAll(browser.cookies);
    Value before = browser.page(login).attributes().get("access_token").orElseThrow();
    bench.passes(55);
    Value after = browser.page(login).attributes().get("access_token").orElseThrow();
    assertFalse(before.equals(after));
    // a request that was sent with the old cookie, or whose response was lost
    assertEquals(after, oldCookie.page(login).attributes().get("access_token").orElseThrow());
    assertEquals(2, bench.provider.calls("/token").size());
    bench.passes(55);
    assertEquals("ann", browser.visit(login));
    assertEquals("", bench.provider.wrongCalls);
  }

  @Test
  void twoInstancesRefreshOnce() throws Exception {
    Mechanism.Authenticator login = bench.login();
    Mechanism.Authenticator other = bench.otherInstance(bench.yaml("", ""));
    browser.signIn(login, "/");
    LoginBench.Browser tab = bench.new Browser();
    tab.cookies.putAll(browser.cookies);
    bench.passes(60);
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var one = threads.submit(() -> browser.visit(login));
      var two = threads.submit(() -> tab.visit(other));
      assertEquals("ann ann", one.get() + " " + two.get());
    }
    assertEquals(2, bench.provider.calls("/token").size());
    assertEquals("", bench.provider.wrongCalls);
  }

  @Test
  void aSessionThatTheProviderHasEndedIsOver() throws Exception {
    Mechanism.Authenticator login = bench.login();
    browser.signIn(login, "/");
    LoginBench.Browser thief = bench.new Browser();
    thief.cookies.putAll(browser.cookies);
    bench.passes(60);
    assertEquals("ann", browser.visit(login));
    bench.passes(700); // the thief's token was rotated, and the result is not kept any more
    assertEquals("authentication error: the provider has ended the session", thief.visit(login));
    assertEquals("authentication error: the provider has ended the session", browser.visit(login));
  }

  @Test
  void whileTheProviderIsDownSessionsGoOnForAWhile() throws Exception {
    Mechanism.Authenticator login = bench.login(bench.yaml(", refresh_grace: 5m", ""));
    browser.signIn(login, "/");
    bench.provider.down = true;
    bench.passes(120);
    assertEquals("ann", browser.visit(login));
    bench.passes(300);
    assertTrue(browser.visit(login).startsWith("communication error: "), browser.visit(login));
    Failure failure = assertThrows(Failure.class, () -> bench.new Browser().start(bench.otherInstance(bench.yaml("", "")
        .replace("issuer: '", "issuer: 'http://localhost:1")), "/"));
    assertTrue(failure.report().startsWith("communication error") || failure.report().startsWith("internal error"));
  }

  @Test
  void aLoginSurvivesAnOutageOfTheMetadata() throws Exception {
    Mechanism.Authenticator login = bench.login();
    browser.signIn(login, "/");
    bench.provider.down = true;
    bench.passes(3600);
    assertTrue(bench.new Browser().start(login, "/").startsWith(bench.provider.issuer() + "/authorize?"));
  }

  @Test
  void longSessionsAreSplitAndLeaveNoRemains() throws Exception {
    Mechanism.Authenticator login = bench.login();
    bench.provider.claims.put("groups", Value.of("g".repeat(9000)));
    browser.signIn(login, "/");
    assertEquals(4, browser.cookies.size());
    assertEquals("ann", browser.visit(login));
    String second = browser.cookies.remove("__Host-portcullis-1");
    assertEquals("authentication error: no session", browser.visit(login));
    browser.cookies.put("__Host-portcullis-1", second);
    bench.provider.claims.clear();
    browser.signIn(login, "/");
    assertEquals(List.of("__Host-portcullis"), List.copyOf(browser.cookies.keySet()));
    bench.provider.claims.put("groups", Value.of("g".repeat(9_000)));
    Mechanism.Authenticator withTokens = bench.login(bench.yaml(", tokens: [id_token]", ""));
    Failure tooLong = assertThrows(Failure.class, () -> browser.signIn(withTokens, "/"));
    assertTrue(tooLong.report().contains("too long for cookies"));
  }

  @Test
  void inTheCacheTheCookieIsAnIdOnly() throws Exception {
    String yaml = bench.yaml(", store: cache, tokens: [access_token, id_token]", "");
    Mechanism.Authenticator login = bench.login(yaml);
    bench.provider.claims.put("groups", Value.of("g".repeat(9_000)));
    browser.signIn(login, "/");
    String cookie = browser.cookies.get("__Host-portcullis");
    assertEquals(45, cookie.length());
    Mechanism.Authenticator other = bench.otherInstance(yaml);
    Value before = browser.page(other).attributes().get("access_token").orElseThrow();
    bench.passes(55);
    Value after = browser.page(login).attributes().get("access_token").orElseThrow();
    assertFalse(before.equals(after));
    assertEquals(after, browser.page(other).attributes().get("access_token").orElseThrow());
    assertEquals(cookie, browser.cookies.get("__Host-portcullis"));
    assertEquals("", bench.provider.wrongCalls);
  }

  @Test
  void twoTabsSignInAtOnce() throws Exception {
    Mechanism.Authenticator login = bench.login();
    String first = browser.start(login, "/first");
    String second = browser.start(login, "/second");
    String secondBack = "/.portcullis/callback?" + bench.provider.authorize(second);
    String firstBack = "/.portcullis/callback?" + bench.provider.authorize(first);
    assertEquals("/second", location(browser.get(login, secondBack)));
    assertEquals("/first", location(browser.get(login, firstBack)));
    assertEquals("ann", browser.visit(login));
  }

  @Test
  void theTabThatBeganFirstMayComeBackFirst() throws Exception {
    Mechanism.Authenticator login = bench.login();
    String first = browser.start(login, "/first");
    String second = browser.start(login, "/second");
    assertEquals("/first", location(browser.get(login, "/.portcullis/callback?" + bench.provider.authorize(first))));
    assertEquals("/second", location(browser.get(login, "/.portcullis/callback?" + bench.provider.authorize(second))));
    assertEquals("ann", browser.visit(login));
  }

  @Test
  void moreTabsThanCookiesEndInASession() throws Exception {
    Mechanism.Authenticator login = bench.login();
    List<String> tabs = new ArrayList<>();
    for (int i = 0; i < 15; i++) {
      tabs.add(bench.provider.authorize(browser.start(login, "/" + i)));
      assertTrue(browser.cookies.size() <= OwnCookies.LOGINS);
    }
    assertEquals(303, browser.get(login, "/.portcullis/callback?" + tabs.getLast()).status());
    for (int i = 0; i < 14; i++) { // with a session a replaced login leads to its page as well
      assertEquals("/" + i, location(browser.get(login, "/.portcullis/callback?" + tabs.get(i))));
    }
  }

  @Test
  void theBackButtonLeadsToThePageAgain() throws Exception {
    Mechanism.Authenticator login = bench.login();
    String callback = "/.portcullis/callback?" + bench.provider.authorize(browser.start(login, "/page"));
    browser.get(login, callback);
    String session = browser.cookies.get("__Host-portcullis");
    assertEquals("/page", location(browser.get(login, callback)));
    assertEquals(session, browser.cookies.get("__Host-portcullis"));
    assertEquals(1, bench.provider.calls("/token").size());
  }

  @Test
  void anExpiredStateIsAPageWithAWayOut() throws Exception {
    Mechanism.Authenticator login = bench.login();
    String callback = "/.portcullis/callback?" + bench.provider.authorize(browser.start(login, "/page?a=1&b"));
    bench.passes(901);
    Response response = browser.get(login, callback);
    assertEquals(400, response.status());
    String page = new String(response.body(), StandardCharsets.UTF_8);
    assertTrue(page.contains("href=\"/page?a=1&amp;b\""), page);
    assertEquals(List.of(), bench.provider.calls("/token"));
  }

  @Test
  void clocksMayDifferBySomeSeconds() throws Exception {
    Mechanism.Authenticator login = bench.login();
    long now = bench.now.getEpochSecond();
    bench.provider.claims.putAll(Map.of("iat", Value.of(now + 9), "nbf", Value.of(now + 9)));
    assertEquals(303, browser.signIn(login, "/").status());
    bench.provider.claims.putAll(Map.of("iat", Value.of(now + 11), "nbf", Value.of(now + 11)));
    assertEquals(403, browser.signIn(login, "/").status());
    assertEquals(303, browser.signIn(bench.login(bench.yaml("", ", validity_leeway: 30s")), "/").status());
  }

  @Test
  void keysOfTheProviderAndOfSessionsMayChange() throws Exception {
    Mechanism.Authenticator login = bench.login();
    browser.signIn(login, "/");
    bench.provider.key = StrictProvider.key("k2");
    bench.passes(1);
    LoginBench.Browser other = bench.new Browser();
    assertEquals(303, other.signIn(login, "/").status());
    Path file = bench.keys.toAbsolutePath();
    Files.writeString(file, "# new\n" + "ab".repeat(32) + "\n\n" + LoginBench.KEY + "\n");
    bench.context.logins().keys().prepared(file).run();
    assertEquals("ann", browser.visit(login));
    assertEquals(303, other.signIn(login, "/").status());
    Files.writeString(file, "ab".repeat(32));
    bench.context.logins().keys().prepared(file).run();
    assertEquals("authentication error: no session", browser.visit(login));
    assertEquals("ann", other.visit(login));
  }

  @Test
  void requestsArePushedWhereTheProviderHasAnEndpoint() throws Exception {
    bench.provider.metadata.put("pushed_authorization_request_endpoint", Value.of(bench.provider.issuer() + "/par"));
    Mechanism.Authenticator login = bench.login();
    String to = browser.start(login, "/");
    assertFalse(to.contains("state=") || to.contains("nonce="));
    assertEquals(303, browser.get(login, "/.portcullis/callback?" + bench.provider.authorize(to)).status());
  }

  @Test
  void usersChooseAmongProviders() throws Exception {
    try (LoginBench second = new LoginBench(Files.createDirectory(folder.resolve("second")))) {
      Mechanism.Authenticator login = bench.login("{ providers: [ " + bench.providerYaml(", id: one, name: 'O & Co'")
          + ", " + second.providerYaml(", id: two") + " ], session: { keys: '" + bench.keys + "' } }");
      Response chooser = browser.get(login, "/.portcullis/login?return_to=/page");
      String page = new String(chooser.body(), StandardCharsets.UTF_8);
      assertEquals(200, chooser.status());
      assertTrue(page.contains(">O &amp; Co</a>") && page.contains(">two</a>"), page);
      String to = location(browser.get(login, "/.portcullis/login?return_to=/page&provider=two"));
      assertTrue(to.startsWith(second.provider.issuer()));
      Response done = browser.get(login, "/.portcullis/callback/two?" + second.provider.authorize(to));
      assertEquals("/page", location(done));
      assertEquals("ann", browser.visit(login));
    }
  }

  @ParameterizedTest
  @CsvSource({"client_secret_basic", "client_secret_post", "private_key_jwt"})
  void theClientAuthenticates(String method) throws Exception {
    Path key = folder.resolve("client.pem");
    KeyPair pair = TestKeys.ec(256);
    Files.writeString(key, TestKeys.pem(pair));
    bench.provider.clientKey = Optional.of(pair.getPublic());
    String auth = method.equals("private_key_jwt") ? "key_store: { path: '" + key + "' }"
        : "client_secret: '" + StrictProvider.SECRET + "'";
    Mechanism.Authenticator login = bench.login(bench.yaml("", "").replaceAll("client_auth: \\{[^}]*\\}",
        Matcher.quoteReplacement("client_auth: { method: " + method + ", " + auth + " }")));
    assertEquals(303, browser.signIn(login, "/").status());
    assertEquals("", bench.provider.wrongCalls);
  }

  @Test
  void theClientAuthenticatesByItsCertificate() throws Exception {
    TestCertificate authority = certificate("ca").forAuthority().make();
    TestCertificate server = certificate("idp").hosts("localhost").issuedBy(authority).make();
    Path trust = Files.writeString(folder.resolve("trust.pem"), authority.pem());
    Path own = Files.writeString(folder.resolve("own.pem"),
        certificate("gate").issuedBy(authority).make().keyStore());
    Path other = Files.writeString(folder.resolve("other.pem"), certificate("gate").make().keyStore());
    bench.close();
    bench = new LoginBench(folder, clock -> new StrictProvider(clock, server, authority));
    browser = bench.new Browser();
    String yaml = "{ providers: [ { issuer: '" + bench.provider.issuer() + "', client_id: gate, client_auth: { method: "
        + "tls_client_auth }, tls: { key_store: { path: 'OWN' }, trust_store: '" + trust
        + "' } } ], session: { keys: '" + bench.keys + "' } }";
    Mechanism.Authenticator login = bench.login(yaml.replace("OWN", own.toString()));
    assertEquals(303, browser.signIn(login, "/").status());
    assertEquals("ann", browser.visit(login));
    assertEquals("", bench.provider.wrongCalls);
    bench.passes(3600); // the metadata are fetched again
    Failure failure = assertThrows(Failure.class,
        () -> bench.new Browser().start(bench.otherInstance(yaml.replace("OWN", other.toString())), "/"));
    assertTrue(failure.report().startsWith("communication error"), failure.report());
    assertTrue(bench.problems(yaml.replace("key_store: { path: 'OWN' }, ", "")).contains("`tls.key_store` is missing"));
  }

  /** Valid now, and at the time of the bench. */
  private CertificateDraft certificate(String name) {
    return CertificateDraft.of(name).valid(bench.now.minusSeconds(3600), Instant.now().plusSeconds(3600));
  }
}
