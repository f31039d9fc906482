package portcullis.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import portcullis.fixture.CertificateDraft;
import portcullis.fixture.Expected;
import portcullis.fixture.TestCertificate;
import portcullis.fixture.TestKeys;

/**
 * Wrong settings of what says who asks, and what {@code validate config} shows of each: where, what is wrong, what
 * would be right; the place of the definition is left out. Each line of a table is one definition, names in capital
 * letters are those of files beside it.
 */
final class WrongCredentialSettingsTest {
  private static final String HASH = "$2a$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW";
  private static final String SHA = "0".repeat(64);

  @TempDir
  private Path folder;

  @BeforeEach
  void files() throws IOException {
    TestCertificate root = CertificateDraft.authority("root");
    String list = CertificateDraft.revocations(root, Instant.now().minusSeconds(60), Instant.now().plusSeconds(600));
    for (Map.Entry<String, String> file : Map.ofEntries(Map.entry("KEYS", "ab".repeat(32) + "\n"),
        Map.entry("SHORT", "abcdef\n"), Map.entry("EMPTY", "\n"), Map.entry("WORDS", "a secret sentence\n"),
        Map.entry("PEMKEY", TestKeys.pem(TestKeys.ec(256))), Map.entry("TRUST", root.pem()),
        Map.entry("CRL", list), Map.entry("USERS", "alice: { password: \"" + HASH + "\" }\n"),
        Map.entry("HTPASSWD", "alice:" + HASH + "\n"), Map.entry("PLAIN", "alice: { password: secret-word }\n"),
        Map.entry("MD5", "alice: { password: \"$apr1$abcdefgh$0123456789abcdefghijkl\" }\n"),
        Map.entry("ARGON2I",
            "alice: { password: \"$argon2i$v=19$m=1024,t=2,p=1$FRgpbDTM6gA$okoTfst0X8SyXSlhyrJfRw\" }\n"),
        Map.entry("COSTLY", "alice: { password: \"" + HASH.replace("$05$", "$14$") + "\" }\n"),
        Map.entry("APIKEYS", "keys: [ { id: ci, subject: ci, sha256: \"" + SHA + "\" } ]\n"),
        Map.entry("PLAINKEY", "keys: [ { id: ci, subject: ci, sha256: pk_ci_secretsecret } ]\n"),
        Map.entry("WHOLEKEY", "keys: [ { id: pk_ci_secretsecret, subject: ci, sha256: \"" + SHA + "\" } ]\n"),
        Map.entry("NOSUBJECT", "keys: [ { id: ci, sha256: \"" + SHA + "\" } ]\n"),
        Map.entry("LATER", "keys: [ { id: ci, subject: ci, sha256: \"" + SHA + "\", not_after: 2027-01-31 } ]\n"))
        .entrySet()) {
      Files.writeString(folder.resolve(file.getKey()), file.getValue());
    }
  }

  /** Returns what is shown of a definition, without the place of the folder; one line for each error. */
  private String shown(String type, String settings) {
    try {
      Path file = Files.writeString(folder.resolve("portcullis.yaml"), """
          mechanisms:
            authenticators:
              - id: who
                type: %s
                config: %s
          """.formatted(type, settings.replaceAll("\\b[A-Z][A-Z0-9]{2,}\\b(?!:)", folder + "/$0")
          .replace(folder + "/HS256", "HS256").replace(folder + "/ES256", "ES256")));
      CommandResult result = CommandResult.of("validate", "config", "--insecure-skip-ingress-tls-enforcement", "-c",
          file.toString());
      assertEquals(1, result.status(), () -> settings + " is valid: " + result.out());
      return result.err().replace(folder + "/", "").lines().filter(line -> line.startsWith("portcullis.yaml:"))
          .map(line -> line.replaceFirst("^portcullis.yaml:5:\\d+: mechanisms.authenticators\\[0]", ""))
          .collect(Collectors.joining("\n"));
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private void check(String type, String table) {
    StringBuilder out = new StringBuilder();
    table.lines().forEach(
        settings -> out.append(settings).append("\n    ").append(shown(type, settings).replace("\n", "\n    "))
            .append('\n'));
    Expected.assertSection("wrong-credentials.txt", type, out.toString());
  }

  @Test
  void oidc() {
    String secret = "client_auth: { client_secret: s }";
    check("oidc",
        """
        {}
        { providers: [], SESSION }
        { providers: [ { ID, AUTH } ] }
        { providers: [ { client_id: shop, AUTH } ], SESSION }
        { providers: [ { issuer: idp.example, client_id: shop, AUTH } ], SESSION }
        { providers: [ { issuer: "https:///realms", client_id: shop, AUTH } ], SESSION }
        { providers: [ { issuer: "http://idp.example", client_id: shop, AUTH } ], SESSION }
        { providers: [ { issuer: "https://idp.example?x=1", client_id: shop, AUTH } ], SESSION }
        { providers: [ { issuer: "https://idp.example", AUTH } ], SESSION }
        { providers: [ { ID } ], SESSION }
        { providers: [ { ID, client_auth: {} } ], SESSION }
        { providers: [ { ID, client_auth: { method: client_secret_jwt, client_secret: s } } ], SESSION }
        { providers: [ { ID, client_auth: { method: none, client_secret: s } } ], SESSION }
        { providers: [ { ID, client_auth: { method: private_key_jwt } } ], SESSION }
        { providers: [ { ID, client_auth: { key_store: { path: PEMKEY } } } ], SESSION }
        { providers: [ { ID, client_auth: { method: private_key_jwt, key_store: { path: TRUST } } } ], SESSION }
        { providers: [ { ID, client_auth: { method: private_key_jwt, key_store: { path: PEMKEY, \
        algorithm: HS256 } } } ], SESSION }
        { providers: [ { ID, client_auth: { method: tls_client_auth } } ], SESSION }
        { providers: [ { ID, AUTH, parameters: { state: x } } ], SESSION }
        { providers: [ { ID, AUTH, parameters: { code_challenge_method: plain } } ], SESSION }
        { providers: [ { ID, AUTH, id_token_algorithms: [ HS256 ] } ], SESSION }
        { providers: [ { ID, AUTH, id_token_algorithms: [ none ] } ], SESSION }
        { providers: [ { ID, AUTH, scopes: openid } ], SESSION }
        { providers: [ { ID, AUTH, redirect_uri: "https://app.example/cb" } ], SESSION }
        { providers: [ { ID, AUTH, id: Main Provider } ], SESSION }
        { providers: [ { ID, AUTH }, { ID, AUTH } ], SESSION }
        { providers: [ { ID, AUTH } ], session: { keys: NONE } }
        { providers: [ { ID, AUTH } ], session: { keys: SHORT } }
        { providers: [ { ID, AUTH } ], session: { keys: EMPTY } }
        { providers: [ { ID, AUTH } ], session: { keys: WORDS } }
        { providers: [ { ID, AUTH } ], session: { keys: KEYS, cookie: my session } }
        { providers: [ { ID, AUTH } ], session: { keys: KEYS, cookie: __Host-shop } }
        { providers: [ { ID, AUTH } ], session: { keys: KEYS, store: redis } }
        { providers: [ { ID, AUTH } ], session: { keys: KEYS, idle_timeout: 0s } }
        { providers: [ { ID, AUTH } ], session: { keys: KEYS, absolute_timeout: 31d } }
        { providers: [ { ID, AUTH } ], session: { keys: KEYS, absolute_timeout: 745h } }
        { providers: [ { ID, AUTH } ], session: { keys: KEYS, tokens: [ refresh_token ] } }
        { providers: [ { ID, AUTH } ], session: { keys: KEYS, same_site: none } }
        { providers: [ { ID, AUTH } ], SESSION, allowed_hosts: [ "https://app.example" ] }
        { providers: [ { ID, AUTH } ], SESSION, validity_leeway: soon }
        """.replace("SESSION", "session: { keys: KEYS }")
            .replace("ID,", "issuer: \"https://idp.example\", client_id: shop,")
            .replace("{ ID }", "{ issuer: \"https://idp.example\", client_id: shop }").replace("AUTH", secret));
  }

  @Test
  void apiKeys() {
    check("api_key", """
        {}
        { keys: NONE }
        { keys: USERS }
        { keys: EMPTY }
        { keys: PLAINKEY }
        { keys: WHOLEKEY }
        { keys: NOSUBJECT }
        { keys: LATER }
        { keys: APIKEYS, header: X-Api-Key }
        { keys: APIKEYS, api_key_source: [] }
        { keys: APIKEYS, api_key_source: { header: X-Api-Key } }
        { keys: APIKEYS, api_key_source: [ { header: X-Api-Key, query_parameter: key } ] }
        { keys: APIKEYS, api_key_source: [ { scheme: ApiKey } ] }
        { keys: APIKEYS, basic_auth: "any" }
        { keys: APIKEYS, scopes: read }
        { keys: APIKEYS, lockout: { attempts: 0 } }
        { keys: APIKEYS, lockout: { for: 2h } }
        """);
  }

  @Test
  void users() {
    check("basic_auth", """
        {}
        { users: NONE }
        { users: EMPTY }
        { users: HTPASSWD }
        { users: PLAIN }
        { users: MD5 }
        { users: ARGON2I }
        { users: COSTLY }
        { users: APIKEYS }
        { users: USERS, user_id: alice }
        { users: USERS, cache_ttl: 2h }
        { users: USERS, cache_ttl: 60 }
        { users: USERS, lockout: { attempts: 5000 } }
        { user_id: alice, password: secret, lockout: {} }
        """);
  }

  @Test
  void clientCertificates() {
    check("client_certificate", """
        {}
        { trust_store: NONE }
        { trust_store: EMPTY }
        { trust_store: PEMKEY }
        { trust_store: CRL }
        { trust_store: TRUST, revocation_lists: CRL }
        { trust_store: TRUST, revocation_lists: [ TRUST ] }
        { trust_store: TRUST, revocation_lists: [ NONE ] }
        { trust_store: TRUST, revocation_list: [ CRL ] }
        { trust_store: TRUST, trust_domains: [ "spiffe://shop.example/a" ] }
        { trust_store: TRUST, trust_domains: [ "Shop Example" ] }
        { trust_store: TRUST, certificate_source: header }
        { trust_store: TRUST, subject_from: [ cn ] }
        { trust_store: TRUST, subject_from: [] }
        """);
  }

  @Test
  void proofsOfPossession() {
    String all = """
        true
        {}
        { type: tls }
        { type: DPoP }
        { type: dpop, max_age: 1m }
        { type: dpop, config: { max_age: 0s } }
        { type: dpop, config: { max_age: 2h } }
        { type: dpop, config: { max_age: 60 } }
        { type: dpop, config: { allowed_algorithms: [ ES256, HS256 ] } }
        { type: dpop, config: { allowed_algorithms: [ none ] } }
        { type: dpop, config: { nonce_key: KEYS } }
        { type: dpop, config: { nonce_required: true, nonce_key: NONE } }
        { type: dpop, config: { nonce_required: true, nonce_key: SHORT } }
        { type: dpop, config: { certificate_source: client-cert } }
        { type: mtls, config: { certificate_source: header } }
        { type: mtls, config: { nonce_required: true } }
        { type: mtls, config: { max_age: 5m } }
        """;
    check("jwt", all.lines().map(settings -> "{ jwks_endpoint: { url: \"https://idp.example/keys\" }, assertions: { "
        + "issuers: [ \"https://idp.example\" ], proof_of_possession: " + settings + " } }\n")
        .reduce("", String::concat));
  }
}
