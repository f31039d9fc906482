package portcullis.observe.decisions;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import portcullis.observe.telemetry.SafeUrl;

/**
 * Hides what looks like a credential in values whose names do not suggest any. Takes time that grows with the value.
 */
public final class SecretText {
  private static final String HIDDEN = "REDACTED";
  /** Of a header with as little as {@code {"alg":"none"}}, with some room. */
  private static final int SHORTEST_HEADER = 16;
  private static final Pattern SCHEME = Pattern.compile(
      "(?i)(?<![A-Za-z0-9])(bearer|basic|dpop|negotiate)([ \\t]{1,8}+)[^\\s,;\"']++");
  /** A name, perhaps in quotes, and a colon. */
  private static final Pattern NAME = Pattern.compile(
      "(?<![A-Za-z0-9_.-])([A-Za-z0-9_.-]{1,64}+)(?:\\\\?[\"'])?+[ \\t]{0,8}+:[ \\t]{0,8}+");
  /** What a secret name hides: words with a colon, and a value in quotes, a list or object up to the end, or a word. */
  private static final Pattern VALUE = Pattern
      .compile("(?s)(?:[^\\s,;&}\"'\\[{\\\\][^\\s,;&}\"']*+(?<=:)[ \\t]{1,8}+)*+"
          + "(?:\"(?:[^\"\\\\]|\\\\.)*+\"?+|'[^']+'?+|[\\[{].*"
          + "|\\\\\"(?:[^\\\\]|\\\\[^\"])*+|[^\\s,;&}\"']++)?+");
  private static final Pattern HUMP = Pattern.compile("(?<=[a-z0-9])(?=[A-Z])");

  private SecretText() {}

  /** Returns the value of a header field without tokens, credentials behind their scheme, and pairs of secret names. */
  public static String without(String value) {
    String out = withoutTokens(value, HIDDEN);
    out = out.indexOf(' ') < 0 && out.indexOf('\t') < 0 ? out : SCHEME.matcher(out).replaceAll("$1$2" + HIDDEN);
    return out.indexOf(':') < 0 ? out : withoutPairs(out);
  }

  /** Looks for names in the values of others, too: these may be objects, or text that has pairs of its own. */
  private static String withoutPairs(String text) {
    Matcher name = NAME.matcher(text);
    Matcher value = VALUE.matcher(text);
    StringBuilder out = new StringBuilder();
    int from = 0;
    for (boolean found = name.find(); found; found = from > name.end() ? name.find(from) : name.find()) {
      if (isSecret(name.group(1)) && value.region(name.end(), text.length()).lookingAt()
          && value.end() > value.start()) {
        out.append(text, from, value.start()).append(HIDDEN);
        from = value.end();
      }
    }
    return from == 0 ? text : out.append(text, from, text.length()).toString();
  }

  private static boolean isSecret(String name) {
    return SafeUrl.isSecret(name) || SafeUrl.isSecret(HUMP.matcher(name).replaceAll("-"));
  }

  /**
   * Hides JOSE's compact forms: they begin with a JSON object in base64url, {@code eyJ}, and go on to their last part.
   * Within a word only what is as long as a header is one; before it may stand what is left of an escape.
   */
  public static String withoutTokens(String text, String hidden) {
    int at = text.indexOf("eyJ");
    if (at < 0) {
      return text;
    }
    StringBuilder out = new StringBuilder();
    int from = 0;
    while (at >= 0) {
      int end = at + 1;
      if (begins(text, at) || isHeader(text, at)) {
        while (end < text.length() && isOfToken(text.charAt(end))) {
          end++;
        }
        out.append(text, from, at).append(hidden);
        from = end;
      }
      at = text.indexOf("eyJ", end);
    }
    return out.append(text, from, text.length()).toString();
  }

  /** Returns whether something begins there: behind a character that is in no word, or is escaped as in URLs. */
  private static boolean begins(String text, int at) {
    return at == 0 || !isOfWord(text.charAt(at - 1)) || at > 2 && text.charAt(at - 3) == '%';
  }

  private static boolean isHeader(String text, int at) {
    int end = at;
    while (end < text.length() && end < at + SHORTEST_HEADER && isOfToken(text.charAt(end))
        && text.charAt(end) != '.') {
      end++;
    }
    return end == at + SHORTEST_HEADER;
  }

  private static boolean isOfToken(char c) {
    return isOfWord(c) || c == '-' || c == '_' || c == '.';
  }

  private static boolean isOfWord(char c) {
    return c < 128 && Character.isLetterOrDigit(c);
  }
}
