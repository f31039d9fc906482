package portcullis.crypto.passwords;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Computes BLAKE2b without a key (RFC 7693). For one thread and one message. */
final class Blake2b {
  private static final int BLOCK = 128;
  private static final int ROUNDS = 12;
  private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final long[] IV = {0x6a09e667f3bcc908L, 0xbb67ae8584caa73bL, 0x3c6ef372fe94f82bL, 0xa54ff53a5f1d36f1L,
    0x510e527fade682d1L, 0x9b05688c2b3e6c1fL, 0x1f83d9abfb41bd6bL, 0x5be0cd19137e2179L};
  /** The order of message words in each round (RFC 7693, 2.7). */
  private static final byte[][] SIGMA = {{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15},
    {14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3}, {11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4},
    {7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8}, {9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13},
    {2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9}, {12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11},
    {13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10}, {6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5},
    {10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0}};

  private final long[] state = IV.clone();
  private final long[] work = new long[16];
  private final byte[] block = new byte[BLOCK];
  private final int length;
  private int filled;
  private long count;

  /** @param length of the digest in bytes, 1 to 64 */
  Blake2b(int length) {
    this.length = length;
    state[0] ^= 0x01010000L ^ length;
  }

  /** Returns the digest of these parts, one after the other. */
  static byte[] digest(int length, byte[]... parts) {
    Blake2b out = new Blake2b(length);
    for (byte[] part : parts) {
      out.update(part);
    }
    return out.digest();
  }

  Blake2b update(byte[] bytes) {
    int at = 0;
    while (at < bytes.length) {
      if (filled == BLOCK) {
        count += BLOCK;
        compress(false);
        filled = 0;
      }
      int part = Math.min(BLOCK - filled, bytes.length - at);
      System.arraycopy(bytes, at, block, filled, part);
      filled += part;
      at += part;
    }
    return this;
  }

  byte[] digest() {
    count += filled;
    for (int i = filled; i < BLOCK; i++) {
      block[i] = 0;
    }
    compress(true);
    byte[] all = new byte[64];
    for (int i = 0; i < state.length; i++) {
      LONGS.set(all, i * Long.BYTES, state[i]);
    }
    byte[] out = new byte[length];
    System.arraycopy(all, 0, out, 0, length);
    return out;
  }

  private void compress(boolean last) {
    System.arraycopy(state, 0, work, 0, 8);
    System.arraycopy(IV, 0, work, 8, 8);
    work[12] ^= count; // messages are shorter than 2^63 bytes
    if (last) {
      work[14] = ~work[14];
    }
    for (int round = 0; round < ROUNDS; round++) {
      byte[] s = SIGMA[round % SIGMA.length];
      mix(0, 4, 8, 12, word(s[0]), word(s[1]));
      mix(1, 5, 9, 13, word(s[2]), word(s[3]));
      mix(2, 6, 10, 14, word(s[4]), word(s[5]));
      mix(3, 7, 11, 15, word(s[6]), word(s[7]));
      mix(0, 5, 10, 15, word(s[8]), word(s[9]));
      mix(1, 6, 11, 12, word(s[10]), word(s[11]));
      mix(2, 7, 8, 13, word(s[12]), word(s[13]));
      mix(3, 4, 9, 14, word(s[14]), word(s[15]));
    }
    for (int i = 0; i < 8; i++) {
      state[i] ^= work[i] ^ work[i + 8];
    }
  }

  private long word(int index) {
    return (long) LONGS.get(block, index * Long.BYTES);
  }

  private void mix(int a, int b, int c, int d, long x, long y) {
    work[a] += work[b] + x;
    work[d] = Long.rotateRight(work[d] ^ work[a], 32);
    work[c] += work[d];
    work[b] = Long.rotateRight(work[b] ^ work[c], 24);
    work[a] += work[b] + y;
    work[d] = Long.rotateRight(work[d] ^ work[a], 16);
    work[c] += work[d];
    work[b] = Long.rotateRight(work[b] ^ work[c], 63);
  }
}
