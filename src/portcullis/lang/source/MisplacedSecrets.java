package portcullis.lang.source;

import java.util.regex.Pattern;

/** Hides secrets that stand where something else belongs: a key instead of its file, a value within a name. */
final class MisplacedSecrets {
  private static final String HIDDEN = "***";
  /** Where a file of keys is named. */
  private static final Pattern KEY_PATH = Pattern.compile("(.*[._])?(key|keys|key_file|key_store)(\\[\\d+])?");
  private static final String PEM = "-----BEGIN[^\"'`\\n]*";
  private static final Pattern KEY = Pattern.compile(PEM + "|[A-Za-z0-9_=+-]{32,}");
  private static final Pattern SURE_KEY = Pattern.compile(PEM + "|\\b[0-9a-fA-F]{64,}\\b");
  /** A blank is missing between a name in braces and its value. */
  private static final Pattern PATH_WITH_VALUE = Pattern.compile("((?:^|\\.)[\\w-]{1,64}:)(?!/).+");
  private static final Pattern NAME_WITH_VALUE = Pattern.compile("(?s)(unknown key `[^`:=]{1,64}[:=])[^`]+(`.*)");
  private static final Pattern COMMENT = Pattern.compile("(?i)(^|\\s)#.*(pass|pw|secret|token|key|credential).*");

  private MisplacedSecrets() {}

  /** Returns a message about the place of that path. */
  static String ofMessage(String message, String path) {
    String named = NAME_WITH_VALUE.matcher(message).replaceFirst("$1" + HIDDEN + "$2");
    return KEY_PATH.matcher(path).matches() ? KEY.matcher(named).replaceAll(HIDDEN) : named;
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
    return (KEY_PATH.matcher(path).matches() ? KEY : SURE_KEY).matcher(shown).replaceAll(HIDDEN);
  }
}
