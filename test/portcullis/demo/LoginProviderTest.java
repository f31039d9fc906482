package portcullis.demo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.URLEncoder;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import portcullis.crypto.jwt.CompactToken;
import portcullis.crypto.jwt.Verification;
import portcullis.crypto.keys.Algorithm;
import portcullis.crypto.keys.Base64Url;
import portcullis.crypto.keys.Jca;
import portcullis.crypto.keys.JwkSet;
import portcullis.lang.value.Json;
import portcullis.lang.value.Value;

final class LoginProviderTest {
  private static final Caller CALLER = new Caller();
  private static final int PORT = CALLER.addresses.identity();
  private static final String ISSUER = "http://127.0.0.1:" + PORT;
  private static final String CALLBACK = CALLER.addresses.proxyUrl() + "/.portcullis/callback";
  private static final String VERIFIER = "a-verifier-of-at-least-43-characters-0123456";
  private static final String ASKED = "client_id=demo&response_type=code&redirect_uri=" + encoded(CALLBACK)
      + "&state=s%22%3E%3Cb%3E&nonce=n1&code_challenge_method=S256&code_challenge="
      + Base64Url.text(Jca.sha256().digest(VERIFIER.getBytes(StandardCharsets.US_ASCII)));
  private static final String[] FORM = {"Content-Type", "application/x-www-form-urlencoded", "Authorization",
    "Basic " + Base64.getEncoder().encodeToString("demo:not-a-secret".getBytes(StandardCharsets.US_ASCII))};

  @AfterAll
  static void end() {
    CALLER.close();
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  private static HttpResponse<String> choose(String form) {
    return CALLER.post(PORT, "/authorize", form);
  }

  private static String code() {
    String back = Caller.header(choose(ASKED + "&user=bob"), "Location").orElseThrow();
    assertTrue(back.startsWith(CALLBACK + "?code=") && back.contains("&state=s%22%3E%3Cb%3E"), back);
    assertTrue(back.endsWith("&iss=" + encoded(ISSUER)), back);
    return back.replaceAll(".*[?]code=|&.*", "");
  }

  private static HttpResponse<String> redeem(String code, String verifier, String... headers) {
    return CALLER.post(PORT, "/oauth/token", "grant_type=authorization_code&code=" + code + "&redirect_uri="
        + encoded(CALLBACK) + "&code_verifier=" + verifier, headers);
  }

  private static String member(HttpResponse<String> answer, String name) throws Exception {
    return ((Value.Str) ((Value.Dict) Json.read(answer.body())).get(name).orElseThrow()).value();
  }

  @Test
  void codeIsRedeemedForAnIdTokenOnce() throws Exception {
    String code = code();
    HttpResponse<String> answer = redeem(code, VERIFIER, FORM);
    assertEquals(200, answer.statusCode(), answer.body());
    JwkSet keys = JwkSet.read(Json.read(CALLER.get(PORT, "/keys").body()));
    CompactToken token = CompactToken.parse(member(answer, "id_token"));
    Value.Dict claims = Verification.verify(token, keys, Set.of(Algorithm.ES256)).claims();
    assertEquals(Optional.of(Value.of("bob")), claims.get("sub"));
    assertEquals(Optional.of(Value.of("n1")), claims.get("nonce"));
    assertEquals(Optional.of(Value.of("demo")), claims.get("aud"));
    assertEquals(400, redeem(code, VERIFIER, FORM).statusCode());
  }

  @Test
  void codeIsForTheClientThatBeganAlone() {
    assertEquals("{\"error\":\"invalid_client\"}", redeem(code(), VERIFIER).body());
    assertEquals("{\"error\":\"invalid_grant\"}", redeem(code(), "x".repeat(43), FORM).body());
    assertEquals(401, redeem(code(), VERIFIER, "Authorization", "Basic ?").statusCode());
    assertEquals(400, CALLER.post(PORT, "/oauth/token", "grant_type=password", FORM).statusCode());
  }

  @Test
  void userInformationIsForBearerTokensAlone() throws Exception {
    HttpResponse<String> answer = redeem(code(), VERIFIER, FORM);
    HttpResponse<String> known = CALLER.get(PORT, "/userinfo", "Authorization", "Bearer "
        + member(answer, "access_token"));
    assertEquals("{\"groups\":[\"staff\"],\"name\":\"Bob Baker\",\"sub\":\"bob\"}", known.body());
    assertEquals(401, CALLER.get(PORT, "/userinfo", "Authorization", "Bearer " + member(answer, "id_token"))
        .statusCode());
    assertEquals(401, CALLER.get(PORT, "/userinfo").statusCode());
  }

  @ParameterizedTest
  @CsvSource({"code_challenge_method=S256, code_challenge_method=plain, invalid_request",
    "response_type=code, response_type=token, invalid_request", "user=bob, user=eve, access_denied"})
  void whatIsWrongIsReportedToTheClient(String right, String wrong, String error) {
    String back = Caller.header(choose((ASKED + "&user=bob").replace(right, wrong)), "Location").orElseThrow();
    assertTrue(back.startsWith(CALLBACK + "?error=" + error + "&state="), back);
  }

  @ParameterizedTest
  @ValueSource(strings = {"http://evil.test/.portcullis/callback", "http://127.0.0.1:1/.portcullis/callback", "/x", ""})
  void browsersAreSentToTheProxyAlone(String redirect) {
    String asked = ASKED.replace(encoded(CALLBACK), encoded(redirect));
    assertEquals(400, CALLER.get(PORT, "/authorize?" + asked).statusCode());
    assertEquals(400, choose(asked + "&user=ann").statusCode());
    assertEquals(400, choose(ASKED.replace("=demo", "=other") + "&user=ann").statusCode());
  }

  @Test
  void thePageOfPeopleIsSafe() {
    HttpResponse<String> page = CALLER.get(PORT, "/authorize?" + ASKED);
    String policy = Caller.header(page, "Content-Security-Policy").orElseThrow();
    assertTrue(policy.endsWith("form-action 'self' " + CALLER.addresses.proxyUrl() + " http://localhost:"
        + CALLER.addresses.proxy()), policy);
    assertTrue(page.body().contains("value=\"s&quot;&gt;&lt;b&gt;\""), page.body());
    assertFalse(page.body().contains("<script") || page.body().contains("{}"), page.body());
  }

  @Test
  void logoutLeadsBackToTheProxyAlone() {
    String ours = CALLER.addresses.proxyUrl() + "/.portcullis/logout";
    assertEquals(Optional.of(ours + "?state=x"),
        Caller.header(CALLER.get(PORT, "/end?state=x&post_logout_redirect_uri=" + encoded(ours)), "Location"));
    assertEquals(400, CALLER.get(PORT, "/end?post_logout_redirect_uri=http://evil.test/.portcullis/logout")
        .statusCode());
  }
}
