package portcullis.observe.decisions;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import portcullis.crypto.keys.KeyMaterialException;
import portcullis.crypto.keys.SymmetricKey;

class KeyedHashTest {
  @TempDir
  private Path folder;

  private SymmetricKey key(String text) throws IOException, KeyMaterialException {
    return SymmetricKey.read(Files.writeString(folder.resolve("key"), text));
  }

  /** As {@code printf %s alice | openssl mac -digest SHA256 -macopt hexkey:0b0b… HMAC} prints it. */
  @Test
  void isTheBeginningOfAnHmac() throws Exception {
    KeyedHash hash = new KeyedHash(key("0b".repeat(32) + "\n"));
    assertEquals("f0e38b83:99db77b0762df8b1c0373451dc06e834", hash.of("alice"));
    assertNotEquals(hash.of("alice"), hash.of("Alice"));
    assertNotEquals(hash.of("alice"), new KeyedHash(key("0c".repeat(32))).of("alice"), "of another key");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "secret", "0b0b", "zz0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b"})
  void needsAKeyOf256Bits(String text) {
    assertThrows(KeyMaterialException.class, () -> key(text));
  }
}
