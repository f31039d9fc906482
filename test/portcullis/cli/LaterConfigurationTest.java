package portcullis.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Keys of a configuration of heimdall 0.18 are refused with what 0.17 has instead. */
class LaterConfigurationTest {
  @TempDir
  private Path folder;

  private CommandResult validated(String yaml) throws IOException {
    Path file = Files.writeString(folder.resolve("c.yaml"), yaml);
    return CommandResult.of("validate", "config", "--insecure", "-c", file.toString());
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', quoteCharacter = '^', textBlock = """
      secret_management: { a: { type: inline, config: { b: c } } }    | secret_management | where they are used
      master_key: { source: a, selector: b }                          | master_key  | it is for DPoP
      metrics: { cover_rules: true }                                  | cover_rules | 0.17 has `enabled` only
      metrics: { cover_cache: true }                                  | cover_cache | 0.17 has `enabled` only
      tracing: { cover_rules: true }                                  | cover_rules | 0.17 has `enabled`
      serve: { tls: { secret: { source: a } } }                       | secret      | write `key_store` and `key_id`
      management: { tls: { secret: { source: a } } }                  | secret      | write `key_store` and `key_id`
      cache: { type: redis, config: { address: "h:1", credentials: { source: a, selector: b } } } | source | `username`
      cache: { type: redis, config: { address: "h:1", tls: { secret: { source: a } } } } | secret | `key_store`
      AUTHENTICATOR basic_auth, config: { credentials: { source: a } } | credentials | write `user_id` and `password`
      AUTHENTICATOR basic_auth, config: { user_id: a, password: b, error_signaling: { enabled: true } } \
        | error_signaling | `www_authenticate`
      AUTHENTICATOR jwt, config: { JWKS, trust_anchors: { source: a } } | trust_anchors | write `trust_store`
      AUTHENTICATOR jwt, config: { JWKS, principal: { id: sub } }     | principal   | write `subject`
      AUTHENTICATOR jwt, config: { JWKS, error_signaling: { enabled: true } } | error_signaling | `www_authenticate`
      AUTHENTICATOR oauth2_introspection, config: { principal: { id: sub }, \
        introspection_endpoint: { url: "http://h/" } } | principal | write `subject`
      AUTHENTICATOR anonymous, config: { principal: nobody }          | principal   | write `subject`
      AUTHENTICATOR generic, config: { identity_info_endpoint: "http://h/", principal: { id: sub }, \
        authentication_data_source: [ { header: X } ] }               | principal   | write `subject`
      ENDPOINT { type: basic_auth, config: { credentials: { source: a } } } | credentials | `user` and `password`
      ENDPOINT { type: api_key, config: { in: header, name: X, secret: { source: a } } } | secret | write `value`
      ENDPOINT { type: oauth2_client_credentials, config: { token_url: "http://h/", credentials: { source: a } } } \
        | credentials | `client_id` and `client_secret`
      ENDPOINT { type: http_message_signatures, config: { components: [ "@method" ], \
        signer: { secret: { source: a } } } } | secret | `key_store` and `key_id`
      FINALIZER oauth2_client_credentials, config: { token_url: "http://h/", credentials: { source: a } } \
        | credentials | `client_id` and `client_secret`
      FINALIZER jwt, config: { signer: { name: a, secret: { source: b } } } | secret | `key_store` and `key_id`
      """)
  void aKeyOfLaterVersionsIsNamedWithWhatToWrite(String written, String key, String instead) throws IOException {
    String yaml = written.replace("JWKS", "jwks_endpoint: { url: \"http://h/\" }, assertions: { issuers: [ a ] }")
        .replaceFirst("^AUTHENTICATOR (.*)$", "mechanisms: { authenticators: [ { id: x, type: $1 } ] }")
        .replaceFirst("^FINALIZER (.*)$", "mechanisms: { finalizers: [ { id: x, type: $1 } ] }")
        .replaceFirst("^ENDPOINT (.*)$", "mechanisms: { authorizers: [ { id: x, type: remote, config: { payload: x,"
            + " endpoint: { url: \"http://h/\", auth: $1 } } } ] }");
    CommandResult reported = validated(yaml + "\n");
    assertEquals(1, reported.status(), reported.err());
    String line = reported.err().lines().filter(text -> text.contains("unknown key `" + key + "`")).findFirst()
        .orElseThrow(() -> new AssertionError(reported.err()));
    assertTrue(line.contains("c.yaml:1:" + (yaml.indexOf(key + ":") + 1) + ":"), line);
    assertTrue(line.contains(", it is of heimdall 0.18: ") && line.contains(instead), line);
  }

  @Test
  void theSameNameElsewhereIsAnyUnknownKey() throws IOException {
    CommandResult reported = validated("log: { credentials: x }\n");
    assertTrue(reported.err().contains("unknown key `credentials`, known: "), reported.err());
  }
}
