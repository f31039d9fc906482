package portcullis.policy.authenticator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import portcullis.config.Enforcement;
import portcullis.crypto.keys.Algorithm;
import portcullis.crypto.keys.Base64Url;
import portcullis.fixture.CertificateDraft;
import portcullis.fixture.TestCertificate;
import portcullis.fixture.TestKeys;
import portcullis.http.message.PeerCertificates;
import portcullis.http.message.Request;
import portcullis.lang.value.JsonText;
import portcullis.lang.value.Value;
import portcullis.policy.cache.UsedOnce;
import portcullis.policy.mechanism.Failure;

class ProofOfPossessionTest {
  private static final String REPLAY = "authentication error: the proof was used before";

  private final Bench bench = new Bench();
  private final StubIssuer stub = new StubIssuer();
  private final Issuer issuer = Issuer.of("k1");
  private final Issuer client = Issuer.of("c1");
  private final Bench.Made<JwtAuthenticator.Config> open = jwt("");
  private int proofs;

  @TempDir
  private Path folder;

  @BeforeEach
  void publish() {
    stub.answer("/jwks", Issuer.jwks(issuer));
  }

  @AfterEach
  void close() {
    bench.close();
    stub.close();
  }

  private Bench.Made<JwtAuthenticator.Config> jwt(String assertions) {
    return bench.make(JwtAuthenticator.TYPE,
        "{jwks_endpoint: {url: '" + stub.url("/jwks") + "'}, assertions: {issuers: [a]" + assertions + "}}");
  }

  private Bench.Made<JwtAuthenticator.Config> dpop(String config) {
    return jwt(", proof_of_possession: {type: dpop, config: {" + config + "}}");
  }

  private static String sha256(String text) {
    try {
      return Base64Url.text(MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  private static Value.Dict key(Issuer client) {
    Map<String, Value> members = new LinkedHashMap<>(client.jwk().members());
    members.keySet().retainAll(List.of("crv", "kty", "x", "y", "e", "n"));
    return new Value.Dict(members);
  }

  private static String thumbprint(Issuer client) {
    StringBuilder json = new StringBuilder();
    key(client).members().entrySet().stream().sorted(Map.Entry.comparingByKey()).forEach(
        member -> json.append(json.isEmpty() ? "{" : ",").append('"').append(member.getKey()).append("\":")
            .append(JsonText.plain(member.getValue())));
    return sha256(json + "}");
  }

  private String bound(Issuer to) {
    return issuer.token("{\"iss\":\"a\",\"sub\":\"ann\",\"cnf\":{\"jkt\":\"" + thumbprint(to) + "\"}}");
  }

  private Map<String, Value> header() {
    return new LinkedHashMap<>(Map.of("typ", Value.of("dpop+jwt"), "alg", Value.of(client.algorithm()), "jwk",
        key(client)));
  }

  private Map<String, Value> claims(String token) {
    return new LinkedHashMap<>(Map.of("jti", Value.of("id" + proofs++), "htm", Value.of("POST"), "htu",
        Value.of("http://gate.test/a"), "iat", Value.of(bench.clock.instant().getEpochSecond()), "ath",
        Value.of(sha256(token))));
  }

  private String signed(Map<String, Value> header, Map<String, Value> claims) {
    return client.token(JsonText.plain(new Value.Dict(header)), JsonText.plain(new Value.Dict(claims)));
  }

  private String proof(String token) {
    return signed(header(), claims(token));
  }

  private static Request request(String scheme, String token, String... proofs) {
    String[] fields = new String[2 + 2 * proofs.length];
    fields[0] = "Authorization";
    fields[1] = scheme + " " + token;
    for (int i = 0; i < proofs.length; i++) {
      fields[2 + 2 * i] = "DPoP";
      fields[3 + 2 * i] = proofs[i];
    }
    return Bench.request("/a?x=1", "", fields);
  }

  private static String challenge(Bench.Made<?> made, Request request) {
    Failure.Authentication failure = assertInstanceOf(Failure.Authentication.class, made.refuses(request));
    return failure.headers().first("WWW-Authenticate").orElse("");
  }

  @Test
  void boundTokenIsAcceptedWithItsProof() {
    String token = bound(client);
    assertEquals("ann", open.outcome(request("DPoP", token, proof(token))));
    assertEquals("ann", dpop("").outcome(request("DPoP", token, proof(token))));
  }

  @Test
  void thumbprintIsThatOfTheStandard() throws Exception {
    String claims = "{}";
    String header = """
        {"typ":"dpop+jwt","alg":"ES256","jwk":{"kty":"EC","crv":"P-256",\
        "x":"l8tFrhx-34tV3hRICRDY9zCkDlpBhF42UQUfWVAWBFs",\
        "y":"9VE4jf_Ok_o64zbTTlcuNJajHmt6v9TDVrU0CdvGRDA"}}""";
    assertTrue(open.outcome(request("DPoP", issuer.token("{\"iss\":\"a\",\"sub\":\"ann\",\"cnf\":{\"jkt\":"
        + "\"0ZcOCORZNYy-DWpqq30jZyJGHTN0d2HglBV3uiguA4I\"}}"), client.token(header, claims))).contains("signature"),
        "the key of RFC 9449, 4.1");
  }

  @Test
  void stolenTokenWithoutItsKeyIsRefused() {
    String token = bound(client);
    String algorithms = "algs=\"ES256 ES384 ES512 EdDSA PS256 PS384 PS512\"";
    assertEquals("DPoP error=\"invalid_dpop_proof\", error_description=\"the proof is missing\", " + algorithms,
        challenge(open, request("DPoP", token)));
    Issuer thief = Issuer.of("t");
    String stolen = thief.token(JsonText.plain(new Value.Dict(Map.of("typ", Value.of("dpop+jwt"), "alg",
        Value.of("ES256"), "jwk", key(thief)))), JsonText.plain(new Value.Dict(claims(token))));
    assertEquals("DPoP error=\"invalid_dpop_proof\", error_description=\"the access token is bound to another key\", "
        + algorithms, challenge(open, request("DPoP", token, stolen)));
    assertEquals("DPoP " + algorithms, challenge(dpop(""), Bench.with()));
    assertEquals("", challenge(open, Bench.with()));
  }

  @Test
  void boundTokenIsNeverABearerToken() {
    String token = bound(client);
    for (Request request : List.of(request("Bearer", token), request("Bearer", token, proof(token)),
        Bench.request("/a?access_token=" + token, "", "DPoP", proof(token)))) {
      assertTrue(challenge(open, request).startsWith("DPoP error=\"invalid_token\", error_description=\"the access "
          + "token is bound to a key and needs the DPoP scheme\""));
    }
  }

  @Test
  void unboundTokenHasNoProof() {
    String token = issuer.token("{\"iss\":\"a\",\"sub\":\"ann\"}");
    assertEquals("ann", open.outcome(request("Bearer", token)));
    assertTrue(challenge(open, request("DPoP", token, proof(token))).contains("not bound to a key"));
    assertTrue(challenge(open, request("DPoP", token)).contains("not bound to a key"));
    assertTrue(challenge(dpop(""), request("Bearer", token)).contains("not bound to a key"));
    for (String cnf : List.of("1", "{\"jkt\":1}", "{\"x5t#S256\":null}", "{\"kid\":\"x\"}",
        "{\"jwk\":{}}", "{\"jku\":\"https://x.example\"}", "{\"x5t\":\"a\"}", "{\"jkt#S256\":\"a\"}")) {
      assertTrue(open.outcome(request("Bearer", issuer.token("{\"iss\":\"a\",\"sub\":\"ann\",\"cnf\":" + cnf + "}")))
          .startsWith("authentication error"), cnf);
    }
  }

  @Test
  void replayedProofIsRefused() {
    String token = bound(client);
    Request request = request("DPoP", token, proof(token));
    assertEquals("ann", open.outcome(request));
    assertEquals(REPLAY, open.outcome(request));
    bench.clock.pass(Duration.ofSeconds(65));
    assertEquals(REPLAY, open.outcome(request));
    bench.clock.pass(Duration.ofSeconds(6));
    assertEquals("authentication error: the proof is too old or not yet valid", open.outcome(request));
    Bench.Made<?> lenient = dpop("replay_allowed: true");
    Request again = request("DPoP", token, proof(token));
    assertEquals("ann", lenient.outcome(again));
    assertEquals("ann", lenient.outcome(again));
  }

  @ParameterizedTest
  @CsvSource({"htm,GET,another method", "htm,post,another method", "htu,http://gate.test/b,another URL",
    "htu,http://gate.test/a?x=1,another URL", "htu,http://gate.test/a#f,another URL",
    "htu,https://gate.test/a,another URL", "htu,http://other.test/a,another URL",
    "htu,http://gate.test:8080/a,another URL", "htu,http://gate.test@other.test/a,another URL", "htu,/a,another URL",
    "htu,http://gate.test/A,another URL", "ath,x,another access token", "jti,,no usable jti",
    "iat,soon,no usable iat"})
  void proofForSomethingElseIsRefused(String claim, String value, String why) {
    String token = bound(client);
    Map<String, Value> claims = claims(token);
    claims.put(claim, Value.of(value == null ? "" : value));
    assertTrue(open.outcome(request("DPoP", token, signed(header(), claims))).contains(why));
    claims.remove(claim);
    assertTrue(open.outcome(request("DPoP", token, signed(header(), claims))).contains(why));
  }

  @Test
  void idsOfProofsHave512CharactersAtMost() {
    String token = bound(client);
    Map<String, Value> claims = claims(token);
    claims.put("jti", Value.of("i".repeat(513)));
    assertEquals("authentication error: the proof has no usable jti",
        open.outcome(request("DPoP", token, signed(header(), claims))));
    claims.put("jti", Value.of("i".repeat(512)));
    assertEquals("ann", open.outcome(request("DPoP", token, signed(header(), claims))));
  }

  @ParameterizedTest
  @CsvSource({"HTTP://GATE.test:80/a", "http://gate.test/%61"})
  void equivalentUrlsAreTheSame(String url) {
    String token = bound(client);
    Map<String, Value> claims = claims(token);
    claims.put("htu", Value.of(url));
    assertEquals("ann", open.outcome(request("DPoP", token, signed(header(), claims))));
  }

  @ParameterizedTest
  @CsvSource({"true,resources exhausted: why", "false,communication error: it is not known whether the proof was used "
      + "before: why"})
  void aProofThatMayHaveBeenUsedIsRefused(boolean full, String why) {
    bench.used = Optional.of((_, _, _) -> {
      throw new UsedOnce.UnknownException("why", full);
    });
    String token = bound(client);
    assertEquals(why, jwt("").outcome(request("DPoP", token, proof(token))));
  }

  @ParameterizedTest
  @CsvSource({"-69,true", "-71,false", "10,true", "11,false"})
  void proofCountsForItsTimeOnly(int seconds, boolean accepted) {
    String token = bound(client);
    Map<String, Value> claims = claims(token);
    claims.put("iat", Value.of(bench.clock.instant().getEpochSecond() + seconds));
    assertEquals(accepted ? "ann" : "authentication error: the proof is too old or not yet valid",
        open.outcome(request("DPoP", token, signed(header(), claims))));
  }

  @Test
  void algorithmConfusionInProofsIsRefused() throws Exception {
    String token = bound(client);
    for (String alg : List.of("none", "HS256", "ES384", "RS256", "ES256K")) {
      Map<String, Value> header = header();
      header.put("alg", Value.of(alg));
      assertTrue(open.outcome(request("DPoP", token, signed(header, claims(token)))).contains("the proof is not valid"),
          alg);
    }
    Map<String, Value> secret = header();
    secret.put("alg", Value.of("HS256"));
    secret.put("jwk", new Value.Dict(Map.of("kty", Value.of("oct"), "k", Value.of(sha256("k")))));
    assertTrue(open.outcome(request("DPoP", token, signed(secret, claims(token)))).contains("the proof is not valid"));
    Map<String, Value> leaked = header();
    leaked.put("jwk", Issuer.with(key(client), "d", Optional.of(Value.of("AQ"))));
    assertTrue(open.outcome(request("DPoP", token, signed(leaked, claims(token)))).contains("not a public one"));
    Map<String, Value> other = header();
    other.put("jwk", Issuer.with(key(client), "alg", Optional.of(Value.of("ES384"))));
    assertTrue(open.outcome(request("DPoP", token, signed(other, claims(token)))).contains("the proof is not valid"));
    for (String member : List.of("typ", "jwk")) {
      Map<String, Value> header = header();
      header.remove(member);
      assertTrue(open.outcome(request("DPoP", token, signed(header, claims(token)))).contains("not valid"), member);
    }
    assertTrue(open.outcome(request("DPoP", token, token)).contains("the type of the proof"));
    assertTrue(open.outcome(request("DPoP", token, proof(token), proof(token))).contains("more than one proof"));
    assertTrue(open.outcome(request("DPoP", token, proof(token) + "A")).contains("the proof is not valid"));
    assertTrue(dpop("allowed_algorithms: [ EdDSA ]").outcome(request("DPoP", token, proof(token)))
        .contains("not allowed"));
  }

  @Test
  void keysOfAllTypesCanBeBoundAndHaveProofsOfOneId() {
    for (Issuer one : List.of(Issuer.of("r", TestKeys.rsa(2048), Algorithm.PS256),
        Issuer.of("e", TestKeys.ec(521), Algorithm.ES512), Issuer.of("d", TestKeys.ed25519(), Algorithm.EDDSA))) {
      String token = bound(one);
      Map<String, Value> claims = claims(token);
      claims.put("jti", Value.of("id"));
      String proof = one.token(JsonText.plain(new Value.Dict(Map.of("typ", Value.of("dpop+jwt"), "alg",
          Value.of(one.algorithm()), "jwk", key(one)))), JsonText.plain(new Value.Dict(claims)));
      assertEquals("ann", open.outcome(request("DPoP", token, proof)), one.algorithm());
    }
  }

  @Test
  void nonceIsRequiredOnRequest() throws IOException {
    Path shared = Files.writeString(folder.resolve("nonce.key"), "0123456789abcdef0123456789abcdef");
    Bench.Made<?> one = dpop("nonce_required: true, nonce_key: " + shared);
    Bench.Made<?> two = dpop("nonce_required: true, nonce_key: " + shared);
    String token = bound(client);
    Failure.Authentication failure = (Failure.Authentication) one.refuses(request("DPoP", token, proof(token)));
    String nonce = failure.headers().first("DPoP-Nonce").orElseThrow();
    assertEquals(8 + 16, Base64.getUrlDecoder().decode(nonce).length, "a time and a MAC of 128 bits");
    assertTrue(failure.headers().first("WWW-Authenticate").orElseThrow().contains("error=\"use_dpop_nonce\""));
    Map<String, Value> claims = claims(token);
    claims.put("nonce", Value.of(nonce));
    assertEquals("ann", one.outcome(request("DPoP", token, signed(header(), claims))));
    assertEquals("ann", two.outcome(request("DPoP", token, signed(header(), claims))), "another instance");
    String other = issuer.token("{\"iss\":\"a\",\"sub\":\"bob\",\"cnf\":{\"jkt\":\"" + thumbprint(client) + "\"}}");
    Map<String, Value> foreign = claims(other);
    foreign.put("nonce", Value.of(nonce));
    assertTrue(one.outcome(request("DPoP", other, signed(header(), foreign))).contains("needs the nonce"));
    bench.clock.pass(Duration.ofSeconds(61));
    claims.put("iat", Value.of(bench.clock.instant().getEpochSecond()));
    assertTrue(one.outcome(request("DPoP", token, signed(header(), claims))).contains("needs the nonce"));
    claims.put("nonce", Value.of("AAAA"));
    assertTrue(one.outcome(request("DPoP", token, signed(header(), claims))).contains("needs the nonce"));
  }

  @Test
  void certificateBoundTokenNeedsItsCertificate() {
    TestCertificate own = CertificateDraft.of("own").make();
    TestCertificate other = CertificateDraft.of("other").make();
    String token = issuer.token("{\"iss\":\"a\",\"sub\":\"ann\",\"cnf\":{\"x5t#S256\":\""
        + Base64Url.text(sha(own.der())) + "\"}}");
    String unbound = issuer.token("{\"iss\":\"a\",\"sub\":\"ann\"}");
    Bench.Made<?> required = jwt(", proof_of_possession: {type: mtls}");
    for (Bench.Made<?> made : List.of(open, required)) {
      assertEquals("ann", made.outcome(with(own, request("Bearer", token))));
      assertEquals("Bearer error=\"invalid_token\", error_description=\"the access token is bound to another "
          + "certificate\"", challenge(made, with(other, request("Bearer", token))));
      assertEquals("Bearer error=\"invalid_token\", error_description=\"the access token is bound to a certificate: no "
          + "client certificate\"", challenge(made, request("Bearer", token)));
    }
    assertEquals("ann", open.outcome(request("Bearer", unbound)));
    assertTrue(challenge(required, with(own, request("Bearer", unbound))).contains("not bound to a certificate"));
  }

  private static byte[] sha(byte[] bytes) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(bytes);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  private static Request with(TestCertificate certificate, Request request) {
    return request.with(new PeerCertificates(() -> List.of(certificate.certificate()), Optional.empty(), false));
  }

  @Test
  void introspectedTokensAreBoundToo() {
    Bench.Made<?> made = bench.make(Introspection.TYPE, "{introspection_endpoint: {url: '" + stub.url("/i")
        + "'}, assertions: {issuers: [a]}}");
    stub.answer("/i", "{\"active\":true,\"iss\":\"a\",\"sub\":\"ann\",\"exp\":"
        + (bench.clock.instant().getEpochSecond() + 600) + ",\"cnf\":{\"jkt\":\"" + thumbprint(client) + "\"}}");
    Request request = request("DPoP", "opaque", proof("opaque"));
    assertEquals("ann", made.outcome(request));
    assertEquals(REPLAY, made.outcome(request));
    assertEquals("ann", made.outcome(request("DPoP", "opaque", proof("opaque"))));
    assertEquals("POST /i", stub.receivedCalls(), "the response is cached");
    assertTrue(made.outcome(request("Bearer", "opaque")).contains("needs the DPoP scheme"));
  }

  @Test
  void rulesMayRequireProof() {
    String token = issuer.token("{\"iss\":\"a\",\"sub\":\"ann\"}");
    assertEquals("ann", open.outcome(request("Bearer", token)));
    assertTrue(open.refined("{assertions: {proof_of_possession: {type: dpop}}}").outcome(request("Bearer", token))
        .contains("not bound to a key"));
    assertTrue(dpop("").refined("{assertions: {audience: []}}").outcome(request("Bearer", token))
        .contains("not bound to a key"));
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', value = {"{}|type", "{type: tls}|did you mean `mtls`",
    "{type: dpop, config: {max_age: 2h}}|an hour", "{type: dpop, config: {max_age: 1h}}|''",
    "{type: dpop, config: {allowed_algorithms: [ES256, HS256]}}|never with a shared secret",
    "{type: dpop, config: {nonce_key: /none/at/all}}|no such file",
    "{type: dpop, config: {certificate_source: client-cert}}|belongs to type `mtls`",
    "{type: mtls, config: {nonce_required: true}}|belongs to type `dpop`",
    "{type: dpop, config: {max_ages: 1m}}|did you mean"})
  void wrongSettingsAreRefused(String settings, String why) {
    String problems = bench.problems(JwtAuthenticator.TYPE, "{jwks_endpoint: {url: '" + stub.url("/jwks")
        + "'}, assertions: {issuers: [a], proof_of_possession: " + settings + "}}", Enforcement.NONE);
    assertTrue(why.isEmpty() ? problems.isEmpty() : problems.contains(why), problems);
  }
}
