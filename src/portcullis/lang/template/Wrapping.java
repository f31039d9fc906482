package portcullis.lang.template;

import portcullis.lang.value.ValueException;

/** Wraps a string at blanks into lines of so many bytes. */
final class Wrapping {
  private Wrapping() {}

  /** @param breaksWords whether words longer than a line are broken; otherwise their line is too long */
  static String text(String text, long width, String lineEnd, boolean breaksWords, Budget budget)
      throws ValueException {
    byte[] all = Bytes.of(text);
    int most = Math.clamp(width, 1, Integer.MAX_VALUE);
    Output out = new Output(budget);
    int at = 0;
    while (all.length - at > most) {
      if (all[at] == ' ') {
        at++;
        continue;
      }
      int blank = lastBlank(all, at, at + most);
      int end = blank >= 0 ? blank : breaksWords ? at + most : nextBlank(all, at + most);
      out.add(Bytes.text(all, at, end)).add(end < all.length || breaksWords ? lineEnd : "");
      at = blank < 0 && breaksWords ? end : Math.min(end + 1, all.length);
    }
    return out.add(Bytes.text(all, at, all.length)).text();
  }

  private static int lastBlank(byte[] all, int from, int to) {
    int i = to;
    while (i >= from && all[i] != ' ') {
      i--;
    }
    return i >= from ? i : -1;
  }

  private static int nextBlank(byte[] all, int from) {
    int i = from;
    while (i < all.length && all[i] != ' ') {
      i++;
    }
    return i;
  }
}
