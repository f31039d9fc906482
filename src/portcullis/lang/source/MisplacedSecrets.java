package portcullis.lang.source;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Hides secrets that stand where something else belongs: a key instead of its file, a value within a name. */
final class MisplacedSecrets {
  private static final String HIDDEN = "***";
  private static final int LONGEST_VALUE = 256;
  /** Where a file of keys or credentials is named, also as an option of a command. */
  private static final Pattern KEY_PATH = Pattern
      .compile("(.*[._-])?(key|keys|key_file|key_store)(\\[\\d+])?");
  /** Messages about it name keys by their ids. */
  private static final String KEY_STORE_PATH = "key_store.path";
  private static final Pattern CREDENTIALS_PATH = Pattern.compile("(.*[._])?credentials\\.path");
  private static final Pattern PATH_VALUE = Pattern.compile("(\\bpath[\"']?\\s*:\\s*[\"']?)([^\\s\"',}]+)");
  private static final String PEM = "-----BEGIN[^\"'`\\n]*";
  private static final Pattern KEY = Pattern.compile(PEM + "|[A-Za-z0-9_=+/-]{32,}");
  private static final Pattern SURE_KEY = Pattern.compile(PEM + "|\\b[0-9a-fA-F]{64,}\\b");
  /** A blank is missing between a name in braces and its value. */
  private static final Pattern PATH_WITH_VALUE = Pattern.compile("((?:^|\\.)[\\w-]{1,64}:)(?!/).+");
  private static final Pattern NAME_WITH_VALUE = Pattern.compile("(?s)(unknown key `[^`:=]{1,64}[:=])[^`]+(`.*)");
  private static final Pattern COMMENT = Pattern
      .compile("(?i)(^|\\s)#.*(pass|pw|secret|token|key|credential|cookie).*");

  /** A line up to a value in one word, without a quote, that more follows. */
  private static final Pattern VALUE_IN_A_WORD = Pattern
      .compile("(.*[\\s{,])?[\\w-]+:\\s+[^\\s\"'#,{}\\[\\]]+\\s+");
  /** Quoted input: a value in one word, then the name of a secret and the secret, as if a line break were missing. */
  private static final Pattern VALUE_WITH_SECRET = Pattern
      .compile("(`(?!portcullis )[^`\\s]+\\s+([\\w-]{2,64}):?\\s+)[^`]+");
  private static final Pattern COOKIE_PATH = Pattern.compile("(?i)(.*\\.)?headers\\.(set-)?cookie(\\[\\d+])?");

  private MisplacedSecrets() {}

  /**
   * Returns whether that is the header field with cookies. A name of small letters may be that of a setting, where
   * cookies have a name only.
   *
   * @param behind what follows it
   */
  static boolean isCookie(String name, String behind) {
    return name.equalsIgnoreCase("Set-Cookie") || name.equalsIgnoreCase("Cookie")
        && (!name.equals("cookie") || behind.split("[,}#]", 2)[0].contains("="));
  }

  /** Returns whether a path leads to the header field with cookies. */
  static boolean isCookiePath(String path) {
    return COOKIE_PATH.matcher(path).matches();
  }

  /** Returns whether what follows that part of a line would be a name, if a line break were not missing before it. */
  static boolean isBehindValue(String before) {
    return VALUE_IN_A_WORD.matcher(before.substring(Math.max(0, before.length() - LONGEST_VALUE))).matches();
  }

  /** Returns a message about the place of that path. */
  static String ofMessage(String message, String path) {
    String named = VALUE_WITH_SECRET.matcher(NAME_WITH_VALUE.matcher(message).replaceFirst("$1" + HIDDEN + "$2"))
        .replaceAll(found -> Matcher.quoteReplacement(
            Redaction.isSecret(found.group(2)) ? found.group(1) + HIDDEN : found.group()));
    return KEY_PATH.matcher(path).matches() ? withoutKeys(named) : named;
  }

  private static String withoutKeys(String text) {
    return KEY.matcher(text).replaceAll(found -> PastedKey.isLike(found.group()) ? HIDDEN
        : Matcher.quoteReplacement(found.group()));
  }

  /** Returns the path of a place. */
  static String ofPath(String path) {
    return PATH_WITH_VALUE.matcher(path).replaceFirst("$1" + HIDDEN);
  }

  /** Returns whether a string may be a password: what is needed instead, by the hint, has one. */
  static boolean isPassword(String message, String hint) {
    return message.contains("` is a string,") && hint.contains("password");
  }

  /** Returns a line of a file, with what stands at a place of that path. */
  static String ofLine(String line, String path) {
    String shown = COMMENT.matcher(line).replaceFirst("$1# " + HIDDEN);
    return CREDENTIALS_PATH.matcher(path).matches()
        ? PATH_VALUE.matcher(shown).replaceAll(found -> Matcher.quoteReplacement(
            found.group(1) + (PastedKey.isPath(found.group(2)) ? found.group(2) : HIDDEN)))
        : KEY_PATH.matcher(path).matches() || path.endsWith(KEY_STORE_PATH) ? withoutKeys(shown)
            : SURE_KEY.matcher(shown).replaceAll(HIDDEN);
  }
}
