package portcullis.crypto.passwords;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PasswordHashTest {
  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  @Test
  void newHashesAreSaltedAndMatchTheirPassword() throws Exception {
    PasswordHash one = PasswordHash.of(bytes("correct horse"), new SecureRandom());
    PasswordHash two = PasswordHash.of(bytes("correct horse"), new SecureRandom());
    assertNotEquals(one.text(), two.text());
    PasswordHash read = PasswordHash.parse(one.text());
    assertTrue(read.matches(bytes("correct horse"), new long[read.words()]));
    assertFalse(read.matches(bytes("correct horse "), new long[read.words()]));
    assertEquals("argon2id m=19456,t=2,p=1", read.toString());
  }

  /** What OWASP recommends is not weak, nor what it has as equivalent. */
  @ParameterizedTest
  @CsvSource(delimiter = '|', textBlock = """
      $argon2id$v=19$m=19456,t=2,p=1$SALT$TAG |
      $argon2id$v=19$m=47104,t=1,p=1$SALT$TAG |
      $argon2id$v=19$m=7168,t=5,p=1$SALT$TAG |
      $argon2id$v=19$m=7167,t=6,p=1$SALT$TAG | low costs (m=7167,t=6,p=1)
      $argon2id$v=19$m=19456,t=1,p=1$SALT$TAG | low costs (m=19456,t=1,p=1)
      $argon2id$v=19$m=19456,t=2,p=1$AAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAA | 16 bytes instead of 32
      $2y$10$......................SZFhVdUK5wGKY4lx/QrgUMHG0XsWjbi |
      $2y$09$......................SZFhVdUK5wGKY4lx/QrgUMHG0XsWjbi | has the low cost 9
      """)
  void whatIsGuessedFastIsWeak(String text, String weakness) throws Exception {
    String hash = text.replace("SALT", "A".repeat(11)).replace("TAG", "A".repeat(43));
    String found = PasswordHash.parse(hash).weakness().orElse("");
    assertEquals(weakness != null, !found.isEmpty(), found);
    assertTrue(weakness == null || found.contains(weakness), found);
    assertTrue(PasswordHash.isLikely(hash));
  }

  @ParameterizedTest
  @ValueSource(strings = {"secret", "$2 for a coffee and a piece of cake", "$argon2id$", "$5$ is not much, is it?"})
  void otherStringsAreNoHashes(String text) {
    assertFalse(PasswordHash.isLikely(text));
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', textBlock = """
      $argon2id$v=19$m=8,t=1,p=1$AAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAA               | argon2id m=8,t=1,p=1
      $argon2id$v=19$m=65536,t=4,p=16$AAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAA          | argon2id m=65536,t=4,p=16
      $argon2id$v=19$m=65537,t=1,p=1$AAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAA           | has parameters out of bounds: \
      m=65537,t=1,p=1
      $argon2id$v=19$m=65536,t=5,p=1$AAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAA           | has parameters out of bounds: \
      m=65536,t=5,p=1
      $argon2id$v=19$m=999999999,t=999999999,p=1$AAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAA | has parameters out of \
      bounds: m=999999999,t=999999999,p=1
      $argon2id$v=19$m=15,t=1,p=2$AAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAA              | has parameters out of bounds: \
      m=15,t=1,p=2
      $argon2id$v=19$m=512,t=1,p=17$AAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAA            | has parameters out of bounds: \
      m=512,t=1,p=17
      $argon2id$v=16$m=8,t=1,p=1$AAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAA               | is of another version of \
      Argon2id than 19
      $argon2id$v=19$m=8,t=1,p=1$AAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAA                | has a salt of 7 and a hash of \
      16 bytes
      $argon2id$v=19$m=8,t=1,p=1$AAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAA                 | has a salt of 8 and a hash of \
      15 bytes
      $argon2id$v=19$m=8,t=1,p=1$AAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAA | has a part that is cut, or \
      not base64
      $argon2id$v=19$m=8,t=1,p=1$AAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAB | has a part that is cut, or \
      not base64
      $argon2id$v=19$m=8,t=1,p=1$AAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAA              | is cut: its hash has 17 bytes
      $argon2id$v=19$m=8,t=0,p=1$AAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAA               | is not a hash by Argon2id
      $argon2i$v=19$m=8,t=1,p=1$AAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAA                | is a hash by another algorithm \
      than Argon2id
      secret                                                                       | is not a hash
      $2y$04$......................SZFhVdUK5wGKY4lx/QrgUMHG0XsWjbi                 | bcrypt 4
      $2y$13$......................SZFhVdUK5wGKY4lx/QrgUMHG0XsWjbi                 | bcrypt 13
      $2y$14$......................SZFhVdUK5wGKY4lx/QrgUMHG0XsWjbi                 | has the cost 14
      $2y$03$......................SZFhVdUK5wGKY4lx/QrgUMHG0XsWjbi                 | has the cost 3
      $2x$04$......................SZFhVdUK5wGKY4lx/QrgUMHG0XsWjbi                 | is not a hash by bcrypt
      $2y$04$......................SZFhVdUK5wGKY4lx/QrgUMHG0XsWjb                  | is not a hash by bcrypt
      """)
  void costsAreBounded(String text, String outcome) {
    String found;
    try {
      found = PasswordHash.parse(text).costs();
    } catch (PasswordHash.InvalidHashException e) {
      found = e.getMessage();
      assertFalse(found.contains("AAAA"));
    }
    assertEquals(outcome, found);
  }

  @Test
  void decoysCostTheSameAndMatchNothing() throws Exception {
    PasswordHash hash = PasswordHash.parse("$argon2id$v=19$m=64,t=1,p=2$AAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAA");
    PasswordHash decoy = PasswordHash.withoutPassword(hash, new SecureRandom());
    assertEquals(hash.costs(), decoy.costs());
    assertEquals(hash.words(), decoy.words());
    assertFalse(decoy.matches(new byte[0], new long[decoy.words()]));
    assertThrows(PasswordHash.InvalidHashException.class, () -> PasswordHash.parse(""));
  }
}
