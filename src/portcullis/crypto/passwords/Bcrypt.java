package portcullis.crypto.passwords;

import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Computes bcrypt, which is Blowfish with an expensive key schedule. For one thread and one computation. */
final class Bcrypt {
  /** The number of bytes of a password that count. */
  static final int MOST_BYTES = 72;
  static final int SALT_BYTES = 16;
  /** The last encrypted byte is left out, as the first implementation did. */
  static final int HASH_BYTES = 23;

  private static final int ROUNDS = 16;
  private static final int BOX = 256;
  private static final byte[] TEXT = "OrpheanBeholderScryDoubt".getBytes(StandardCharsets.US_ASCII);

  private final int[] subkeys = Arrays.copyOf(Pi.WORDS, ROUNDS + 2);
  private final int[] boxes = Arrays.copyOfRange(Pi.WORDS, ROUNDS + 2, Pi.WORDS.length);
  private int left;
  private int right;

  private Bcrypt() {}

  /** The fraction of pi in hexadecimal, which Blowfish starts with. */
  private static final class Pi {
    private static final int COUNT = ROUNDS + 2 + 4 * BOX;
    private static final int GUARD = 64;
    static final int[] WORDS = words();

    private static int[] words() {
      BigInteger one = BigInteger.ONE.shiftLeft(COUNT * Integer.SIZE + GUARD);
      // Machin: pi = 16 arctan(1/5) - 4 arctan(1/239)
      BigInteger pi = arctan(one, 5).shiftLeft(4).subtract(arctan(one, 239).shiftLeft(2));
      BigInteger fraction = pi.subtract(one.multiply(BigInteger.valueOf(3))).shiftRight(GUARD);
      byte[] digits = fraction.toByteArray();
      byte[] padded = new byte[COUNT * Integer.BYTES];
      int skipped = Math.max(0, digits.length - padded.length);
      System.arraycopy(digits, skipped, padded, padded.length - (digits.length - skipped), digits.length - skipped);
      int[] out = new int[COUNT];
      ByteBuffer.wrap(padded).asIntBuffer().get(out);
      return out;
    }

    private static BigInteger arctan(BigInteger one, int inverse) {
      BigInteger square = BigInteger.valueOf((long) inverse * inverse);
      BigInteger power = one.divide(BigInteger.valueOf(inverse));
      BigInteger sum = power;
      for (int n = 3; power.signum() > 0; n += 2) {
        power = power.divide(square);
        BigInteger term = power.divide(BigInteger.valueOf(n));
        sum = n % 4 == 3 ? sum.subtract(term) : sum.add(term);
      }
      return sum;
    }
  }

  /**
   * Returns the hash of a password.
   *
   * @param cost the logarithm of the number of rounds
   */
  static byte[] hash(byte[] password, byte[] salt, int cost) {
    byte[] key = Arrays.copyOf(password, Math.min(password.length + 1, MOST_BYTES)); // with a zero at the end
    int[] keyWords = words(key, ROUNDS + 2);
    int[] saltWords = words(salt, ROUNDS + 2);
    Bcrypt state = new Bcrypt();
    state.expand(keyWords, words(salt, 4));
    int[] none = new int[4];
    for (long round = 1L << cost; round > 0; round--) {
      state.expand(keyWords, none);
      state.expand(saltWords, none);
    }
    return state.encrypted();
  }

  /** Returns that many words of these bytes, which are repeated as needed. */
  private static int[] words(byte[] bytes, int count) {
    int[] out = new int[count];
    int at = 0;
    for (int i = 0; i < count; i++) {
      for (int part = 0; part < Integer.BYTES; part++) {
        out[i] = out[i] << 8 | bytes[at] & 0xff;
        at = (at + 1) % bytes.length;
      }
    }
    return out;
  }

  private void expand(int[] key, int[] salt) {
    for (int i = 0; i < subkeys.length; i++) {
      subkeys[i] ^= key[i];
    }
    left = 0;
    right = 0;
    int at = 0;
    for (int i = 0; i < subkeys.length; i += 2) {
      encrypt(salt[at], salt[at + 1]);
      at ^= 2;
      subkeys[i] = left;
      subkeys[i + 1] = right;
    }
    for (int i = 0; i < boxes.length; i += 2) {
      encrypt(salt[at], salt[at + 1]);
      at ^= 2;
      boxes[i] = left;
      boxes[i + 1] = right;
    }
  }

  /** Encrypts the previous block, combined with these words. */
  private void encrypt(int first, int second) {
    int l = left ^ first ^ subkeys[0];
    int r = right ^ second;
    for (int i = 1; i <= ROUNDS; i += 2) {
      r ^= f(l) ^ subkeys[i];
      l ^= f(r) ^ subkeys[i + 1];
    }
    left = r ^ subkeys[ROUNDS + 1];
    right = l;
  }

  private int f(int x) {
    return (boxes[x >>> 24] + boxes[BOX + (x >>> 16 & 0xff)] ^ boxes[2 * BOX + (x >>> 8 & 0xff)])
        + boxes[3 * BOX + (x & 0xff)];
  }

  private byte[] encrypted() {
    ByteBuffer out = ByteBuffer.allocate(TEXT.length);
    int[] text = words(TEXT, TEXT.length / Integer.BYTES);
    for (int block = 0; block < text.length; block += 2) {
      left = text[block];
      right = text[block + 1];
      for (int i = 0; i < 64; i++) {
        encrypt(0, 0);
      }
      out.putInt(left).putInt(right);
    }
    return Arrays.copyOf(out.array(), HASH_BYTES);
  }
}
