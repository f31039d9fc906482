package portcullis.policy.login;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static portcullis.policy.login.LoginBench.location;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import portcullis.crypto.keys.Algorithm;
import portcullis.crypto.keys.Base64Url;
import portcullis.crypto.keys.KeyEntry;
import portcullis.fixture.TestKeys;
import portcullis.http.message.Authority;
import portcullis.http.message.Body;
import portcullis.http.message.Field;
import portcullis.http.message.Fields;
import portcullis.http.message.Request;
import portcullis.http.message.Response;
import portcullis.lang.value.Value;
import portcullis.policy.mechanism.Failure;
import portcullis.policy.mechanism.Mechanism;

/** The promises of the login that attackers try. */
class LoginSecurityTest {
  private static final String CALLBACK = "/.portcullis/callback?";

  @TempDir
  private Path folder;
  private LoginBench bench;
  private LoginBench.Browser browser;
  private Mechanism.Authenticator login;

  @BeforeEach
  void open() {
    bench = new LoginBench(folder);
    browser = bench.new Browser();
    login = bench.login();
  }

  @AfterEach
  void close() {
    bench.close();
  }

  @Test
  void loginCsrf() throws Exception {
    LoginBench.Browser attacker = bench.new Browser();
    String callback = CALLBACK + bench.provider.authorize(attacker.start(login, "/"));
    startAll(browser); // the victim has logins under way too, one in the slot of the attacker
    assertEquals(400, browser.get(login, callback).status());
    assertEquals("authentication error: no session", browser.visit(login));
    assertEquals(303, attacker.get(login, callback).status());
  }

  private void startAll(LoginBench.Browser victim) throws Failure {
    while (victim.cookies.size() < OwnCookies.LOGINS) {
      victim.start(login, "/");
    }
  }

  @Test
  void sessionFixation() throws Exception {
    for (String store : List.of("cookie", "cache")) {
      Mechanism.Authenticator own = bench.login(bench.yaml(", store: " + store, ""));
      LoginBench.Browser attacker = bench.new Browser();
      attacker.signIn(own, "/");
      LoginBench.Browser victim = bench.new Browser();
      victim.cookies.putAll(attacker.cookies);
      String planted = victim.cookies.get("__Host-portcullis");
      victim.signIn(own, "/");
      assertNotEquals(planted, victim.cookies.get("__Host-portcullis"));
      assertEquals("ann", victim.visit(own));
      assertEquals("authentication error: no session", attacker.visit(own), store); // it ended with the victim's login
    }
  }

  @Test
  void mixUpByAnotherIssuer() throws Exception {
    String query = bench.provider.authorize(browser.start(login, "/"));
    assertEquals(400, browser.get(login, CALLBACK + query.replaceAll("iss=.*", "iss=https%3A%2F%2Fevil.example"))
        .status());
    query = bench.provider.authorize(browser.start(login, "/")).replaceAll("&iss=.*", "");
    assertEquals(400, browser.get(login, CALLBACK + query).status());
    assertEquals(List.of(), bench.provider.calls("/token"));
  }

  @Test
  void mixUpByTheMetadataOfAnotherIssuer() {
    bench.provider.metadata.put("issuer", Value.of("https://evil.example"));
    Failure failure = assertThrows(Failure.class, () -> browser.start(login, "/"));
    assertTrue(failure.report().contains("they are of `https://evil.example`, not of `"), failure.report());
  }

  @Test
  void mixUpOfProvidersThatDoNotNameThemselves() throws Exception {
    Path other = Files.createDirectory(folder.resolve("evil"));
    try (LoginBench evil = new LoginBench(other)) {
      for (LoginBench one : List.of(bench, evil)) {
        one.provider.metadata.put("authorization_response_iss_parameter_supported", Value.NULL);
      }
      Mechanism.Authenticator both = bench.login("{ providers: [ " + bench.providerYaml(", id: honest") + ", "
          + evil.providerYaml(", id: evil") + " ], session: { keys: '" + bench.keys + "' } }");
      String to = location(browser.get(both, "/.portcullis/login?provider=evil"));
      String sentOn = to.replace(evil.provider.issuer(), bench.provider.issuer());
      String query = bench.provider.authorize(sentOn).replaceAll("&iss=.*", "");
      // the honest provider knows its own callback URL only, where the response is not accepted
      assertEquals(400, browser.get(both, "/.portcullis/callback/honest?" + query).status());
      assertEquals(List.of(), evil.provider.calls("/token"));
      assertEquals(List.of(), bench.provider.calls("/token"));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"https://evil.example/", "//evil.example/", "/%5Cevil.example", "/%09/evil.example",
    "https:evil.example", "https://app.example.evil.example/", "https://app.example@evil.example/",
    "https://app.example%5C@evil.example/", "javascript:alert(1)", "http://app.example/",
    "other://app.example/", "https:///evil.example",
    "/%0D%0ALocation:%20x", "/.portcullis/logout", "https://evil.example%23@app.example/", ""})
  void openRedirect(String to) throws Exception {
    String query = bench.provider.authorize(location(browser.get(login, "/.portcullis/login?return_to=" + to)));
    assertEquals("/", location(browser.get(login, CALLBACK + query)));
    assertEquals(200, browser.get(login, "/.portcullis/logout?return_to=" + to).status());
  }

  @ParameterizedTest
  @CsvSource({"/a?b=c, /a?b=c", "https://app.example/a, https://app.example/a",
    "https://shop.example/, https://shop.example/",
    "https://SHOP.example/x, https://SHOP.example/x", "https://shop.example:444/, /"})
  void returnsToItsSiteAndAllowedHosts(String to, String expected) throws Exception {
    Mechanism.Authenticator own = bench.login(bench.yaml("", ", allowed_hosts: [ shop.example ]"));
    assertEquals(expected, location(browser.signIn(own, to)));
  }

  @Test
  void cookieTossing() throws Exception {
    LoginBench.Browser attacker = bench.new Browser();
    attacker.signIn(login, "/");
    browser.signIn(login, "/");
    String planted = "__Host-portcullis=" + attacker.cookies.get("__Host-portcullis");
    String own = "__Host-portcullis=" + browser.cookies.get("__Host-portcullis");
    for (Fields fields : List.of(Fields.of("Cookie", own + "; " + planted), Fields.of("Cookie", planted + ";" + own),
        Fields.of("Cookie", own, "Cookie", planted), Fields.of("Cookie", own + "; " + own))) {
      assertEquals(401, LoginBench.challenged(login, LoginBench.request("GET", LoginBench.HOST, "/", "", fields))
          .status());
    }
    // without the prefix that only this host can set, the value is nothing
    assertEquals(401, LoginBench.challenged(login, LoginBench.request("GET", LoginBench.HOST, "/", "",
        Fields.of("Cookie", own.replace("__Host-", "")))).status());
    // nor can the cookie of a login be replaced by the attacker's own
    String callback = CALLBACK + bench.provider.authorize(attacker.start(login, "/"));
    LoginBench.Browser victim = bench.new Browser();
    startAll(victim);
    victim.extra.add(new Field("Cookie", attacker.cookies.entrySet().stream()
        .filter(cookie -> cookie.getKey().contains("login")).map(cookie -> cookie.getKey() + "=" + cookie.getValue())
        .findFirst().orElseThrow()));
    assertEquals(400, victim.get(login, callback).status());
  }

  @Test
  void valuesOfOneCookieAreOfNoUseInAnother() throws Exception {
    String state = StrictProvider.parameters(browser.start(login, "/").replaceFirst(".*\\?", "")).get("state");
    String slot = browser.cookies.values().iterator().next();
    for (String value : List.of(state, slot)) {
      browser.cookies.put("__Host-portcullis", "1." + value);
      assertEquals("authentication error: no session", browser.visit(login));
    }
    browser.signIn(login, "/");
    // nor for another definition with the same keys
    Mechanism.Authenticator other = bench.login(bench.yaml("", "").replace("client_id: gate", "client_id: other"));
    assertEquals("ann", browser.visit(login));
    assertEquals("authentication error: no session", browser.visit(other));
  }

  @Test
  void tokenInUrl() throws Exception {
    String to = browser.start(login, "/");
    Response done = browser.get(login, CALLBACK + bench.provider.authorize(to));
    bench.passes(60);
    browser.page(login);
    Response out = browser.get(login, "/.portcullis/logout");
    String shown = to + done.fields().first("Location") + out.fields() + bench.logged();
    String verifier = StrictProvider.parameters(bench.provider.calls("/token").getFirst().body()).get("code_verifier");
    for (String secret : List.of("access-", "refresh-", "eyJ", verifier, StrictProvider.SECRET, LoginBench.KEY)) {
      assertFalse(shown.contains(secret), secret);
    }
    assertFalse(bench.logged().contains("code-"));
    assertFalse(String.join(" ", browser.cookies.values()).contains("refresh-"));
  }

  @Test
  void codeReplay() throws Exception {
    String callback = CALLBACK + bench.provider.authorize(browser.start(login, "/"));
    LoginBench.Browser copy = bench.new Browser();
    copy.cookies.putAll(browser.cookies);
    assertEquals(303, browser.get(login, callback).status());
    assertEquals(400, copy.get(login, callback).status());
    assertEquals(1, bench.provider.calls("/token").size());
  }

  @Test
  void aCodeOfAnotherLoginIsNotAccepted() throws Exception {
    LoginBench.Browser victim = bench.new Browser();
    String stolen = bench.provider.authorize(victim.start(login, "/")).replaceAll("&.*", "");
    String own = bench.provider.authorize(browser.start(login, "/")).replaceFirst("[^&]*", "");
    assertEquals(403, browser.get(login, CALLBACK + stolen + own).status());
    assertEquals("invalid_grant ", bench.provider.wrongCalls);
  }

  @Test
  void downgradeOfPkce() {
    bench.provider.metadata.put("code_challenge_methods_supported", Value.of(Value.of("plain")));
    Failure failure = assertThrows(Failure.class, () -> browser.start(login, "/"));
    assertTrue(failure.report().contains("does not support S256"), failure.report());
    assertTrue(bench.problems(bench.yaml("", "").replace(" } ], session",
        ", parameters: { code_challenge_method: plain } } ], session")).contains("is set by the login itself"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"none", "NONE", "HS256", "HS256 of PEM", "ES384", "RS256"})
  void algConfusionInIdTokens(String how) throws Exception {
    assertEquals(303, browser.signIn(login, "/").status());
    bench.provider.idTokenHeader = "{\"alg\":\"" + how.replaceAll(" .*", "") + "\",\"kid\":\"k1\"}";
    byte[] publicKey = bench.provider.key.publicKey().getEncoded();
    if (how.startsWith("HS256")) { // the public key, which everybody knows, as a secret
      byte[] secret = how.equals("HS256") ? publicKey
          : ("-----BEGIN PUBLIC KEY-----\n"
              + Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(publicKey) + "\n-----END PUBLIC KEY-----\n")
              .getBytes(StandardCharsets.US_ASCII);
      bench.provider.idTokenSignature = text -> mac(secret, text);
    } else if (how.equalsIgnoreCase("none")) {
      bench.provider.idTokenSignature = _ -> "";
    }
    LoginBench.Browser victim = bench.new Browser();
    assertEquals(403, victim.signIn(login, "/").status());
    assertEquals("authentication error: no session", victim.visit(login));
  }

  @Test
  void idTokensOfAnotherKeyAreRefused() throws Exception {
    assertEquals(303, browser.signIn(login, "/").status());
    sign(StrictProvider.key("k1"), Algorithm.ES256);
    assertEquals(403, browser.signIn(login, "/").status());
  }

  /** What is published for RS256 does not verify PS256, though it is the same key. */
  @ParameterizedTest
  @CsvSource({"RS256, 303", "PS256, 403"})
  void theKeyDecidesTheAlgorithmOfIdTokens(Algorithm algorithm, int status) throws Exception {
    KeyPair pair = TestKeys.rsa(2048);
    bench.provider.key = new KeyEntry("k1", pair.getPrivate(), pair.getPublic(), List.of(), Algorithm.RS256);
    bench.provider.idTokenHeader = "{\"alg\":\"" + algorithm.text() + "\",\"kid\":\"k1\"}";
    sign(bench.provider.key, algorithm);
    assertEquals(status, browser.signIn(login, "/").status());
  }

  private void sign(KeyEntry key, Algorithm algorithm) {
    bench.provider.idTokenSignature = text -> Base64Url
        .text(algorithm.sign(key.privateKey(), text.getBytes(StandardCharsets.US_ASCII)));
  }

  private static String mac(byte[] secret, String text) {
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(secret, "HmacSHA256"));
      return Base64Url.text(mac.doFinal(text.getBytes(StandardCharsets.US_ASCII)));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  @ParameterizedTest
  @CsvSource({"iss, https://evil.example", "aud, other", "nonce, other", "azp, other", "sub, ''", "exp, 1",
    "iat, 99999999999"})
  void idTokensThatAreNotForThisLogin(String claim, String value) throws Exception {
    bench.provider.claims.put(claim, value.matches("[0-9]+") ? Value.of(Long.parseLong(value)) : Value.of(value));
    assertEquals(403, browser.signIn(login, "/").status());
    bench.provider.claims.put(claim, Value.NULL);
    assertEquals(claim.equals("azp") || claim.equals("iat") ? 303 : 403, browser.signIn(login, "/").status());
  }

  @Test
  void furtherAudiencesNeedAnAuthorizedParty() throws Exception {
    bench.provider.claims.put("aud", Value.of(Value.of("gate"), Value.of("other")));
    assertEquals(403, browser.signIn(login, "/").status());
    bench.provider.claims.put("azp", Value.of("gate"));
    assertEquals(303, browser.signIn(login, "/").status());
  }

  @Test
  void aRefreshedTokenOfAnotherUserEndsInAnError() throws Exception {
    browser.signIn(login, "/");
    bench.provider.claims.put("sub", Value.of("eve"));
    bench.passes(60);
    assertTrue(browser.visit(login).contains("another user"), browser.visit(login));
  }

  @Test
  void errorsOfTheProviderAreNotRepeated() throws Exception {
    String state = bench.provider.authorize(browser.start(login, "/")).replaceAll(".*&state=", "state=");
    Response page = browser.get(login, CALLBACK + "error=%3Cscript%3E&error_description=%3Cscript%3E&" + state);
    assertEquals(403, page.status());
    assertFalse(new String(page.body(), StandardCharsets.UTF_8).contains("script"));
    assertTrue(page.fields().first("Content-Security-Policy").orElse("").startsWith("default-src 'none'"));
    assertEquals("no-store", page.fields().first("Cache-Control").orElse(""));
  }

  @Test
  void aLoginWithoutTlsIsForTheLocalHostOnly() {
    browser.host = "app.example";
    var plain = new Request("GET", "http",
        Authority.parse("app.example").orElseThrow(),
        browser.request("GET", "/.portcullis/login", "").path(), "", Fields.NONE, List.of(),
        Body.none());
    Failure failure = assertThrows(Failure.Precondition.class, () -> browser.answered(login, plain));
    assertTrue(failure.report().contains("a login needs https"));
    assertEquals(Optional.empty(), login.endpoints().orElseThrow().failed(plain, failure));
  }

  @Test
  void aHundredStartsKeepNothing() throws Exception {
    browser.start(login, "/");
    long before = bench.cache.load().orElseThrow().entries();
    for (int i = 0; i < 100; i++) {
      bench.new Browser().start(login, "/");
    }
    assertEquals(before, bench.cache.load().orElseThrow().entries());
    assertEquals(0, bench.context.logins().used().size());
    assertEquals(1, bench.provider.calls("/.well-known/openid-configuration").size());
  }

  @Test
  void wrongSettingsNameWhatWouldBeRight() {
    for (Map.Entry<String, String> wrong : Map.of("", "`keys` is missing",
        "keys: /nowhere/at/all, cookie: 'a b'", "letters, digits, hyphens and underscores",
        "keys: k, absolute_timeout: 31d", "absolute_timeout", "keys: k, store: redis", "cookie").entrySet()) {
      String said = bench.problems("{ providers: [ " + bench.providerYaml("") + " ], session: { " + wrong.getKey()
          + " } }");
      assertTrue(said.contains(wrong.getValue()), said);
    }
    assertTrue(
        bench.problems(bench.yaml("", "").replaceAll("client_secret: '[^']*'", "method: private_key_jwt"))
            .contains("`key_store` is missing"));
    assertTrue(
        bench.problems(bench.yaml("", "").replaceAll("client_secret: '[^']*'", "method: tls_client_auth"))
            .contains("`tls.key_store` is missing"));
  }
}
