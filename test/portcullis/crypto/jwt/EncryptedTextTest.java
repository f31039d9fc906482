package portcullis.crypto.jwt;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import com.nimbusds.jose.JWEObject;
import com.nimbusds.jose.crypto.AESDecrypter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import portcullis.crypto.keys.SymmetricKey;

class EncryptedTextTest {
  private static final String HEX = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f";

  @TempDir
  private Path folder;

  private SymmetricKey key(String hex) throws Exception {
    return SymmetricKey.read(Files.writeString(folder.resolve("key"), hex));
  }

  @Test
  void anotherLibraryDecryptsIt() throws Exception {
    JWEObject parsed = JWEObject.parse(EncryptedText.seal("grüße", key(HEX)));
    parsed.decrypt(new AESDecrypter(HexFormat.of().parseHex(HEX)));
    assertEquals("grüße", parsed.getPayload().toString());
    assertEquals(key(HEX).id(), parsed.getHeader().getKeyID());
  }

  /** RFC 7518, 4.4 and 5.3: a key is wrapped with 8 bytes more, nonces have 96 bits, tags 128. */
  @Test
  void itsPartsHaveTheLengthsOfTheirAlgorithms() throws Exception {
    String[] parts = EncryptedText.seal("abc", key(HEX)).split("\\.");
    assertEquals(List.of(40, 12, 3, 16), Stream.of(parts).skip(1)
        .map(part -> Base64.getUrlDecoder().decode(part).length).toList());
  }

  @Test
  void isDecryptedWithItsKeyOnly() throws Exception {
    String sealed = EncryptedText.seal("secret", key(HEX));
    assertEquals(Optional.of("secret"), EncryptedText.open(sealed, key(HEX)));
    assertEquals(Optional.empty(), EncryptedText.open(sealed, key(HEX.replace("1f", "2f"))));
    assertNotEquals(sealed, EncryptedText.seal("secret", key(HEX)), "equal texts look different");
  }

  @Test
  void partsThatAreNoBase64UrlAreNotDecrypted() throws Exception {
    String[] parts = EncryptedText.seal("secret", key(HEX)).split("\\.");
    for (int i = 0; i < parts.length; i++) {
      String[] changed = parts.clone();
      changed[i] = "+" + changed[i].substring(1);
      assertEquals(Optional.empty(), EncryptedText.open(String.join(".", changed), key(HEX)));
    }
    assertEquals(Optional.empty(), EncryptedText.open(String.join(".", parts) + ".", key(HEX)));
    assertEquals(Optional.empty(), EncryptedText.open(String.join(".", List.of(parts).subList(0, 4)), key(HEX)));
  }

  @Test
  void doesNotDecryptChangedStrings() throws Exception {
    SymmetricKey key = key(HEX);
    String sealed = EncryptedText.seal("secret", key);
    for (int i = 0; i < sealed.length(); i++) {
      char other = sealed.charAt(i) == 'A' ? 'B' : 'A';
      String changed = sealed.substring(0, i) + other + sealed.substring(i + 1);
      assertEquals(Optional.empty(), EncryptedText.open(changed, key), changed);
    }
    assertEquals(Optional.empty(), EncryptedText.open(sealed + ".", key));
    assertEquals(Optional.empty(), EncryptedText.open("", key));
    assertEquals(Optional.empty(), EncryptedText.open("a.b.c.d.e", key));
  }
}
