package portcullis.observe.decisions;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import portcullis.observe.telemetry.SafeUrl;

/** Hides what looks like a credential in values whose names do not suggest any. Takes time that grows with the value. */
public final class SecretText {
  private static final String HIDDEN = "REDACTED";
  private static final Pattern SCHEME = Pattern.compile(
      "(?i)(?<![A-Za-z0-9])(bearer|basic|dpop|negotiate)([ \\t]{1,8}+)[^\\s,;\"']++");
  /** A name, perhaps in quotes, a colon, and a value in quotes, a list or object up to the end, or a word. */
  private static final Pattern PAIR = Pattern.compile("(?s)(?<![A-Za-z0-9_.-])([A-Za-z0-9_.-]{1,64}+)"
      + "((?:\\\\?[\"'])?+[ \\t]{0,8}+:[ \\t]{0,8}+)"
      + "(\"(?:[^\"\\\\]|\\\\.)*+\"?+|'[^']*+'?+|[\\[{].*|\\\\\"(?:[^\\\\]|\\\\[^\"])*+|[^\\s,;&}\"']++)");
  private static final Pattern HUMP = Pattern.compile("(?<=[a-z0-9])(?=[A-Z])");

  private SecretText() {}

  /** Returns the value of a header field without tokens, credentials behind their scheme, and pairs of secret names. */
  public static String without(String value) {
    String out = withoutTokens(value, HIDDEN);
    out = out.indexOf(' ') < 0 && out.indexOf('\t') < 0 ? out : SCHEME.matcher(out).replaceAll("$1$2" + HIDDEN);
    return out.indexOf(':') < 0 ? out
        : PAIR.matcher(out).replaceAll(found -> Matcher.quoteReplacement(isSecret(found.group(1))
            ? found.group(1) + found.group(2) + HIDDEN
            : found.group()));
  }

  private static boolean isSecret(String name) {
    return SafeUrl.isSecret(name) || SafeUrl.isSecret(HUMP.matcher(name).replaceAll("-"));
  }

  /** Hides JOSE's compact forms: they begin with a JSON object in base64url, {@code eyJ}, and go on to their last part. */
  public static String withoutTokens(String text, String hidden) {
    int at = text.indexOf("eyJ");
    if (at < 0) {
      return text;
    }
    StringBuilder out = new StringBuilder();
    int from = 0;
    for (; at >= 0; at = text.indexOf("eyJ", from)) {
      int end = at;
      while (end < text.length() && isOfToken(text.charAt(end))) {
        end++;
      }
      out.append(text, from, at).append(hidden);
      from = end;
    }
    return out.append(text, from, text.length()).toString();
  }

  private static boolean isOfToken(char c) {
    return c < 128 && (Character.isLetterOrDigit(c) || c == '-' || c == '_' || c == '.');
  }
}
