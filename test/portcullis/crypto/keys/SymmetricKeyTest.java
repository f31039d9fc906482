package portcullis.crypto.keys;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SymmetricKeyTest {
  @TempDir
  private Path folder;

  private Path key(String permissions) throws Exception {
    Path file = Files.writeString(folder.resolve("key"), " " + "0B".repeat(32) + "\n");
    return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(permissions));
  }

  @Test
  void aKeyThatEverybodyMayWriteIsRefused() throws Exception {
    Path file = key("rw-rw-rw-");
    assertEquals("everybody may write it, as `chmod 600` prevents",
        assertThrows(KeyMaterialException.class, () -> SymmetricKey.read(file)).getMessage());
    for (String permissions : new String[] {"rw-------", "rw-r--r--", "rw-rw----"}) {
      assertTrue(SymmetricKey.read(key(permissions)).isWrittenAs("0b".repeat(32)));
    }
  }

  @Test
  void aKeyHas64Digits() throws Exception {
    for (String text : new String[] {"", "0b".repeat(31), "0b".repeat(33), "0g".repeat(32)}) {
      assertThrows(KeyMaterialException.class, () -> SymmetricKey.parse(text, "it"));
    }
    SymmetricKey key = SymmetricKey.parse("0b".repeat(32), "it");
    assertEquals("f0e38b83", key.id());
    assertTrue(!key.isWrittenAs("0c".repeat(32)) && !key.isWrittenAs("") && !key.isWrittenAs("0b".repeat(31)));
  }

  @Test
  void itIsAKeyForTheAlgorithmThatIsNamed() throws Exception {
    SymmetricKey key = SymmetricKey.parse("0B".repeat(32), "it");
    byte[] bytes = new byte[32];
    Arrays.fill(bytes, (byte) 11);
    assertArrayEquals(bytes, key.of("AES").getEncoded());
    assertEquals("AES", key.of("AES").getAlgorithm());
    assertEquals("HmacSHA256", key.of("HmacSHA256").getAlgorithm());
    assertTrue(key.isWrittenAs("0b".repeat(32)) && key.isWrittenAs("0B".repeat(32)));
  }

  @Test
  void theErrorSaysWhereAKeyIsMissing() {
    assertEquals("line 2 has no key of 64 hexadecimal digits, as `openssl rand -hex 32` writes one",
        assertThrows(KeyMaterialException.class, () -> SymmetricKey.parse("", "line 2")).getMessage());
  }
}
