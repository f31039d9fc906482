package portcullis.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

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
  private static final String HASH = "$2a$10$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW";
  private static final String ARGON = "$argon2id$v=19$m=19456,t=2,p=1$MDEyMzQ1Njc4OWFiY2RlZg"
      + "$rk2Mi3E4dgRMg0fHaYaptWVZRKqs//6b6k3/nntqGJk";
  /** With a proxy that may forward certificates. */
  private static final String PROXY = "{ trusted_proxies: [ 127.0.0.1 ] }";
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
        Map.entry("COSTLY", "alice: { password: \"" + HASH.replace("$10$", "$14$") + "\" }\n"),
        Map.entry("CUT", "alice: { password: \"" + ARGON.substring(0, ARGON.length() - 4) + "\" }\n"),
        Map.entry("SHORTER", "alice: { password: \"" + ARGON.substring(0, ARGON.length() - 11) + "\" }\n"),
        Map.entry("CHEAP", "alice: { password: \"" + HASH.replace("$10$", "$04$") + "\" }\nbob: { password: \""
            + ARGON.replace("m=19456,t=2", "m=8,t=1") + "\" }\n"),
        Map.entry("NONAME", "alice: { password: \"" + HASH + "\" }\n'': { password: \"" + HASH + "\" }\n"),
        Map.entry("COLON", "alice: { password: \"" + HASH + "\" }\n'a:b': { password: \"" + HASH + "\" }\n"),
        Map.entry("SAME", "alice: { password: \"" + HASH + "\" }\nbob:\n  password: \"" + HASH
            + "\"\n  user_id: alice\n"),
        Map.entry("BITS", keys("networks: [10.1.2.3/8]")), Map.entry("NOWHERE", keys("networks: []")),
        Map.entry("NEVER", keys("not_before: 2027-01-31T00:00:00Z, not_after: 2027-01-01T00:00:00Z")),
        Map.entry("TWICE", keys("scopes: [a]") + keys("scopes: [b]").replace("keys:\n", "")),
        Map.entry("APIKEYS", "keys: [ { id: ci, subject: ci, sha256: \"" + SHA + "\" } ]\n"),
        Map.entry("PLAINKEY", "keys: [ { id: ci, subject: ci, sha256: pk_ci_secretsecret } ]\n"),
        Map.entry("WHOLEKEY", "keys: [ { id: pk_ci_secretsecret, subject: ci, sha256: \"" + SHA + "\" } ]\n"),
        Map.entry("NOSUBJECT", "keys: [ { id: ci, sha256: \"" + SHA + "\" } ]\n"),
        Map.entry("LATER", "keys: [ { id: ci, subject: ci, sha256: \"" + SHA + "\", not_after: 2027-01-31 } ]\n"))
        .entrySet()) {
      Files.writeString(folder.resolve(file.getKey()), file.getValue());
    }
  }

  private static String keys(String more) {
    return "keys:\n- { id: ci, subject: ci, sha256: \"" + SHA + "\", " + more + " }\n";
  }

  /** Returns what is shown of a definition, without the place of the folder; one line for each error or warning. */
  private String shown(String kind, String type, String settings, String serve) {
    CommandResult result = result(kind, type, settings, serve);
    String shown = lines(result);
    assertFalse(shown.isEmpty(), () -> settings + " is valid: " + result.out());
    assertEquals(shown.lines().allMatch(line -> line.startsWith("warning: ")) ? 0 : 1, result.status(), shown);
    return shown;
  }

  private String lines(CommandResult result) {
    return result.err().replace(folder + "/", "").lines()
        .filter(line -> line.startsWith("portcullis.yaml:"))
        .map(line -> line.replaceFirst("^portcullis.yaml:[45]:\\d+: (warning: )?mechanisms.[a-z]+\\[0]", "$1"))
        .collect(Collectors.joining("\n"));
  }

  private CommandResult result(String kind, String type, String settings, String serve) {
    try {
      Path file = Files.writeString(folder.resolve("portcullis.yaml"), """
          mechanisms:
            %s:
              - id: who
                type: %s
                config: %s
          serve: %s
          """.formatted(kind, type, settings.replaceAll("\\b[A-Z][A-Z0-9]{2,}\\b(?!:)", folder + "/$0")
          .replace(folder + "/HS256", "HS256").replace(folder + "/ES256", "ES256"), serve));
      return CommandResult.of("validate", "config", "--insecure-skip-ingress-tls-enforcement", "-c",
          file.toString());
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private void check(String type, String table) {
    check("authenticators", type, table);
  }

  private void check(String kind, String type, String table) {
    StringBuilder out = new StringBuilder();
    table.lines().forEach(settings -> row(out, settings, shown(kind, type, settings, PROXY)));
    Expected.assertSection("wrong-credentials.txt", type, out.toString());
  }

  private static void row(StringBuilder out, String settings, String shown) {
    out.append(settings).append("\n    ").append(shown.replace("\n", "\n    ")).append('\n');
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
        { providers: [ { issuer: "https://idp.example/.well-known/openid-configuration", client_id: shop, \
        AUTH } ], SESSION }
        { providers: [ { issuer: "https://idp.example", AUTH } ], SESSION }
        { providers: [ { ID } ], SESSION }
        { providers: [ { ID, client_auth: {} } ], SESSION }
        { providers: [ { ID, client_auth: { client_secret: '' } } ], SESSION }
        { providers: [ { ID, client_auth: { method: client_secret_jwt, client_secret: s } } ], SESSION }
        { providers: [ { ID, client_auth: { method: none, client_secret: s } } ], SESSION }
        { providers: [ { ID, client_auth: { method: private_key_jwt } } ], SESSION }
        { providers: [ { ID, client_auth: { key_store: { path: PEMKEY } } } ], SESSION }
        { providers: [ { ID, client_auth: { method: private_key_jwt, key_store: { path: TRUST } } } ], SESSION }
        { providers: [ { ID, client_auth: { method: private_key_jwt, key_store: { path: PEMKEY, \
        algorithm: HS256 } } } ], SESSION }
        { providers: [ { ID, client_auth: { method: tls_client_auth } } ], SESSION }
        { providers: [ { ID, AUTH, parameters: { prompt: login, state: x, response_type: token } } ], SESSION }
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
        { providers: [ { ID, AUTH } ], session: { keys: KEYS, idle_timeout: 13h } }
        { providers: [ { ID, AUTH } ], session: { keys: KEYS, idle_timeout: 2h, absolute_timeout: 1h } }
        { providers: [ { ID, AUTH } ], session: { keys: KEYS, absolute_timeout: 31d } }
        { providers: [ { ID, AUTH } ], session: { keys: KEYS, absolute_timeout: 745h } }
        { providers: [ { ID, AUTH } ], session: { keys: KEYS, tokens: [ refresh_token ] } }
        { providers: [ { ID, AUTH } ], session: { keys: KEYS, same_site: none } }
        { providers: [ { ID, AUTH } ], SESSION, allowed_hosts: [ "https://app.example" ] }
        { providers: [ { ID, AUTH } ], SESSION, allowed_hosts: [ "*.app.example" ] }
        { providers: [ { ID, AUTH } ], SESSION, validity_leeway: soon }
        { providers: [ { ID, AUTH } ], SESSION, validity_leeway: 24h }
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
        { keys: BITS }
        { keys: NOWHERE }
        { keys: NEVER }
        { keys: TWICE }
        { keys: APIKEYS, header: X-Api-Key }
        { keys: APIKEYS, api_key_source: [] }
        { keys: APIKEYS, api_key_source: { header: X-Api-Key } }
        { keys: APIKEYS, api_key_source: [ { header: X-Api-Key, query_parameter: key } ] }
        { keys: APIKEYS, api_key_source: [ { scheme: ApiKey } ] }
        { keys: APIKEYS, api_key_source: [ { header: X Key } ] }
        { keys: APIKEYS, api_key_source: [ { cookie: "key;a" } ] }
        { keys: APIKEYS, basic_auth: "any" }
        { keys: APIKEYS, scopes: read }
        { keys: APIKEYS, lockout: { attempts: 0 } }
        { keys: APIKEYS, lockout: { for: 2h } }
        { keys: APIKEYS, lockout: { at_most: 30s } }
        { keys: APIKEYS, lockout: { within: 0s, for: 745h } }
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
        { users: CUT }
        { users: SHORTER }
        { users: CHEAP }
        { users: NONAME }
        { users: COLON }
        { users: SAME }
        { users: APIKEYS }
        { users: USERS, user_id: alice, password: secret, cache_ttl: 2h }
        { users: USERS, cache_ttl: 2h }
        { users: USERS, cache_ttl: 60 }
        { users: USERS, lockout: { attempts: 5000 } }
        { user_id: alice, password: secret, lockout: {} }
        { user_id: alice, lockout: {}, cache_ttl: 1m }
        { user_id: alice, password: "HASHED" }
        { user_id: alice, password: "ARGONED" }
        """.replace("HASHED", HASH.replace("$2a", "$2b")).replace("ARGONED", ARGON));
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
        { type: dpop, config: { allowed_algorithms: [] } }
        { type: dpop, config: { nonce_key: KEYS } }
        { type: dpop, config: { nonce_required: true, nonce_key: NONE } }
        { type: dpop, config: { nonce_required: true, nonce_key: SHORT } }
        { type: dpop, config: { certificate_source: client-cert } }
        { type: mtls, config: { certificate_source: header } }
        { type: mtls, config: { nonce_required: true } }
        { type: mtls, config: { max_age: 5m } }
        { type: mtls, config: { trust_store: TRUST } }
        { type: mtls, certificate_source: tls }
        """;
    check("jwt", all.lines().map(settings -> jwt("proof_of_possession: " + settings) + "\n")
        .reduce("", String::concat));
  }

  private static String jwt(String assertions) {
    return "{ jwks_endpoint: { url: \"https://idp.example/keys\" }, assertions: { issuers: [ "
        + "\"https://idp.example\" ], " + assertions + " } }";
  }

  /** What heimdall accepts is a warning. */
  @Test
  void sessionsOfOtherServices() {
    check("generic", """
        { SERVICE, authentication_data_source: [ { header: X Session } ] }
        { SERVICE, authentication_data_source: [ { cookie: "a b" } ] }
        { SERVICE, authentication_data_source: [ { cookie: sid } ], session_lifespan: { validity_leeway: 24h } }
        """.replace("SERVICE", "identity_info_endpoint: \"https://idp.example/me\", subject: { id: sub }"));
  }

  @Test
  void rates() {
    check("authorizers", "rate_limit", """
        { key: "{{ .Client.Adress }}", rate: 1/s }
        { key: "{{ with .Client }}{{ .Ntwork }}{{ end }}", rate: 1/s }
        { key: "{{ .Request.Methd }} {{ .Subject.Id }}", rate: 1/s }
        { key: "", rate: 1/s }
        { key: a, rate: 1/s, store: redis }
        { key: a, rate: 1/s, on_outage: allow }
        """);
  }

  @Test
  void certificatesThatNoClientCanPresent() {
    StringBuilder out = new StringBuilder();
    for (String serve : new String[] {"{}", PROXY}) {
      for (String source : new String[] {"tls", "client-cert"}) {
        String certificate = "{ trust_store: TRUST, certificate_source: " + source + " }";
        String bound = jwt("proof_of_possession: { type: mtls, config: { certificate_source: " + source + " } }");
        if (serve.equals("{}")) {
          row(out, certificate, shown("authenticators", "client_certificate", certificate, serve));
          row(out, bound, shown("authenticators", "jwt", bound, serve));
        } else {
          assertEquals("", lines(result("authenticators", "client_certificate", certificate, serve)));
          assertEquals("", lines(result("authenticators", "jwt", bound, serve)));
        }
      }
    }
    row(out, "{ trust_store: TRUST }", shown("authenticators", "client_certificate", "{ trust_store: TRUST }", "{}"));
    Expected.assertSection("wrong-credentials.txt", "certificates", out.toString());
  }
}
