package portcullis.policy.authenticator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.security.Provider;
import java.security.Security;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import portcullis.crypto.keys.Algorithm;
import portcullis.crypto.keys.Base64Url;
import portcullis.fixture.TestKeys;
import portcullis.lang.value.JsonText;
import portcullis.lang.value.Value;
import portcullis.policy.mechanism.Failure;

class JwtAuthenticatorTest {
  private static final String CLAIMS = "{\"iss\":\"a\",\"sub\":\"alice\"}";

  private final Bench bench = new Bench();
  private final StubIssuer stub = new StubIssuer();
  private final Issuer key = Issuer.of("k1");
  private final Issuer other = Issuer.of("k2");
  private final Bench.Made<JwtAuthenticator.Config> made = make("");

  @BeforeEach
  void publish() {
    stub.answer("/jwks", Issuer.jwks(key, other));
  }

  @AfterEach
  void close() {
    bench.close();
    stub.close();
  }

  private Bench.Made<JwtAuthenticator.Config> make(String more) {
    return bench.make(JwtAuthenticator.TYPE,
        "{jwks_endpoint: {url: '" + stub.url("/jwks") + "'}, assertions: {issuers: [a, b]}" + more + "}");
  }

  private String outcome(String token) {
    return made.outcome(Bench.bearer(token));
  }

  @Test
  void theClaimsOfAVerifiedTokenAreTheSubject() {
    String token = key.token("{\"iss\":\"a\",\"sub\":\"alice\",\"level\":2,\"groups\":[\"dev\"]}");
    assertEquals("alice", made.accepts(Bench.bearer(token)).id());
    assertEquals(Optional.of(Value.of(2)), made.accepts(Bench.bearer(token)).attributes().get("level"));
    assertEquals("alice", outcome(other.token(CLAIMS)));
    assertEquals("GET /jwks", stub.receivedCalls());
  }

  @Test
  void theQuestionIsPlain() {
    outcome(key.token(CLAIMS));
    assertEquals("application/json", stub.questions().getFirst().header("Accept"));
  }

  @Test
  void readsSubjectByPaths() {
    Bench.Made<?> mapped = make(", subject: {id: user.mail, attributes: user}");
    assertEquals("m@x", mapped.outcome(Bench.bearer(key.token("{\"iss\":\"a\",\"user\":{\"mail\":\"m@x\"}}"))));
    assertEquals("internal error: failed to extract subject information from jwt: could not extract subject "
        + "identifier using 'user.mail' template",
        mapped.outcome(Bench.bearer(key.token(CLAIMS))));
    assertEquals("internal error: failed to extract subject information from jwt: unexpected response from gjson "
        + "template: the attributes are not a JSON object",
        make(", subject: {attributes: sub}").outcome(Bench.bearer(key.token(CLAIMS))));
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', quoteCharacter = '^', textBlock = """
      {"iss":"c","sub":"x"}                     | issuer c is not trusted
      {"iss":"A","sub":"x"}                     | issuer A is not trusted
      {"iss":"a ","sub":"x"}                    | issuer a  is not trusted
      {"sub":"x"}                               | issuer  is not trusted
      {"iss":["a"],"sub":"x"}                   | `iss` is not a string
      {"iss":"a","sub":"x","exp":0}             | expired
      {"iss":"a","sub":"x","exp":-5}            | expired
      {"iss":"a","sub":"x","nbf":4102444800}    | not yet valid
      {"iss":"a","sub":"x","iat":4102444800}    | issued in the future
      {"iss":"a","sub":7}                       | `sub` is not a string
      """)
  void whatIsClaimedHasToBeExpected(String claims, String why) {
    assertEquals("authentication error: access token does not satisfy assertion conditions: " + why,
        outcome(key.token(claims)));
  }

  @Test
  void acceptsAudienceAsStringOrList() {
    Bench.Made<?> strict = made.refined("{assertions: {audience: [shop]}}");
    assertEquals("x", strict.outcome(Bench.bearer(key.token("{\"iss\":\"a\",\"sub\":\"x\",\"aud\":\"shop\"}"))));
    assertEquals("x",
        strict.outcome(Bench.bearer(key.token("{\"iss\":\"a\",\"sub\":\"x\",\"aud\":[\"o\",\"shop\"]}"))));
    for (String aud : new String[] {"\"o\"", "[\"o\"]", "[]", "\"\"", "null", "{\"shop\":1}", "5", "[[\"shop\"]]"}) {
      assertInstanceOf(Failure.Authentication.class,
          strict.refuses(Bench.bearer(key.token("{\"iss\":\"a\",\"sub\":\"x\",\"aud\":" + aud + "}"))));
    }
    strict.refuses(Bench.bearer(key.token(CLAIMS)));
  }

  /**
   * The key decides the algorithm: a public key never verifies an HMAC made of it, and a secret one nothing but HMACs.
   */
  @Test
  void theKeyDecidesTheAlgorithm() {
    Bench.Made<?> careless = made.refined("{assertions: {allowed_algorithms: [HS256, ES256, PS256, RS256]}}");
    String signed = Issuer.encoded("{\"alg\":\"HS256\",\"kid\":\"k1\"}") + "." + Issuer.encoded(CLAIMS);
    for (byte[] secret : new byte[][] {key.key().publicKey().getEncoded(),
      TestKeys.pem("PUBLIC KEY", key.key().publicKey().getEncoded())
          .getBytes(StandardCharsets.US_ASCII)}) {
      byte[] mac = Algorithm.HS256.sign(new SecretKeySpec(secret, "HMAC"), signed.getBytes(StandardCharsets.US_ASCII));
      assertEquals("authentication error: algorithm in the JWT header does not match the algorithm referenced in the "
          + "key",
          careless.outcome(Bench.bearer(signed + "." + Base64Url.text(mac))));
    }
    assertEquals("alice", careless.outcome(Bench.bearer(key.token(CLAIMS))));
    for (String none : new String[] {"none", "None", "NONE", "nOnE", ""}) {
      String token = Issuer.encoded("{\"alg\":\"" + none + "\",\"kid\":\"k1\"}") + "." + Issuer.encoded(CLAIMS) + ".";
      assertTrue(careless.outcome(Bench.bearer(token)).startsWith("authentication error: failed to parse JWT"), none);
    }
  }

  @Test
  void onlyListedAlgorithmsCount() {
    Issuer rs = Issuer.of("rs", TestKeys.rsa(), Algorithm.RS256);
    stub.answer("/jwks", Issuer.jwks(rs, key));
    assertEquals("authentication error: RS256 algorithm is not allowed", outcome(rs.token(CLAIMS)));
    Bench.Made<?> rsOnly = made.refined("{assertions: {allowed_algorithms: [RS256]}}");
    assertEquals("alice", rsOnly.outcome(Bench.bearer(rs.token(CLAIMS))));
    assertEquals("authentication error: ES256 algorithm is not allowed",
        rsOnly.outcome(Bench.bearer(key.token(CLAIMS))));
    String nameless = rs.tokenOfNoKey(CLAIMS);
    assertEquals("authentication error: RS256 algorithm is not allowed", outcome(nameless));
    assertEquals("alice", rsOnly.outcome(Bench.bearer(nameless)), "refused by another rule");
    StringBuilder signed = new StringBuilder(rs.token(CLAIMS));
    int place = signed.lastIndexOf(".") + 5;
    signed.setCharAt(place, signed.charAt(place) == 'A' ? 'B' : 'A');
    String forged = signed.toString();
    assertEquals("authentication error: failed to verify JWT signature", rsOnly.outcome(Bench.bearer(forged)));
    assertEquals("authentication error: RS256 algorithm is not allowed", outcome(forged), "known from another rule");
  }

  /** Nothing that a token brings along leads anywhere. */
  @Test
  void ignoresUrlsAndKeysInTokens() {
    StubIssuer evil = new StubIssuer();
    Issuer mallory = Issuer.of("k1");
    evil.answer("/jwks", Issuer.jwks(mallory));
    String header = "{\"alg\":\"ES256\",\"kid\":\"k1\",\"jku\":\"" + evil.url("/jwks") + "\",\"x5u\":\""
        + evil.url("/x")
        + "\",\"jwk\":" + JsonText.plain(mallory.jwk()) + "}";
    assertEquals("authentication error: failed to verify JWT signature", outcome(mallory.token(header, CLAIMS)));
    assertEquals("alice", outcome(key.token(header, CLAIMS)));
    assertEquals("", evil.receivedCalls());
    evil.close();
  }

  /** A redirect is an answer that is no key set. */
  @Test
  void redirectsAreNotFollowed() {
    stub.answer("/jwks", exchange -> {
      exchange.getResponseHeaders().add("Location", stub.url("/elsewhere"));
      exchange.sendResponseHeaders(302, -1);
    });
    stub.answer("/elsewhere", Issuer.jwks(key));
    assertEquals("communication error: unexpected response. code: 302", outcome(key.token(CLAIMS)));
    assertEquals("GET /jwks", stub.receivedCalls());
  }

  /** Whatever is wrong with a token, it is the client's failure, and nobody is called for what is no token. */
  @Test
  void rejectsMalformedTokensBeforeAnyCall() {
    String good = key.token(CLAIMS);
    for (String token : new String[] {"a", "a.b", "..", ".".repeat(5000), "e30." + "e30.".repeat(3000), good + ".x",
      good + "=", good + ".",
      "x" + good, "e30.e30.e30", good.repeat(200),
      Issuer.encoded("{\"alg\":\"ES256\",\"enc\":\"A256GCM\"}") + ".e30.AA",
      Issuer.encoded("{\"alg\":\"ES256\",\"zip\":\"DEF\"}") + ".e30.AA",
      Issuer.encoded("{\"alg\":\"PBES2-HS256+A128KW\",\"p2c\":2147483647}") + ".e30.AA.AA.AA",
      Issuer.encoded("{\"alg\":\"ES256\",\"crit\":[\"x\"],\"x\":1}") + ".e30.AA",
      Issuer.encoded("{\"alg\":\"ES256\",\"x\":" + "[".repeat(2000)) + ".e30.AA"}) {
      assertTrue(outcome(token).startsWith("authentication error: failed to parse JWT"),
          token.substring(0, Math.min(50, token.length())));
    }
    assertEquals("", stub.receivedCalls());
    assertEquals("alice", outcome(good));
  }

  /** Of two errors the signature's is told. */
  @Test
  void verifiesSignatureBeforeClaims() {
    Issuer mallory = key.rotated();
    for (String claims : new String[] {"{\"iss\":\"a\",\"sub\":\"x\",\"exp\":1}", "{\"iss\":\"evil\"}", "{\"iss\":7}",
      "{}"}) {
      assertEquals("authentication error: failed to verify JWT signature", outcome(mallory.token(claims)));
    }
    assertEquals("authentication error: access token does not satisfy assertion conditions: expired",
        outcome(key.token("{\"iss\":\"a\",\"sub\":\"x\",\"exp\":1}")));
  }

  /** The issuer's name has one spelling. */
  @Test
  void comparesIssuersExactly() {
    for (String iss : new String[] {"A", "a/", " a", "a\\u0000", "\\u0430", "a,b"}) {
      assertTrue(outcome(key.token("{\"iss\":\"" + iss + "\",\"sub\":\"x\"}")).contains("is not trusted"), iss);
    }
    assertEquals("x", outcome(key.token("{\"iss\":\"b\",\"sub\":\"x\"}")));
  }

  @Test
  void aKeyIsFoundByItsIdOrTriedWithoutOne() {
    assertEquals("alice", outcome(key.tokenOfNoKey(CLAIMS)));
    assertEquals("alice", outcome(other.tokenOfNoKey(CLAIMS)));
    assertEquals("alice", outcome(key.tokenOfKey("", CLAIMS)));
    assertEquals("authentication error: failed to verify JWT signature", outcome(key.tokenOfKey("k2", CLAIMS)));
    assertEquals("authentication error: no (unique) key found for the keyID='k3' referenced in the JWT",
        outcome(key.tokenOfKey("k3", CLAIMS)));
    assertEquals("authentication error: None of the keys received from the JWKS endpoint could be used to verify the "
        + "JWT",
        outcome(Issuer.of("x").tokenOfNoKey(CLAIMS)));
  }

  @Test
  void doubledIdsAndOddKeysSpoilNothingElse() {
    Value odd = Value.dict("kty", Value.of("odd"));
    stub.answer("/jwks", Issuer.jwks(key.jwk(), key.rotated().jwk(), other.jwk(), odd, Value.NULL));
    assertEquals("authentication error: no (unique) key found for the keyID='k1' referenced in the JWT",
        outcome(key.token(CLAIMS)));
    assertEquals("alice", outcome(other.token(CLAIMS)));
    assertEquals("alice", outcome(key.tokenOfNoKey(CLAIMS)));
  }

  @Test
  void aKeyThatNamesNoAlgorithmVerifiesNothing() {
    stub.answer("/jwks", Issuer.jwks((Value) Issuer.with(key.jwk(), "alg", Optional.empty())));
    assertEquals("authentication error: algorithm in the JWT header does not match the algorithm referenced in the "
        + "key", outcome(key.token(CLAIMS)));
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', quoteCharacter = '^', textBlock = """
      500 | {"keys":[]}      | communication error: unexpected response. code: 500
      404 | ^^               | communication error: unexpected response. code: 404
      200 | <html>           | internal error: failed to unmarshal received jwks: invalid JSON at line 1, column 1
      200 | ^^               | internal error: failed to unmarshal received jwks: invalid JSON: the input is empty
      200 | []               | internal error: failed to unmarshal received jwks: no JWK set: expected an object with \
      a list `keys`
      200 | {"keys":"none"}  | internal error: failed to unmarshal received jwks: no JWK set: expected an object with \
      a list `keys`
      200 | {}               | authentication error: no (unique) key found for the keyID='k1' referenced in the JWT
      200 | {"keys":null}    | authentication error: no (unique) key found for the keyID='k1' referenced in the JWT
      """)
  void answersThatAreNoKeySets(int status, String body, String outcome) {
    stub.answer("/jwks", StubIssuer.saying(status, body));
    String reported = outcome(key.token(CLAIMS));
    assertTrue(reported.startsWith(outcome.replaceFirst("column 1$", "column")), reported);
    assertEquals("GET /jwks", stub.receivedCalls());
    bench.clock.pass(Duration.ofMillis(1));
    publish();
    assertEquals("alice", outcome(key.token(CLAIMS)), "no trouble outlives its request");
  }

  @Test
  void unreachableOrSlowIssuerIsCommunicationError() {
    stub.close();
    assertTrue(outcome(key.token(CLAIMS)).startsWith("communication error: request to JWKS endpoint failed: "));
  }

  @Test
  void definitionsThatAskTheSameShareTheAnswer() {
    assertEquals("alice", outcome(key.token(CLAIMS)));
    assertEquals("alice", make(", cache_ttl: 20m").outcome(Bench.bearer(key.token(CLAIMS))));
    assertEquals("GET /jwks", stub.receivedCalls());
    bench.clock.pass(Duration.ofMinutes(2));
    assertEquals("alice", make(", cache_ttl: 1m").outcome(Bench.bearer(key.token(CLAIMS))),
        "who wants younger ones asks");
    assertEquals("GET /jwks", stub.receivedCalls());
  }

  /** A rule's new settings count for the very next request, whatever is remembered. */
  @Test
  void newSettingsApplyToTheNextRequest() {
    String token = key.token("{\"iss\":\"a\",\"sub\":\"alice\",\"aud\":\"shop\"}");
    assertEquals("alice", outcome(token));
    assertEquals("alice", outcome(token));
    assertTrue(made.refined("{assertions: {issuers: [c]}}").outcome(Bench.bearer(token)).contains("is not trusted"));
    assertTrue(
        made.refined("{assertions: {audience: [bank]}}").outcome(Bench.bearer(token)).contains("no expected audience"));
    assertTrue(made.refined("{assertions: {scopes: [write]}}").outcome(Bench.bearer(token))
        .contains("required scope write is missing"));
    assertTrue(made.refined("{assertions: {allowed_algorithms: [PS256]}}").outcome(Bench.bearer(token))
        .contains("ES256 algorithm is not allowed"));
    stub.receivedCalls();
    assertEquals("alice", made.refined("{cache_ttl: 0s}").outcome(Bench.bearer(token)));
    assertEquals("GET /jwks", stub.receivedCalls());
    assertEquals("alice", outcome(token));
  }

  @Test
  void aRememberedTokenEndsWithItsTimeAndWithItsKey() {
    Instant end = bench.clock.instant().plusSeconds(100);
    String token = key.token("{\"iss\":\"a\",\"sub\":\"alice\",\"exp\":" + end.getEpochSecond() + "}");
    String endless = key.token(CLAIMS);
    assertEquals("alice", outcome(token));
    assertEquals("alice", outcome(endless));
    bench.clock.pass(Duration.ofSeconds(111));
    assertTrue(outcome(token).endsWith("expired"));
    assertEquals("alice", outcome(endless));
    stub.answer("/jwks", Issuer.jwks(other));
    bench.clock.pass(Duration.ofMinutes(10));
    assertTrue(outcome(endless).contains("no (unique) key found"), "its key is withdrawn");
  }

  @Test
  void cachedTokenIsInvalidUnderNewKeyOfTheSameId() {
    String token = key.token(CLAIMS);
    assertEquals("alice", outcome(token));
    stub.answer("/jwks", Issuer.jwks(key.rotated()));
    bench.clock.pass(Duration.ofMinutes(11));
    assertEquals("authentication error: failed to verify JWT signature", outcome(token));
  }

  /** Counts how often a signature algorithm is looked up, and has none. */
  private static final class CountingProvider extends Provider {
    private static final long serialVersionUID = 1;

    private int lookups;

    CountingProvider() {
      super("counting", "1", "");
    }

    @Override
    public Service getService(String type, String algorithm) {
      lookups += type.equals("Signature") ? 1 : 0;
      return null;
    }
  }

  @Test
  void checksWrongSignatureOnce() {
    String forged = key.rotated().token(CLAIMS);
    String nameless = key.rotated().tokenOfNoKey(CLAIMS);
    CountingProvider counting = new CountingProvider();
    Security.insertProviderAt(counting, 1);
    try {
      for (String token : new String[] {forged, nameless}) {
        String refusal = outcome(token);
        int lookups = counting.lookups;
        assertTrue(lookups > 0, refusal);
        assertEquals(refusal, outcome(token));
        assertEquals(lookups, counting.lookups);
      }
      Bench.Made<?> forgetful = make(", cache_ttl: 0s");
      forgetful.outcome(Bench.bearer(forged));
      int lookups = counting.lookups;
      forgetful.outcome(Bench.bearer(forged));
      assertTrue(counting.lookups > lookups, "nothing is remembered without a cache");
    } finally {
      Security.removeProvider(counting.getName());
    }
  }

  @Test
  void checksWrongSignatureAgainWithOtherKeys() {
    Issuer next = key.rotated();
    String early = next.token(CLAIMS);
    assertEquals("authentication error: failed to verify JWT signature", outcome(early));
    stub.answer("/jwks", Issuer.jwks(next, other));
    bench.clock.pass(Duration.ofHours(1));
    assertEquals("alice", outcome(early));
  }
}
