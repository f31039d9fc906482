package portcullis.policy.catalogue;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import portcullis.config.Enforcement;
import portcullis.lang.source.Problem;
import portcullis.lang.source.Problems;
import portcullis.policy.rule.Catalogues;

/** What a key without a value, as one of an unset variable, is taken for in the settings of mechanisms. */
class NullSettingsTest {
  /** What is reported of the key that is null, the last one of the path. */
  private static List<String> reported(String kind, String type, String path) {
    String[] keys = path.split("\\.");
    String config = "{" + String.join(": {", keys) + ": null" + "}".repeat(keys.length);
    Problems problems = new Problems();
    Catalogues.of(kind + "s: [{id: a, type: " + type + ", config: " + config + "}]", Enforcement.NONE, problems);
    return problems.sorted().stream().map(Problem::text).filter(text -> text.contains(".config." + path + ": "))
        .toList();
  }

  @ParameterizedTest
  @CsvSource({"authenticator, generic, session_lifespan", "authenticator, generic, session_lifespan.active",
    "authenticator, generic, session_lifespan.issued_at", "authenticator, generic, session_lifespan.not_before",
    "authenticator, generic, session_lifespan.not_after", "authenticator, api_key, lockout",
    "authenticator, api_key, scopes",
    "authenticator, jwt, assertions", "authenticator, jwt, trust_store", "authenticator, jwt, assertions.issuers",
    "authenticator, jwt, assertions.audience", "authenticator, jwt, assertions.scopes",
    "authenticator, jwt, assertions.allowed_algorithms", "authenticator, jwt, assertions.proof_of_possession",
    "authenticator, oauth2_introspection, assertions", "authenticator, client_certificate, revocation_lists",
    "authenticator, client_certificate, trust_domains", "authorizer, remote, expressions",
    "authorizer, cel, expressions"})
  void aNullThatWouldRestrictNothingIsRefused(String kind, String type, String path) {
    List<String> texts = reported(kind, type, path);
    assertEquals(1, texts.size(), texts::toString);
    assertTrue(texts.getFirst().contains(" is nothing, "), texts::toString);
  }

  @ParameterizedTest
  @CsvSource({"authenticator, generic, cache_ttl", "authenticator, api_key, api_key_source",
    "authenticator, jwt, assertions.validity_leeway", "authorizer, remote, cache_ttl"})
  void aNullOfOtherKeysIsTheirDefault(String kind, String type, String path) {
    List<String> texts = reported(kind, type, path);
    assertEquals(1, texts.size(), texts::toString);
    assertTrue(texts.getFirst().contains("warning: ") && texts.getFirst().contains("as if the key were left out"),
        texts::toString);
  }
}
