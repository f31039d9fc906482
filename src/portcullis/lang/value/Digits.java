package portcullis.lang.value;

/** Checks strings of decimal digits, {@code 1*DIGIT} of RFC 5234. */
public final class Digits {
  private Digits() {}

  /** Returns whether the string consists of at least one and at most so many digits. */
  public static boolean are(String text, int most) {
    if (text.isEmpty() || text.length() > most) {
      return false;
    }
    for (int i = 0; i < text.length(); i++) {
      if (text.charAt(i) < '0' || text.charAt(i) > '9') {
        return false;
      }
    }
    return true;
  }
}
