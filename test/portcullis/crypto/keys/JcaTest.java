package portcullis.crypto.keys;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

class JcaTest {
  /** The example of FIPS 180-2, B.1. */
  @Test
  void computesSha256() {
    assertEquals("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
        HexFormat.of().formatHex(Jca.sha256().digest("abc".getBytes(StandardCharsets.US_ASCII))));
  }

  @Test
  void failsWhereAnAlgorithmIsMissing() {
    IllegalStateException thrown = assertThrows(IllegalStateException.class,
        () -> Jca.required(() -> MessageDigest.getInstance("SHA-0")));
    assertInstanceOf(NoSuchAlgorithmException.class, thrown.getCause());
  }
}
