package portcullis.policy.authenticator;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import portcullis.config.Enforcement;
import portcullis.fixture.Expected;
import portcullis.policy.mechanism.Mechanism;
import portcullis.policy.mechanism.MechanismType;

/** What is said of settings of authenticators, for what a step may change as well. */
class AuthenticatorProblemsTest {
  private final Bench bench = new Bench();

  @AfterEach
  void close() {
    bench.close();
  }

  private <C> void assertProblems(String section, MechanismType<C, Mechanism.Authenticator> type, String... settings) {
    Expected.assertSection("authenticators.txt", section, Stream.of(settings)
        .map(yaml -> yaml + " | " + bench.problems(type, yaml, Enforcement.ALL)).collect(Collectors.joining("\n")));
  }

  private <C> void assertStepProblems(String section, MechanismType<C, Mechanism.Authenticator> type, String definition,
      String... settings) {
    Bench.Made<C> made = bench.make(type, definition);
    Expected.assertSection("authenticators.txt", section,
        Stream.of(settings).map(yaml -> yaml + " | " + made.refusal(yaml)).collect(Collectors.joining("\n")));
  }

  @Test
  void anonymousAndBasicAuth() {
    assertProblems("anonymous", Anonymous.TYPE, "{}", "{subject: a}", "{subject: ''}", "{subject: 1}", "{sub: a}");
    assertStepProblems("step of anonymous", Anonymous.TYPE, "{}", "{subject: b}", "{subject: ''}");
    assertProblems("basic_auth", BasicAuth.TYPE, "{user_id: a, password: b}", "{user_id: a}", "{password: b}", "{}",
        "{user_id: '', password: b}", "{user_id: 'a:b', password: c}", "{user_id: a, password: ''}");
    assertStepProblems("step of basic_auth", BasicAuth.TYPE, "{user_id: a, password: b}", "{user_id: c}", "{}",
        "{password: ''}", "{allow_fallback_on_error: true}");
  }

  private <C> void assertMembersAreListed(MechanismType<C, Mechanism.Authenticator> type, String members) {
    String reported = bench.problems(type, "text", Enforcement.NONE);
    assertTrue(reported.contains("settings with: " + members), reported);
  }

  private <C> void assertStepMembersAreListed(MechanismType<C, Mechanism.Authenticator> type, String definition,
      String members) {
    String reported = bench.make(type, definition).refusal("text");
    assertTrue(reported.contains("settings with: " + members), reported);
  }

  @Test
  void settingsThatAreNoMappingAreToldWhatIsIn() {
    assertMembersAreListed(Anonymous.TYPE, "subject");
    assertMembersAreListed(ApiKeyAuthenticator.TYPE, "keys, api_key_source");
    assertMembersAreListed(BasicAuth.TYPE, "user_id, password");
    assertMembersAreListed(ClientCertificate.TYPE, "trust_store");
    assertMembersAreListed(GenericAuthenticator.TYPE, "identity_info_endpoint");
    assertMembersAreListed(Introspection.TYPE, "introspection_endpoint");
    assertMembersAreListed(JwtAuthenticator.TYPE, "jwks_endpoint");
    assertStepMembersAreListed(BasicAuth.TYPE, "{user_id: a, password: b}", "user_id, password, allow_");
    assertStepMembersAreListed(GenericAuthenticator.TYPE, "{identity_info_endpoint: 'https://i.test', "
        + "authentication_data_source: [{cookie: a}], subject: {id: b}}", "cache_ttl, allow_");
    assertStepMembersAreListed(Introspection.TYPE, "{introspection_endpoint: 'https://i.test'}",
        "assertions, cache_ttl, allow_");
    assertStepMembersAreListed(JwtAuthenticator.TYPE, "{jwks_endpoint: 'https://i.test', assertions: {issuers: [a]}}",
        "assertions, cache_ttl, allow_");
  }

  @Test
  void jwt() {
    String jwks = "jwks_endpoint: 'https://i.test/k'";
    assertProblems("jwt", JwtAuthenticator.TYPE, "{}", "{" + jwks + "}", "{" + jwks + ", assertions: {}}",
        "{" + jwks + ", assertions: {issuers: []}}", "{" + jwks + ", assertions: {issuers: ['']}}",
        "{" + jwks + ", assertions: {issuers: ['https://*/a']}}", "{" + jwks + ", assertions: {issuers: ['a*b']}}",
        "{" + jwks + ", assertions: {issuers: [a], audience: ['']}}",
        "{" + jwks + ", assertions: {issuers: [a], audience: b}}",
        "{" + jwks + ", assertions: {issuers: [a], scopes: b}}",
        "{" + jwks + ", assertions: {issuers: [a], scopes: [b, '']}}",
        "{" + jwks + ", assertions: {issuers: [a], scopes: {values: [b], matching_strategy: exact}}}",
        "{" + jwks + ", assertions: {issuers: [a], scopes: {values: [b], matching_strategy: hierarchic}}}",
        "{" + jwks + ", assertions: {issuers: [a], scopes: {values: [b], matching_strategy: wildcard}}}",
        "{" + jwks + ", assertions: {issuers: [a], scopes: {values: [b], matching_strategy: all}}}",
        "{" + jwks + ", assertions: {issuers: [a], scopes: {}}}",
        "{" + jwks + ", assertions: {issuers: [a], allowed_algorithms: ES256}}",
        "{" + jwks + ", assertions: {issuers: [a], allowed_algorithms: {}}}",
        "{" + jwks + ", assertions: {issuers: [a], allowed_algorithms: []}}",
        "{" + jwks + ", assertions: {issuers: [a], allowed_algorithms: [ES256, ES384]}}",
        "{" + jwks + ", assertions: {issuers: [a], allowed_algorithms: [none]}}",
        "{" + jwks + ", assertions: {issuers: [a], allowed_algorithms: [none, ES256]}}",
        "{" + jwks + ", assertions: {issuers: [a], allowed_algorithms: [RSA, EC, OKP, oct]}}",
        "{" + jwks + ", assertions: {issuers: [a], allowed_algorithms: [RSA, ES256]}}",
        "{" + jwks + ", assertions: {issuers: [a], allowed_algorithms: [HS256]}}",
        "{" + jwks + ", assertions: {issuers: [a], allowed_algorithms: [X]}}",
        "{" + jwks + ", assertions: {issuers: [a], validity_leeway: -1s}}",
        "{" + jwks + ", assertions: {issuers: [a], validity_leeway: 1h}}",
        "{" + jwks + ", assertions: {issuers: [a]}, jwt_source: []}",
        "{" + jwks + ", assertions: {issuers: [a]}, jwt_source: [{}]}",
        "{" + jwks + ", assertions: {issuers: [a]}, jwt_source: [{header: A, scheme: B}]}",
        "{" + jwks + ", assertions: {issuers: [a]}, jwt_source: [{header: A, cookie: b}]}",
        "{" + jwks + ", assertions: {issuers: [a]}, jwt_source: [{cookie: b, scheme: c}]}",
        "{" + jwks + ", assertions: {issuers: [a]}, jwt_source: [{query_parameter: q}, {body_parameter: b}]}",
        "{" + jwks + ", assertions: {issuers: [a]}, jwt_source: [{header: 'A B'}]}",
        "{" + jwks + ", assertions: {issuers: [a]}, jwt_source: [{header: ''}]}",
        "{" + jwks + ", assertions: {issuers: [a]}, subject: {}}",
        "{" + jwks + ", assertions: {issuers: [a]}, subject: {id: ''}}",
        "{" + jwks + ", assertions: {issuers: [a]}, cache_ttl: -1s}",
        "{" + jwks + ", assertions: {issuers: [a]}, stale_if_error: x}",
        "{" + jwks + ", assertions: {issuers: [a]}, validate_jwk: x}",
        "{" + jwks + ", assertions: {issuers: [a]}, trust_store: /none}",
        "{" + jwks + ", assertions: {issuers: [a]}, trust_store: \"a\\0b\"}",
        "{" + jwks + ", assertions: {issuers: [a]}, allow_fallback_on_error: true}",
        "{jwks_endpoint: 'http://i.test', assertions: {issuers: [a]}}",
        "{jwks_endpoint: 'https://i.test/{{ .TokenIssuer }}', assertions: {issuers: [a]}}",
        "{jwks_endpoint: 'https://i.test/{{ .TokenIssuer }}'}",
        "{jwks_endpoint: 'https://i.test/{{ .Nothing }}', assertions: {issuers: [a]}}",
        "{metadata_endpoint: 'http://i.test'}", "{metadata_endpoint: {url: 'https://i.test/{{ .TokenIssuer }}'}}",
        "{metadata_endpoint: {url: 'https://i.test', resolved_endpoints: {jwks_uri: {auth: {type: x}}}}}",
        "{metadata_endpoint: {url: 'https://i.test', resolved_endpoints: {other: {}}}}",
        "{metadata_endpoint: {}}", "{metadata_endpoint: 1}");
    assertProblems("endpoints found by jwt", JwtAuthenticator.TYPE,
        Stream.of("http://t", "https://t").map(url -> ("{meta"
            + "data_endpoint: {url: 'https://i.test', resolved_endpoints: {jwks_uri: {auth: {type: "
            + "oauth2_client_credentials, "
            + "config: {token_url: '%s', client_id: a, client_secret: b}}}}}}").formatted(url)).toArray(String[]::new));
    assertStepProblems("step of jwt", JwtAuthenticator.TYPE, "{" + jwks + ", assertions: {issuers: [a]}}", "{}",
        "{assertions: {}}", "{assertions: {issuers: [b]}}", "{assertions: {audience: [b]}}", "{cache_ttl: 1s}",
        "{cache_ttl: x}", "{" + jwks + "}", "{allow_fallback_on_error: true}", "{assertions: {scopes: 1}}");
  }

  @Test
  void introspection() {
    String endpoint = "introspection_endpoint: 'https://i.test/i'";
    assertProblems("oauth2_introspection", Introspection.TYPE, "{}", "{" + endpoint + "}",
        "{" + endpoint + ", assertions: {issuers: [a]}}", "{introspection_endpoint: 'http://i', assertions: {issuers: "
            + "[a]}}",
        "{" + endpoint + ", metadata_endpoint: 'https://i', assertions: {issuers: [a]}}",
        "{metadata_endpoint: 'https://i'}", "{metadata_endpoint: 'http://i'}",
        "{" + endpoint + ", assertions: {issuers: [a]}, token_source: [{}]}",
        "{" + endpoint + ", assertions: {issuers: [a]}, cache_ttl: x}",
        "{" + endpoint + ", assertions: {issuers: [a]}, subject: {id: ''}}",
        "{" + endpoint + ", assertions: {issuers: [a], scopes: [s], audience: [b], validity_leeway: 1m}}",
        "{introspection_endpoint: {url: 'https://i', method: GET}, assertions: {issuers: [a]}}",
        "{introspection_endpoint: {url: 'https://i/{{ .TokenIssuer }}'}, assertions: {issuers: [a]}}");
    assertStepProblems("step of oauth2_introspection", Introspection.TYPE,
        "{" + endpoint + ", assertions: {issuers: [a]}}", "{}", "{assertions: {issuers: [b]}}", "{cache_ttl: 1s}",
        "{cache_ttl: x}", "{token_source: [{cookie: c}]}");
  }

  @Test
  void generic() {
    String rest = "authentication_data_source: [{cookie: c}], subject: {id: id}";
    String endpoint = "identity_info_endpoint: 'https://i.test/i', ";
    assertProblems("generic", GenericAuthenticator.TYPE, "{}", "{" + rest + "}", "{" + endpoint + rest + "}",
        "{identity_info_endpoint: 'http://i', " + rest + "}",
        "{" + endpoint + "authentication_data_source: [], subject: {id: id}}",
        "{" + endpoint + "authentication_data_source: [{cookie: c}]}",
        "{" + endpoint + "authentication_data_source: [{cookie: c}], subject: {}}",
        "{" + endpoint + rest + ", forward_headers: ['A B']}", "{" + endpoint + rest + ", forward_cookies: ['a;']}",
        "{" + endpoint + rest + ", payload: '{{ .AuthenticationData }}'}", "{" + endpoint + rest + ", payload: '{{'}",
        "{" + endpoint + rest + ", payload: '{{ .Nothing }}'}",
        "{" + endpoint + rest + ", session_lifespan: {}}", "{" + endpoint + rest + ", session_lifespan: {active: ''}}",
        "{" + endpoint + rest
            + ", session_lifespan: {active: a, issued_at: b, not_before: c, not_after: d, time_format: "
            + "'2006', validity_leeway: 1s}}",
        "{" + endpoint + rest + ", session_lifespan: {validity_leeway: x}}", "{" + endpoint + rest + ", cache_ttl: x}",
        "{" + endpoint + rest + ", allow_fallback_on_error: false}");
    assertStepProblems("step of generic", GenericAuthenticator.TYPE, "{" + endpoint + rest + "}", "{}",
        "{cache_ttl: 1s}", "{cache_ttl: x}", "{allow_fallback_on_error: true}", "{subject: {id: a}}");
  }
}
