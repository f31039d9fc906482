package portcullis.mutation;

import java.util.Arrays;
import java.util.BitSet;

/** Notes which lines run. Instrumented code calls it. */
public final class Probe {
  private static volatile boolean[] hits = new boolean[0];

  private Probe() {}

  static void begin(int lines) {
    hits = new boolean[lines];
  }

  public static void hit(int line) {
    boolean[] all = hits;
    if (line < all.length) {
      all[line] = true;
    }
  }

  /** The lines that have run since the last call. */
  static BitSet taken() {
    BitSet out = new BitSet();
    boolean[] all = hits;
    for (int i = 0; i < all.length; i++) {
      out.set(i, all[i]);
    }
    Arrays.fill(all, false);
    return out;
  }
}
