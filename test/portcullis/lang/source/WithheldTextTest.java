package portcullis.lang.source;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class WithheldTextTest {
  private static final String NO_COLON = "`:` is missing behind the name";

  private static Problem at(String text, int line, String path, String message) {
    SourceFile file = new SourceFile("f", text.replace('~', '\n'));
    return Problem.error(new Origin.InFile(file, line, 1, 9), path, message, "as `name: value`");
  }

  private static String shown(Problem problem) {
    return problem.text() + "\n" + problem.excerpt();
  }

  /** Each file is a secret as a whole. */
  @ParameterizedTest
  @CsvSource(delimiter = '|', textBlock = """
      -----BEGIN PRIVATE KEY-----~s3cret~-----END PRIVATE KEY-----                | 2
      -----BEGIN OPENSSH PRIVATE KEY-----~s3cret~-----END OPENSSH PRIVATE KEY-----~ | 2
      -----BEGIN RSA PRIVATE KEY-----~Proc-Type: s3cret~~x~s3cret~-----END RSA PRIVATE KEY-----~ | 5
      Private-Key: (2048 bit)~prime1: s3cret~-----BEGIN PRIVATE KEY-----~x~-----END PRIVATE KEY-----~ | 2
      PuTTY-User-Key-File-3: ssh-ed25519~Private-Lines: 1~s3cret~                 | 3
      s3cret                    | 1
      AKIAIOSFODNN7:s3cret      | 1
      machine h.test login u password s3cret | 1
      ghp_s3cret~foo: [         | 1
      ghp_s3cret~foo: [s3cret   | 2
      # mine~---~~s3cret~       | 4
      [default]~aws_secret_access_key = s3cret | 2
      {SSHA}s3cret              | 1
      "s3cret"                  | 1
      - s3cret~- b              | 1
      """)
  void filesThatMayBeSecretsAreNotQuoted(String text, int line) {
    for (String message : new String[] {NO_COLON, "`s3cret` is a string, a mapping is needed",
      "unknown anchor `s3cret`",
      "unknown key `s3cret`, known: `a`"}) {
      String shown = shown(at(text, line, "", message));
      assertFalse(shown.contains("s3cret"), shown);
      assertTrue(shown.contains("(not shown, as it "), shown);
    }
  }

  @Test
  void whatIsNeededIsSaid() {
    assertEquals("""
        f:1:1: this is a string, a mapping is needed, as `name: value`
        (not shown, as it may be a secret: the file does not begin with a name, as `version: "1"`)""",
        shown(at("s3cret", 1, "", "`s3cret` is a string, a mapping is needed")));
    assertEquals("this is not a mapping, which is needed", at("s3cret", 1, "", "unknown `s3cret`").message());
    assertEquals("f:2:1: ***: unknown key `***`, as `name: value`\n(not shown, as it is a key)",
        shown(at("-----BEGIN KEY-----~s3cret: 1", 2, "s3cret", "unknown key `s3cret`, did you mean `x`")));
  }

  @Test
  void aKeyWithinAConfigurationIsHiddenAlone() {
    String text = "a: 1~key: |~  -----BEGIN PRIVATE KEY-----~  s3cret~  -----END PRIVATE KEY-----~b: 2~";
    for (int line = 4; line <= 5; line++) {
      String shown = shown(at(text, line, "key.s3cret", "unknown key `s3cret`"));
      assertEquals("f:" + line + ":1: ***: unknown key `***`, as `name: value`\n(not shown, as it is a key)", shown);
    }
    for (int line : new int[] {1, 2, 6}) {
      Problem problem = at(text, line, "b", NO_COLON);
      assertTrue(problem.excerpt().startsWith(text.split("~")[line - 1] + "\n^"), problem.excerpt());
    }
    assertFalse(at(text, 3, "key", NO_COLON).excerpt().contains("BEGIN"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"version: x", "# a~%YAML 1.2~---~~'version': x", "\"a\": x", "- id: x", "{ version: x }",
    "{~ \"a\": x", "[{id: x}]", "{}", "--- {a: b}", "? a~: b", "  a: x", "a:~  b", "a :~  b", "<<: *x"})
  void filesThatBeginAsMappingsAreQuoted(String text) {
    String[] lines = text.split("~");
    assertEquals(lines[lines.length - 1], at(text, lines.length, "", NO_COLON).excerpt().lines().findFirst().get());
  }

  @Test
  void argumentsAreQuoted() {
    Origin at = LocatedText.of("expression", "Request.x").at(0);
    assertEquals("Request.x\n^", Problem.error(at, "", "no `x`", "").excerpt());
    assertEquals("", at("", 1, "", "there is nothing").excerpt());
  }
}
