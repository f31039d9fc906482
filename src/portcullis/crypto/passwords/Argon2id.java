package portcullis.crypto.passwords;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Computes Argon2id, version 0x13 (RFC 9106). For one thread and one computation; its lanes are filled one after the
 * other, so a hash takes one processor.
 */
final class Argon2id {
  /** 64-bit words of a block of 1 KiB. */
  static final int WORDS = 128;

  private static final int BLOCK_BYTES = 1024;
  private static final int SLICES = 4;
  private static final int VERSION = 0x13;
  private static final int TYPE = 2;
  private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle INTS = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

  private final Costs costs;
  private final long[] memory;
  private final int laneBlocks;
  private final int segment;
  private final long[] mixed = new long[WORDS];
  private final long[] before = new long[WORDS];
  private final long[] addresses = new long[WORDS];
  private final long[] input = new long[WORDS];

  /**
   * What a hash costs.
   *
   * @param memory in KiB, at least 8 for each lane
   */
  record Costs(int memory, int passes, int lanes) {
    /** Returns the number of 64-bit words of memory that a computation needs. */
    int words() {
      return memory / (SLICES * lanes) * (SLICES * lanes) * WORDS;
    }
  }

  /** What is hashed besides the password; secret and data are mostly empty. */
  record Salted(byte[] salt, byte[] secret, byte[] data) {
    Salted(byte[] salt) {
      this(salt, new byte[0], new byte[0]);
    }
  }

  private Argon2id(Costs costs, long[] memory) {
    this.costs = costs;
    this.memory = memory;
    this.laneBlocks = costs.words() / WORDS / costs.lanes;
    this.segment = laneBlocks / SLICES;
  }

  /**
   * Returns the tag of a password.
   *
   * @param memory with at least {@link Costs#words}; it is overwritten
   * @param length of the tag in bytes
   */
  static byte[] hash(byte[] password, Salted salted, Costs costs, int length, long[] memory) {
    return new Argon2id(costs, memory).hash(password, salted, length);
  }

  private byte[] hash(byte[] password, Salted salted, int length) {
    byte[] seed = Blake2b.digest(64, ints(costs.lanes, length, costs.memory, costs.passes, VERSION, TYPE),
        ints(password.length), password, ints(salted.salt.length), salted.salt, ints(salted.secret.length),
        salted.secret, ints(salted.data.length), salted.data);
    for (int lane = 0; lane < costs.lanes; lane++) {
      for (int i = 0; i < 2; i++) {
        byte[] block = longer(BLOCK_BYTES, seed, ints(i, lane));
        int at = (lane * laneBlocks + i) * WORDS;
        for (int word = 0; word < WORDS; word++) {
          memory[at + word] = (long) LONGS.get(block, word * Long.BYTES);
        }
      }
    }
    for (int pass = 0; pass < costs.passes; pass++) {
      for (int slice = 0; slice < SLICES; slice++) {
        for (int lane = 0; lane < costs.lanes; lane++) {
          fill(pass, slice, lane);
        }
      }
    }
    return longer(length, last());
  }

  /** Returns the last blocks of all lanes, combined. */
  private byte[] last() {
    byte[] out = new byte[BLOCK_BYTES];
    for (int word = 0; word < WORDS; word++) {
      long all = 0;
      for (int lane = 0; lane < costs.lanes; lane++) {
        all ^= memory[((lane + 1) * laneBlocks - 1) * WORDS + word];
      }
      LONGS.set(out, word * Long.BYTES, all);
    }
    return out;
  }

  private void fill(int pass, int slice, int lane) {
    boolean isIndependent = pass == 0 && slice < SLICES / 2;
    Arrays.fill(input, 0);
    input[0] = pass;
    input[1] = lane;
    input[2] = slice;
    input[3] = (long) laneBlocks * costs.lanes;
    input[4] = costs.passes;
    input[5] = TYPE;
    int start = pass == 0 && slice == 0 ? 2 : 0;
    if (isIndependent && start > 0) {
      nextAddresses();
    }
    for (int i = start; i < segment; i++) {
      int column = slice * segment + i;
      int current = lane * laneBlocks + column;
      int previous = column == 0 ? current + laneBlocks - 1 : current - 1;
      if (isIndependent && i % WORDS == 0) {
        nextAddresses();
      }
      long random = isIndependent ? addresses[i % WORDS] : memory[previous * WORDS];
      int from = pass == 0 && slice == 0 ? lane : (int) ((random >>> 32) % costs.lanes);
      int reference = from * laneBlocks + column(pass, slice, i, from == lane, random & 0xffffffffL);
      compress(memory, previous * WORDS, memory, reference * WORDS, memory, current * WORDS, pass > 0);
    }
  }

  /** Computes the addresses of the next 128 blocks (RFC 9106, 3.4.1.2). */
  private void nextAddresses() {
    input[6]++;
    long[] zero = new long[WORDS];
    compress(zero, 0, input, 0, addresses, 0, false);
    compress(zero, 0, addresses, 0, addresses, 0, false);
  }

  /** Returns the column of the block that is referred to (RFC 9106, 3.4.2). */
  private int column(int pass, int slice, int index, boolean isSameLane, long random) {
    int complete = pass == 0 ? slice * segment : laneBlocks - segment;
    int area = isSameLane ? complete + index - 1 : complete - (index == 0 ? 1 : 0);
    long square = random * random >>> 32;
    long position = area - 1 - ((long) area * square >>> 32);
    int start = pass == 0 || slice == SLICES - 1 ? 0 : (slice + 1) * segment;
    return (int) ((start + position) % laneBlocks);
  }

  /** Writes G(x, y) of RFC 9106, 3.5, combined with what was there if {@code adds}. */
  private void compress(long[] x, int xAt, long[] y, int yAt, long[] to, int at, boolean adds) {
    for (int i = 0; i < WORDS; i++) {
      mixed[i] = x[xAt + i] ^ y[yAt + i];
      before[i] = adds ? mixed[i] ^ to[at + i] : mixed[i];
    }
    for (int i = 0; i < WORDS; i += 16) {
      permute(mixed, i, 1, 2);
    }
    for (int i = 0; i < 16; i += 2) {
      permute(mixed, i, 1, 16);
    }
    for (int i = 0; i < WORDS; i++) {
      to[at + i] = mixed[i] ^ before[i];
    }
  }

  /** Applies P to eight pairs of words: the n-th begins at {@code from + n * step} (RFC 9106, 3.6). */
  private static void permute(long[] v, int from, int one, int step) {
    int b = from + 2 * step;
    int c = from + 4 * step;
    int d = from + 6 * step;
    mix(v, from, b, c, d);
    mix(v, from + one, b + one, c + one, d + one);
    mix(v, from + step, b + step, c + step, d + step);
    mix(v, from + step + one, b + step + one, c + step + one, d + step + one);
    mix(v, from, b + one, c + step, d + step + one);
    mix(v, from + one, b + step, c + step + one, d);
    mix(v, from + step, b + step + one, c, d + one);
    mix(v, from + step + one, b, c + one, d + step);
  }

  private static void mix(long[] v, int a, int b, int c, int d) {
    long va = v[a];
    long vb = v[b];
    long vc = v[c];
    long vd = v[d];
    va += vb + 2 * (va & 0xffffffffL) * (vb & 0xffffffffL);
    vd = Long.rotateRight(vd ^ va, 32);
    vc += vd + 2 * (vc & 0xffffffffL) * (vd & 0xffffffffL);
    vb = Long.rotateRight(vb ^ vc, 24);
    va += vb + 2 * (va & 0xffffffffL) * (vb & 0xffffffffL);
    vd = Long.rotateRight(vd ^ va, 16);
    vc += vd + 2 * (vc & 0xffffffffL) * (vd & 0xffffffffL);
    vb = Long.rotateRight(vb ^ vc, 63);
    v[a] = va;
    v[b] = vb;
    v[c] = vc;
    v[d] = vd;
  }

  /** Returns H' of RFC 9106, 3.3. */
  private static byte[] longer(int length, byte[]... parts) {
    Blake2b first = new Blake2b(Math.min(length, 64)).update(ints(length));
    for (byte[] part : parts) {
      first.update(part);
    }
    byte[] last = first.digest();
    byte[] out = new byte[length];
    int at = 0;
    while (length - at > 64) {
      System.arraycopy(last, 0, out, at, 32);
      at += 32;
      last = Blake2b.digest(Math.min(length - at, 64), last);
    }
    System.arraycopy(last, 0, out, at, length - at);
    return out;
  }

  private static byte[] ints(int... values) {
    byte[] out = new byte[values.length * Integer.BYTES];
    for (int i = 0; i < values.length; i++) {
      INTS.set(out, i * Integer.BYTES, values[i]);
    }
    return out;
  }
}
