package portcullis.lang.value;

/** Texts of decimal digits, {@code 1*DIGIT} of RFC 5234. */
public final class Digits {
  private Digits() {}

  /** Whether the text is digits and nothing else, one of them at least and at most so many. */
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
