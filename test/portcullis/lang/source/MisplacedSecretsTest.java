package portcullis.lang.source;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MisplacedSecretsTest {
  private static final String KEY = "0123456789abcdef".repeat(4);
  private static final String BASE64 = "q83vASNFZ4/rze8BI0VniavN7wEjRWeJq83vASNFZ4k=";

  private static Problem at(String line, String path, String message, String hint) {
    return Problem.error(new Origin.InFile(new SourceFile("f", line), 1, 1, line.length()), path, message, hint);
  }

  @ParameterizedTest
  @ValueSource(strings = {"decision_log.hash_key", "decision_log.seal_key", "locks.key_file", "audit.key",
    "mechanisms.authenticators[0].config.keys", "signer.key_store", "serve.keys[0]"})
  void aKeyInsteadOfItsFileIsNotShown(String path) {
    for (String key : new String[] {KEY, KEY.substring(0, 40), BASE64, BASE64.substring(0, 43),
      "-----BEGIN PRIVATE KEY----- " + KEY, "pk_" + KEY.substring(0, 40)}) {
      Problem problem = at("a: { b: " + key + " }", path, "there is no file `" + key + "`",
          "make one by `x >" + key + "`");
      String shown = problem.text() + problem.excerpt();
      assertFalse(shown.contains(KEY.substring(0, 40)) || shown.contains(BASE64.substring(0, 9))
          || shown.contains(BASE64.substring(20, 40)), shown);
    }
    assertTrue(at("a", path, "there is no file `/etc/portcullis/keys/hash.key`", "").text().contains("keys/hash.key"));
  }

  @Test
  void aKeyInsteadOfItsFileBehindAnOptionIsNotShown() {
    for (String key : new String[] {KEY, KEY.substring(0, 32), BASE64}) {
      Problem problem = Problem.error(LocatedText.of("--key", key).at(0, key.length()), "", "`" + key + "`: no file",
          "");
      assertEquals("--key:1:1: `***`: no file ***", problem.text() + " " + problem.excerpt().lines().findFirst().get());
    }
    String file = "/etc/portcullis/production/keys/of-the-hashes";
    assertTrue(Problem.error(LocatedText.of("--key", file).at(0, 1), "", "`" + file + "`", "").excerpt()
        .startsWith(file));
  }

  @Test
  void aPasswordInsteadOfItsFileIsNotShown() {
    String line = "credentials: { path: %s, x: 1 }";
    assertTrue(at(line.formatted("s3cret"), "cache.config.credentials.path", "x", "").excerpt()
        .startsWith(line.formatted("***")));
    for (String file : new String[] {"/etc/login", "login.yaml", "./x"}) {
      assertTrue(at(line.formatted(file), "cache.config.credentials.path", "x", "").excerpt()
          .startsWith(line.formatted(file)));
    }
  }

  @Test
  void aKeyInTheLineOfAnotherErrorIsNotShown() {
    assertEquals("{ hash_key: ***, x: 1 }\n^^^^^^^^^^^^^^^^^^^^^^^",
        at("{ hash_key: " + KEY + ", x: 1 }", "decision_log", "unknown key `x`", "").excerpt());
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', textBlock = """
      unknown key `value:s3cret`          | a            | f:1:1: a: unknown key `value:***`
      unknown key `token=s3cret`          | a            | f:1:1: a: unknown key `token=***`
      this is nothing                     | v.tok:s3.cret| f:1:1: v.tok:***: this is nothing
      this is nothing                     | v.A:"B s3"   | f:1:1: v.A:***: this is nothing
      this is nothing                     | v.http://a/b | f:1:1: v.http://a/b: this is nothing
      unknown key `plain`                 | a.b          | f:1:1: a.b: unknown key `plain`
      """)
  void aValueWithinANameIsNotShown(String message, String path, String expected) {
    assertEquals(expected, at("x", path, message, "").text());
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', textBlock = """
      there is no file `/a/b.pem password s3cret` | tls.key_store.path | there is no file `/a/b.pem password ***`
      `80 pw: s3cret x` is no port                | serve.port         | `80 pw:***` is no port
      `a token b` is a string                     | x                  | `a token ***` is a string
      `a user b` is a string                      | x                  | `a user b` is a string
      `portcullis password hash` writes one       | x                  | `portcullis password hash` writes one
      `sid=s3cret` is a string                    | e.headers.Cookie   | `***` is a string
      `sid=s3cret` is a string                    | headers.cookie[0]  | `***` is a string
      `sid` is a string                           | source.cookie      | `sid` is a string
      """)
  void aSecretWithinAValueIsNotShown(String message, String path, String expected) {
    assertEquals("f:1:1: " + path + ": " + expected, at("x", path, message, "").text());
  }

  @Test
  void linesOfCookiesAreNotShown() {
    SourceFile file = new SourceFile("f", "headers:\n  cookie:\n    sid=s3cret\n");
    Problem problem = Problem.error(new Origin.InFile(file, 3, 5, 10), "headers", "is wrong", "");
    assertEquals("    ***\n    ^^^", problem.excerpt());
  }

  @Test
  void aPasswordInsteadOfAUserIsNotShown() {
    assertEquals("f:1:1: ann: `***` is a string, a mapping is needed, a user with: user_id, password",
        at("x", "ann", "`s3cret` is a string, a mapping is needed", "a user with: user_id, password").text());
    assertTrue(at("x", "ann", "`shown` is a string, a mapping is needed", "with: id").text().contains("shown"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"a: b # the password is s3cret", "# pass s3cret", "  x: 1  # Token: s3cret"})
  void commentsThatNameSecretsAreNotShown(String line) {
    assertFalse(at(line, "x", "is wrong", "").excerpt().contains("s3cret"));
    assertTrue(at("a: b # as before", "x", "is wrong", "").excerpt().contains("# as before"));
  }
}
