package portcullis.crypto.passwords;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BcryptTest {
  /** The password stands behind the hash, a character for each byte; two are of Openwall, the others of libxcrypt. */
  @ParameterizedTest
  @CsvSource(delimiter = ' ', quoteCharacter = '`', textBlock = """
      $2a$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW U*U
      $2a$05$XXXXXXXXXXXXXXXXXXXXXOAcXxm9kjPGEMsLznoKqmqw7tc8WCx4a U*U*U
      $2y$05$abcdefghijklmnopqrstuucZGbUxuMlEqps0qcu2pjhO7vaatQZIC p\u00c3\u00a4ssword
      $2b$04$abcdefghijklmnopqrstuubyCG3zY1GIXMyxfivm.ClDiInHzxjiq ``
      $2b$06$zzzzzzzzzzzzzzzzzzzzzuZnFCpMDKeyPWOAyM/fttdM/lm/WMwFK \u00ff\u00fe\u0080
      """)
  void verifiesHashesOfOthers(String hash, String password) throws Exception {
    PasswordHash parsed = PasswordHash.parse(hash);
    assertTrue(parsed.matches(password.getBytes(StandardCharsets.ISO_8859_1), new long[0]));
    assertFalse(parsed.matches((password + "x").getBytes(StandardCharsets.ISO_8859_1), new long[0]));
    assertEquals(hash, parsed.text());
  }

  @Test
  void readsSeventyTwoBytes() throws Exception {
    PasswordHash hash = PasswordHash.parse("$2a$04$......................SZFhVdUK5wGKY4lx/QrgUMHG0XsWjbi");
    assertTrue(hash.matches("x".repeat(80).getBytes(StandardCharsets.UTF_8), new long[0]));
    assertTrue(hash.matches("x".repeat(72).getBytes(StandardCharsets.UTF_8), new long[0]));
    assertFalse(hash.matches("x".repeat(71).getBytes(StandardCharsets.UTF_8), new long[0]));
  }
}
