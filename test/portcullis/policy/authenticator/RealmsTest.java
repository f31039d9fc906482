package portcullis.policy.authenticator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import portcullis.config.Enforcement;

/** Realms of one identity provider, by a metadata address that is filled in and issuers given as patterns. */
class RealmsTest {
  private static final String OPENID = "/.well-known/openid-configuration";

  private final Bench bench = new Bench();
  private final StubIssuer stub = new StubIssuer();
  private final Issuer red = Issuer.of("k");
  private final Issuer blue = Issuer.of("k");

  @AfterEach
  void close() {
    bench.close();
    stub.close();
  }

  private String issuer(String realm) {
    return stub.url("/realms/" + realm);
  }

  private void describe(String realm, String issuer, Issuer keys) {
    stub.answer("/keys/" + realm, Issuer.jwks(keys));
    stub.answer("/realms/" + realm + OPENID,
        "{\"issuer\":\"" + issuer + "\",\"jwks_uri\":\"" + stub.url("/keys/" + realm) + "\"}");
  }

  private Bench.Made<?> realms(String more) {
    return bench.make(JwtAuthenticator.TYPE,
        "{metadata_endpoint: {url: '" + stub.url("/realms/") + "{{ base .TokenIssuer }}" + OPENID + "'"
            + more + "}, assertions: {issuers: ['" + stub.url("/realms/*") + "']}}");
  }

  private static String token(Issuer keys, String issuer) {
    return keys.token("{\"iss\":\"" + issuer + "\",\"sub\":\"alice\"}");
  }

  @Test
  void eachRealmIsVerifiedWithItsOwnKeys() {
    describe("red", issuer("red"), red);
    describe("blue", issuer("blue"), blue);
    Bench.Made<?> made = realms("");
    assertEquals("alice", made.outcome(Bench.bearer(token(red, issuer("red")))));
    assertEquals("GET /realms/red" + OPENID + "; GET /keys/red", stub.receivedCalls());
    assertEquals("alice", made.outcome(Bench.bearer(token(blue, issuer("blue")))));
    String crossed = made.outcome(Bench.bearer(token(red, issuer("blue"))));
    assertTrue(crossed.startsWith("authentication error"), crossed);
  }

  @Test
  void issuersOutsideThePatternAreNotCalled() {
    describe("red", issuer("red"), red);
    Bench.Made<?> made = realms("");
    for (String iss : new String[] {"https://evil.test/realms/red", issuer("red") + "/x", issuer(".."), issuer("a%2Fb"),
      issuer("*"), ""}) {
      assertEquals("authentication error: issuer " + iss + " is not trusted",
          made.outcome(Bench.bearer(token(red, iss))));
    }
    assertEquals("", stub.receivedCalls());
    assertEquals("alice", made.outcome(Bench.bearer(token(red, issuer("red")))));
  }

  @Test
  void theDocumentHasToBeThatOfTheRealm() {
    describe("red", issuer("red"), red);
    Bench.Made<?> two = bench.make(JwtAuthenticator.TYPE,
        "{metadata_endpoint: {url: '" + stub.url("/realms/") + "{{ base .TokenIssuer }}"
            + OPENID + "'}, assertions: {issuers: ['" + stub.url("/realms/*") + "', 'https://other.test/realms/*']}}");
    assertEquals("authentication error: issuer https://other.test/realms/red is not the one of its metadata",
        two.outcome(Bench.bearer(token(red, "https://other.test/realms/red"))));
    assertEquals("alice", two.outcome(Bench.bearer(token(red, issuer("red")))));
  }

  /** Where the operator gives up the comparison, the address alone says whose keys there are. */
  @Test
  void theComparisonCanBeSwitchedOff() {
    describe("red", "https://public.test/red", red);
    assertTrue(realms("").outcome(Bench.bearer(token(red, issuer("red")))).startsWith("internal error: failed "
        + "retrieving"));
    assertEquals("alice",
        realms(", disable_issuer_identifier_verification: true").outcome(Bench.bearer(token(red, issuer("red")))));
  }

  @Test
  void madeUpRealmsEvictNoOthers() throws Exception {
    describe("red", issuer("red"), red);
    Bench.Made<JwtAuthenticator.Config> made = bench.make(JwtAuthenticator.TYPE,
        "{metadata_endpoint: {url: '" + stub.url("/realms/")
            + "{{ base .TokenIssuer }}" + OPENID + "'}, assertions: {issuers: ['" + stub.url("/realms/*") + "']}}");
    assertEquals("alice", made.outcome(Bench.bearer(token(red, issuer("red")))));
    for (int i = 0; i < 30; i++) {
      assertTrue(made.outcome(Bench.bearer(token(red, issuer("made-up-" + i)))).startsWith("internal error: failed "
          + "retrieving"));
    }
    assertEquals(1, ((IssuerEndpoint.Discovered) made.config().place()).documents().size());
  }

  @Test
  void patternsAreCheckedWhenTheyAreLoaded() {
    assertEquals("f:1:58: assertions.issuers[0]: invalid issuer `https://*.idp.test`: `*` stands for one whole "
        + "segment of the path, "
        + "as in `https://idp.example/realms/*`",
        bench.problems(JwtAuthenticator.TYPE,
            "{jwks_endpoint: 'http://i.test', assertions: {issuers: ['https://*.idp.test']}}", Enforcement.NONE));
  }
}
