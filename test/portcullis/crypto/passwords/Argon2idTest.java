package portcullis.crypto.passwords;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class Argon2idTest {
  private static byte[] filled(int length, int value) {
    byte[] out = new byte[length];
    Arrays.fill(out, (byte) value);
    return out;
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  @Test
  void computesVectorOfRfc7693() {
    assertEquals("ba80a53f981c4d0d6a2797b69f12f6e94c212f14685ac4b74b12bb6fdbffa2d1"
        + "7d87c5392aab792dc252d5de4533cc9518d38aa8dbf1925ab92386edd4009923",
        HexFormat.of().formatHex(Blake2b.digest(64, bytes("a"), bytes("bc"))));
  }

  @Test
  void computesVectorOfRfc9106() {
    var costs = new Argon2id.Costs(32, 3, 4);
    var salted = new Argon2id.Salted(filled(16, 2), filled(8, 3), filled(12, 4));
    assertEquals("0d640df58d78766c08c037a34a8b53c9d01ef0452d75b65eb52520e96b01e659",
        HexFormat.of().formatHex(Argon2id.hash(filled(32, 1), salted, costs, 32, new long[costs.words()])));
  }

  /** By the reference implementation; passes, lanes, lengths and memory that no lane divides differ. */
  @ParameterizedTest
  @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
      $argon2id$v=19$m=64,t=1,p=1$mmHZxFHg/zyRqwkMsc9JYA$XzDEdgr0tOsPmVYwbKjkNsfSzJXlTFCoQzCWXxL3d6M
      $argon2id$v=19$m=1024,t=2,p=1$FRgpbDTM6gA$okoTfst0X8SyXSlhyrJfRw
      $argon2id$v=19$m=2051,t=3,p=4$P1MyCYKnv2R8i1tE4iCrZP5kxxE$gVa4bIikUuTl4h5O4hPjZDCT7cF3CPt2KiWK\
      UJPPBbauxngot5MyFyrM1dwpe5WLMwoxjIgGYwCeJPi55a8WqA
      $argon2id$v=19$m=4096,t=1,p=3$88MwpIPmdVPcTvdUVpQMPQ$9ptix9t47SgdaqVM/saNiJb+/kxH++Ez/mBvvcruu\
      xS+RZVGuYLTiogM96R8ne1UGzE9NgIbq9MsbszLy7yh/LfD5zkvk5Lo5Yhuqx0uX8xUJPHOOKLYqEWUTxhPSQ+a5J6AKQ
      """)
  void verifiesHashesOfTheReferenceImplementation(String hash) throws Exception {
    PasswordHash parsed = PasswordHash.parse(hash);
    long[] memory = filled(new long[parsed.words() + 7]);
    assertTrue(parsed.matches(bytes("pässword"), memory));
    assertFalse(parsed.matches(bytes("Pässword"), memory));
    assertEquals(hash, parsed.text());
  }

  private static long[] filled(long[] memory) {
    Arrays.fill(memory, 0x5555_5555_5555_5555L); // what was there before does not matter
    return memory;
  }
}
