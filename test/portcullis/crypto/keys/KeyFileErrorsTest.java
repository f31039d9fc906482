package portcullis.crypto.keys;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Files of keys and of revocation lists that hold something else: the message names the file and what is wrong. */
class KeyFileErrorsTest {
  @TempDir
  private Path folder;

  private Path file(String text) throws IOException {
    return Files.writeString(folder.resolve("file"), text.replace(' ', '\n').replace('_', ' '));
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', value = {
    "nothing|it holds no list, expected at least one `-----BEGIN X509 CRL-----`",
    "-----BEGIN_X509_CRL----- AAAA -----END_X509_CRL-----|it is not a usable revocation list",
    "0123|it is not a usable revocation list",
    "-----BEGIN_CERTIFICATE----- AAAA -----END_CERTIFICATE-----|"
        + "entry 1 (line 1, `CERTIFICATE`): expected `X509 CRL` only",
  })
  void revocationLists(String text, String message) throws IOException {
    Path file = file(text);
    assertEquals("revocation list `" + file + "`: " + message,
        assertThrows(KeyMaterialException.class, () -> RevocationLists.read(file)).getMessage());
  }

  private static final String ED25519 = "-----BEGIN_PUBLIC_KEY----- "
      + "MCowBQYDK2VwAyEAGb9ECWmEzf6FQbrBZ9w7lshQhqowtrbLDFw4rXAxZuE= -----END_PUBLIC_KEY----- "; // RFC 8410, 10.1

  @ParameterizedTest
  @CsvSource(delimiter = '|', value = {
    "nothing|it holds no `PUBLIC KEY`",
    "-----BEGIN_PUBLIC_KEY----- AAAA -----END_PUBLIC_KEY-----|entry 1 (line 1, `PUBLIC KEY`): it is not an Ed25519 key",
    "-----BEGIN_CERTIFICATE----- AAAA -----END_CERTIFICATE-----|entry 1 (line 1, `CERTIFICATE`): expected `PUBLIC KEY`",
  })
  void verificationKeys(String text, String message) throws IOException {
    Path file = file(text);
    assertEquals("key file `" + file + "`: " + message,
        assertThrows(KeyMaterialException.class, () -> VerificationKeys.ed25519(file)).getMessage());
  }

  @Test
  void allKeysOfAFileAreRead() throws Exception {
    assertEquals(2, VerificationKeys.ed25519(file(ED25519 + ED25519)).size());
  }

  @Test
  void whatCannotBeReadSaysWhy() {
    assertEquals("it cannot be read: Input/output error",
        assertThrows(KeyMaterialException.class, () -> KeyFile.text(Path.of("/proc/self/mem"))).getMessage());
    assertEquals("it is a folder, not a file",
        assertThrows(KeyMaterialException.class, () -> KeyFile.text(folder)).getMessage());
  }

  @Test
  void filesHaveTwoMebibytesAtMost() throws Exception {
    Path largest = Files.write(folder.resolve("largest"), new byte[2 << 20]);
    assertEquals(2 << 20, KeyFile.text(largest).length());
    Files.write(largest, new byte[1], StandardOpenOption.APPEND);
    assertEquals("it is larger than 2097152 bytes",
        assertThrows(KeyMaterialException.class, () -> KeyFile.text(largest)).getMessage());
  }
}
