package portcullis.policy.login;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import portcullis.fixture.StubService;
import portcullis.http.message.Request;
import portcullis.lang.value.Value;
import portcullis.policy.mechanism.Failure;
import portcullis.policy.mechanism.Mechanism;
import portcullis.policy.mechanism.OwnEndpoints;

/** Why a login or a logout token was refused, for the log. */
class LoginReasonsTest {
  private static final String CALLBACK = "/.portcullis/callback";
  private static final String FAILED = "authentication error: ";

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

  private OwnEndpoints.Answer answer(Request request) throws Failure {
    OwnEndpoints endpoints = login.endpoints().orElseThrow();
    OwnEndpoints.Answer answer = endpoints.answer(request).orElseGet(() -> endpoints.otherwise(request));
    browser.keep(answer.response());
    return answer;
  }

  private OwnEndpoints.Answer get(String target) throws Failure {
    return answer(browser.request("GET", target, ""));
  }

  /** Returns the error of a callback, which the log has too. */
  private String refused(String query) throws Failure {
    OwnEndpoints.Answer answer = get(CALLBACK + query);
    assertEquals(4, answer.response().status() / 100);
    return answer.error().replaceFirst(FAILED, "");
  }

  private String authorized() throws Failure {
    return "?" + bench.provider.authorize(browser.start(login, "/"));
  }

  @Test
  void theReasonOfARefusedCallback() throws Exception {
    String used = authorized();
    assertEquals("", get(CALLBACK + used).error(), "one that is not refused has none");
    assertEquals("", get(CALLBACK + used).error(), "with a session it is the back button");
    browser.cookies.clear();
    assertEquals("`state` is missing, or not of a login here", refused("?code=x"));
    assertEquals("the login was started in another browser, or with another configuration", refused(used));
    assertEquals("the response is not of the provider that was asked: `iss` is another one, or missing",
        refused(authorized().replaceAll("&iss=.*", "")));
    assertEquals("the response of the provider has no code", refused(authorized().replaceAll("code=[^&]*&", "")));
    String late = authorized();
    bench.passes(901);
    assertEquals("the login has expired: the user has taken more than 15 minutes", refused(late));
    assertEquals(5, bench.logged().lines().filter(line -> line.contains("WRN login failed")).count());
  }

  @ParameterizedTest
  @CsvSource({"error=access_denied, access_denied", "error=no+such+code, unknown_error",
    "error=invalid_scope&error_description=What%0Ais+%1b%5B2Jthis%3F, invalid_scope: What?is ?[2Jthis?"})
  void theProviderSaysWhyItRefuses(String said, String reason) throws Exception {
    assertEquals("the provider has refused the sign-in: " + reason,
        refused(authorized().replaceAll("code=[^&]*", said)));
  }

  @Test
  void descriptionsAreBounded() throws Exception {
    String reason = refused(authorized().replaceAll("code=[^&]*", "error=e&error_description=" + "x".repeat(5000)));
    assertTrue(reason.endsWith("x…") && reason.length() < 260, reason);
  }

  @ParameterizedTest
  @CsvSource({"invalid_client, Wrong secret, invalid_client: Wrong secret", "invalid_client, '', invalid_client",
    "invalid_grant, CODE is used, invalid_grant"})
  void theTokenEndpointSaysWhyItRefuses(String error, String description, String reason) throws Exception {
    String query = authorized();
    String code = query.replaceAll(".*code=|&.*", "");
    bench.provider.odd.put("/token", StubService.answer(401, "{\"error\":\"" + error
        + "\",\"error_description\":\"" + description.replace("CODE", code) + "\"}", StrictProvider.JSON));
    assertEquals("the provider refuses the code: " + reason, refused(query));
    assertTrue(bench.logged().contains("refuses the code: " + reason));
    assertFalse(bench.logged().contains(code));
  }

  @ParameterizedTest
  @CsvSource({"aud, other, aud", "iss, https://evil.example, issuer", "nonce, other, nonce"})
  void theReasonOfARefusedIdToken(String claim, String value, String reason) throws Exception {
    bench.provider.claims.put(claim, Value.of(value));
    String error = refused(authorized());
    assertTrue(error.contains(reason), error);
  }

  private String logout(Map<String, Value> changed) throws Exception {
    Map<String, Value> claims = new LinkedHashMap<>(Map.of("aud", Value.of("gate"), "sid", Value.of("sid-1"), "jti",
        Value.of("token-1"), "events",
        Value.dict("http://schemas.openid.net/event/backchannel-logout", Value.Dict.EMPTY)));
    OwnEndpoints.Answer answer = answer(bench.new Browser().request("POST", "/.portcullis/backchannel-logout",
        "logout_token=" + bench.provider.signed(claims, changed), "Content-Type", "application/x-www-form-urlencoded"));
    return answer.response().status() + " " + answer.error().replaceFirst(FAILED, "");
  }

  @Test
  void theReasonOfARefusedLogoutToken() throws Exception {
    browser.signIn(login, "/");
    assertEquals("400 it is not a token of a provider for its client here", logout(Map.of("aud", Value.of("other"))));
    assertEquals("400 it is not a logout token", logout(Map.of("events", Value.NULL)));
    assertEquals("400 the logout token has no `jti`", logout(Map.of("jti", Value.NULL)));
    assertEquals("400 the logout token is too old",
        logout(Map.of("iat", Value.of(bench.now.getEpochSecond() - 601))));
    bench.provider.idTokenHeader = "{\"alg\":\"ES256\",\"kid\":\"k1\",\"typ\":\"at+jwt\"}";
    assertEquals("400 the type of the token is not that of a logout token", logout(Map.of()));
    bench.provider.idTokenHeader = "";
    bench.provider.idTokenSignature = _ -> "AAAA";
    assertTrue(logout(Map.of()).startsWith("400 "));
    assertEquals("ann", browser.visit(login));
    assertEquals(6, bench.logged().lines().filter(line -> line.contains("WRN logout token refused")).count());
  }

  @ParameterizedTest
  @CsvSource({"logout+jwt", "Logout+JWT", "application/logout+jwt", "JWT"})
  void theTypesOfLogoutTokens(String type) throws Exception {
    bench.provider.idTokenHeader = "{\"alg\":\"ES256\",\"kid\":\"k1\",\"typ\":\"" + type + "\"}";
    assertEquals("200 ", logout(Map.of()));
  }

  @Test
  void aRepeatedLogoutTokenLeavesALaterSessionAlone() throws Exception {
    browser.signIn(login, "/");
    long issued = bench.now.getEpochSecond();
    assertEquals("200 ", logout(Map.of()));
    assertEquals(FAILED + "no session", browser.visit(login));
    bench.passes(30);
    browser.signIn(login, "/");
    assertEquals("200 ", logout(Map.of("iat", Value.of(issued))));
    assertEquals("ann", browser.visit(login));
    bench.passes(1);
    assertEquals("200 ", logout(Map.of()));
    assertEquals("200 ", logout(Map.of("iat", Value.of(issued))));
    assertEquals(FAILED + "no session", browser.visit(login), "a later token counts");
  }
}
