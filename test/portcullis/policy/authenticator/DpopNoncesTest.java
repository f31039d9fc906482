package portcullis.policy.authenticator;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Instant;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class DpopNoncesTest {
  /** Computed with Python's hmac module; instances of two releases that share a key have to agree. */
  @Test
  void aNonceIsATimeAndItsMacWithAKeyOfItsOwn() {
    byte[] secret = new byte[32];
    Arrays.fill(secret, (byte) 11);
    assertEquals("AAAAAGVT8QCHcc8fIgjeVRgfPWxh7l8Z",
        new DpopNonces(secret).issue("token", Instant.ofEpochSecond(1_700_000_000)));
  }
}
