package portcullis.lang.source;

import java.util.List;

/** Recognizes names of secrets in lines whose syntax is wrong, as {@code pass"word: x} and {@code secret# x}. */
final class BrokenName {
  private static final int LONGEST = 32;
  private static final int LINES_ABOVE = 6;
  private static final List<String> NAMES = List.of("password", "passphrase", "clientsecret", "secret", "apikey");

  private BrokenName() {}

  /** Returns whether the text before that end, without other characters, ends like the name of a secret. */
  static boolean isSecret(String line, int end, boolean ofCall) {
    int behind = end(line, end);
    if (behind == line.length() || ": \t=".indexOf(line.charAt(behind)) < 0) {
      return false;
    }
    StringBuilder letters = new StringBuilder();
    for (int at = end; at > 0 && end - at < LONGEST && ":=".indexOf(line.charAt(at - 1)) < 0; at--) {
      char c = line.charAt(at - 1);
      letters.append(c < 128 && Character.isLetterOrDigit(c) ? Character.toLowerCase(c) : "");
    }
    String text = letters.reverse().toString();
    return NAMES.stream().anyMatch(name -> endsLike(text, name)) || ofCall && endsLike(text, "value");
  }

  private static boolean endsLike(String text, String name) {
    for (int length = name.length() - 1; length <= name.length() + 1; length++) {
      if (length <= text.length() && Nearest.distance(text.substring(text.length() - length), name) <= 1) {
        return true;
      }
    }
    return false;
  }

  /** Returns where a name ends, with a quote or other characters that do not belong there in front of its colon. */
  static int end(String line, int wordEnd) {
    int at = wordEnd;
    while (at < line.length() && at - wordEnd < 3 && line.charAt(at) > ' ' && ":=/".indexOf(line.charAt(at)) < 0
        && !(line.charAt(at) < 128 && Character.isLetterOrDigit(line.charAt(at)))) {
      at++;
    }
    boolean separated = at < line.length() && ":=".indexOf(line.charAt(at)) >= 0;
    boolean one = at == wordEnd + 1 && at < line.length() && ",{[/".indexOf(line.charAt(wordEnd)) < 0;
    return separated || one ? at : wordEnd;
  }

  /** Returns whether a text is the name of a secret, a blank and more. */
  static boolean isFollowedByBlank(String text) {
    int blank = text.indexOf(' ');
    return blank > 0 && Redaction.isSecret(text.substring(0, blank));
  }

  /** Returns whether one of the last lines above has one of these words, however it is indented. */
  static boolean isNearby(SourceFile file, int number, List<String> words) {
    int seen = 0;
    for (int i = number - 1; i > 0 && seen < LINES_ABOVE; i--) {
      String line = file.line(i);
      if (words.stream().anyMatch(line::contains)) {
        return true;
      }
      seen += line.isBlank() ? 0 : 1;
    }
    return false;
  }
}
