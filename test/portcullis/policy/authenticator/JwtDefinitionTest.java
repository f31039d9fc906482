package portcullis.policy.authenticator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import portcullis.config.Enforcement;
import portcullis.fixture.CertificateDraft;
import portcullis.fixture.TestKeys;

class JwtDefinitionTest {
  private static final String SOUND = "{jwks_endpoint: 'https://i.test/k', assertions: {issuers: [a]}}";

  private final Bench bench = new Bench();

  @AfterEach
  void close() {
    bench.close();
  }

  private String reported(String yaml) {
    return bench.problems(JwtAuthenticator.TYPE, yaml, Enforcement.ALL);
  }

  @ParameterizedTest
  @ValueSource(strings = {
    SOUND,
    "{jwks_endpoint: {url: 'https://i.test/k'}, assertions: {issuers: [a]}}",
    "{metadata_endpoint: 'https://i.test/.well-known/openid-configuration'}",
    "{metadata_endpoint: {url: 'https://i.test/x', disable_issuer_identifier_verification: true}}",
    "{metadata_endpoint: {url: 'https://i.test/x', resolved_endpoints: {jwks_uri: {auth: {type: basic_auth, config: "
        + "{user: u, password: p}}, retry: {max_delay: 1s}, http_cache: {enabled: true}}, introspection_endpoint: "
        + "{}}}}",
    "{metadata_endpoint: {url: 'https://i.test/{{ .TokenIssuer }}'}, assertions: {issuers: [a]}}",
    "{jwks_endpoint: 'https://i.test/k', assertions: {issuers: [a]}, jwt_source: [{cookie: c}], subject: {id: "
        + "email}, "
        + "cache_ttl: 5m, stale_if_error: 10m, validate_jwk: false}"})
  void acceptsSoundDefinitions(String yaml) {
    assertEquals("", reported(yaml));
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', quoteCharacter = '^', textBlock = """
      {}                                                  | f:1:1: `jwks_endpoint` and `metadata_endpoint` are \
      missing, one of them is needed
      {jwks_endpoint: 'https://i', metadata_endpoint: 'https://i', assertions: {issuers: [a]}} | f:1:50: \
      `jwks_endpoint` and `metadata_endpoint` exclude each other, one of them is needed
      {jwks_endpoint: 'http://i', assertions: {issuers: [a]}} | f:1:18: jwks_endpoint: scheme must be https, or allow \
      http to remote services by `--insecure-skip-egress-tls-enforcement`
      {metadata_endpoint: {url: HTTP://i}}                | f:1:27: metadata_endpoint.url: scheme must be https, or \
      allow http to remote services by `--insecure-skip-egress-tls-enforcement`
      {jwks_endpoint: 'https://i', assertions: {issuers: a}} | f:1:52: assertions.issuers: `a` is a string, a list is \
      needed
      {jwks_endpoint: 'https://i/{{', assertions: {issuers: [a]}} | ^f:1:28: jwks_endpoint: ^
      """)
  void saysWhatIsWrong(String yaml, String reported) {
    assertTrue(reported(yaml).startsWith(reported), () -> reported(yaml));
  }

  /** Keys alone say nothing of whose tokens they verify. */
  @ParameterizedTest
  @CsvSource(delimiter = '|', quoteCharacter = '^', textBlock = """
      {jwks_endpoint: 'https://i.test'}                              | 1:1
      {jwks_endpoint: 'https://i.test', assertions: {}}              | 1:47
      {jwks_endpoint: 'https://i.test', assertions: {issuers: []}}   | 1:47
      """)
  void jwksEndpointRequiresIssuers(String yaml, String at) {
    assertEquals("f:" + at + ": `assertions.issuers` is missing: 'issuers' is a required field if JWKS endpoint is "
        + "used,"
        + " name who may have issued tokens", reported(yaml));
    assertEquals("", reported(yaml.startsWith("{jwks_endpoint: 'https://i.test'}") ? SOUND
        : yaml.replaceAll("assertions: .*", "assertions: {issuers: [a]}}")));
  }

  /** An address that a token fills in is only ever that of a listed issuer. */
  @ParameterizedTest
  @ValueSource(strings = {"metadata_endpoint: {url: 'https://i.test/{{ .TokenIssuer }}'}", "metadata_endpoint: "
      + "'https://{{ .TokenIssuer }}'",
    "metadata_endpoint: {url: 'https://i.test', headers: {X-Issuer: '{{ .TokenIssuer }}'}}"})
  void templatedEndpointRequiresIssuers(String endpoint) {
    assertTrue(
        reported("{" + endpoint + "}")
            .contains("`assertions.issuers` is missing: it bounds the endpoints of a template,"
                + " name the trusted issuers"),
        () -> reported("{" + endpoint + "}"));
    assertEquals("", reported("{" + endpoint + ", assertions: {issuers: [a]}}"));
  }

  @Test
  void rejectsAlgorithmNone() {
    String only = "{jwks_endpoint: 'https://i.test', assertions: {issuers: [a], allowed_algorithms: [%s]}}";
    for (String none : new String[] {"none", "None", "NONE", "none, nOnE"}) {
      assertTrue(reported(only.formatted(none)).contains("unsigned tokens are never accepted"));
    }
    assertEquals("", reported(only.formatted("RS256")));
  }

  /** S46: a trust store that cannot be read is never no check. */
  @Test
  void unreadableTrustStoreIsAConfigurationError(@TempDir Path folder) throws IOException {
    Path file = folder.resolve("trust.pem");
    String yaml = SOUND.replace("}}", "}, trust_store: '" + file + "'}");
    int column = yaml.indexOf("'" + file) + 2;
    assertTrue(reported(yaml).startsWith("f:1:" + column + ": trust_store: trust store `" + file + "`: "),
        () -> reported(yaml));
    for (String content : new String[] {"", "no PEM", TestKeys.pem(TestKeys.ec(256))}) {
      Files.writeString(file, content);
      assertTrue(reported(yaml).startsWith("f:1:" + column + ": trust_store: trust store `" + file + "`: "),
          () -> reported(yaml));
    }
    Files.writeString(file, CertificateDraft.authority("root").pem());
    assertEquals("", reported(yaml));
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', quoteCharacter = '^', textBlock = """
      {assertions: {issuers: [b], audience: [c], scopes: [d], allowed_algorithms: [ES256], validity_leeway: 1s}, \
      cache_ttl: 0s} | ^^
      {}                          | ^^
      {jwks_endpoint: 'https://evil'} | unknown key `jwks_endpoint`
      {jwt_source: [{cookie: x}]} | unknown key `jwt_source`
      {subject: {id: email}}      | unknown key `subject`
      {validate_jwk: false}       | unknown key `validate_jwk`
      {trust_store: x}            | unknown key `trust_store`
      {stale_if_error: 1h}        | unknown key `stale_if_error`
      {assertions: {allowed_algorithms: [none]}} | `none` is not an algorithm
      """)
  void rulesOverrideAssertionsAndCacheTime(String yaml, String reported) {
    String all = bench.make(JwtAuthenticator.TYPE, SOUND).refusal(yaml);
    assertTrue(reported.isEmpty() ? all.isEmpty() : all.contains(reported), all);
  }
}
