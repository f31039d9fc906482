package portcullis.serve.redis;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import portcullis.policy.cache.CacheKey;

class SealTest {
  private static final CacheKey KEY = CacheKey.of("test", "a");
  private static final byte[] VALUE = "{\"allowed\":false}".getBytes(StandardCharsets.UTF_8);

  private final Seal plain = new Seal(Optional.empty());
  private final Seal secret = new Seal(Optional.of("a secret of all instances"));

  @Test
  void opensWhatItClosed() {
    for (Seal seal : List.of(plain, secret)) {
      for (byte[] value : List.of(VALUE, new byte[0], new byte[100_000])) {
        byte[] closed = seal.closed(KEY, value);
        assertArrayEquals(value, seal.opened(KEY, closed).orElseThrow());
        assertTrue(closed.length <= value.length + Seal.OVERHEAD);
      }
    }
  }

  @Test
  void anyChangeLeavesItClosed() {
    for (Seal seal : List.of(plain, secret)) {
      byte[] closed = seal.closed(KEY, VALUE);
      for (int i = 0; i < closed.length; i++) {
        for (int bit = 0; bit < 8; bit++) {
          byte[] other = closed.clone();
          other[i] ^= (byte) (1 << bit);
          assertEquals(Optional.empty(), seal.opened(KEY, other).map(String::new), "bit " + bit + " of byte " + i);
        }
        assertEquals(Optional.empty(), seal.opened(KEY, Arrays.copyOf(closed, i)).map(String::new), i + " bytes of it");
      }
      assertEquals(Optional.empty(), seal.opened(KEY, Arrays.copyOf(closed, closed.length + 1)).map(String::new));
    }
  }

  @Test
  void anAnswerUnderAnotherKeyStaysClosed() {
    for (Seal seal : List.of(plain, secret)) {
      assertEquals(Optional.empty(), seal.opened(CacheKey.of("test", "b"), seal.closed(KEY, VALUE)).map(String::new));
    }
  }

  @Test
  void whoLacksTheSecretCanNeitherReadNorForge() {
    Seal other = new Seal(Optional.of("another secret"));
    byte[] closed = secret.closed(KEY, VALUE);
    assertFalse(new String(closed, StandardCharsets.ISO_8859_1).contains("allowed"));
    assertEquals(Optional.empty(), other.opened(KEY, closed).map(String::new));
    assertEquals(Optional.empty(), plain.opened(KEY, closed).map(String::new));
    assertEquals(Optional.empty(), secret.opened(KEY, other.closed(KEY, VALUE)).map(String::new));
    assertEquals(Optional.empty(), secret.opened(KEY, plain.closed(KEY, VALUE)).map(String::new),
        "nor fall back to no secret");
  }

  @Test
  void theSameValueLooksDifferentEachTime() {
    assertFalse(Arrays.equals(secret.closed(KEY, VALUE), secret.closed(KEY, VALUE)));
  }
}
