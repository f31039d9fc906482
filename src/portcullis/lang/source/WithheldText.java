package portcullis.lang.source;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Recognizes text of a file that is not quoted at all: a private key, or a file named by mistake, as of a password. */
final class WithheldText {
  private static final String HIDDEN = "***";
  private static final String BEGIN = "-----BEGIN";
  private static final String PUTTY = "PuTTY-User-Key-File";
  /** A file of keys, not a value in YAML, which is indented or quoted. */
  private static final Pattern KEY_FILE = Pattern.compile("(?m)^\\uFEFF?" + BEGIN + "|\\A" + PUTTY);
  /** What precedes the first line with a value: a byte order mark, blank lines, comments, directives, {@code ---}. */
  private static final Pattern HEAD = Pattern.compile("\\uFEFF?[ \\t]*(?:[#%].*|---[ \\t]*(?:#.*)?)?(?:\\R|$)");
  private static final String NAME = "(?:\"[^\"\\r\\n]{1,64}\"|'[^'\\r\\n]{1,64}'|[^\\s\"'{\\[#]\\S{0,63}?)"
      + "\\s*:(?:\\s|$)";
  /** How a mapping begins, or a list of mappings; an LDAP password as {@code {SSHA}…} does not. */
  private static final Pattern MAPPING = Pattern
      .compile(
          "[ \\t]*+(?:-[ \\t]+)*(?:[?] |<<:|(?:---[ \\t]+)?[\\[{]?\\s*\\{\\s*(?:#|}|$|" + NAME + ")|" + NAME + ")");
  private static final Pattern OF_A_KIND = Pattern.compile("(?s)`.*` is (an? \\w+), (a mapping is needed)");
  /** Messages and hints that quote no text of the file. */
  private static final Pattern HARMLESS = Pattern.compile("`(?:[^\\w`]{1,2}|name: value)`");

  private WithheldText() {}

  /** Returns what the text of a file seems to be. */
  static SourceFile.Content content(String text) {
    boolean pem = text.contains(BEGIN);
    return (pem || text.startsWith(PUTTY)) && KEY_FILE.matcher(text).find() ? SourceFile.Content.KEY
        : !beginsMapping(text) ? SourceFile.Content.OTHER
            : pem ? SourceFile.Content.MAPPING_WITH_KEY : SourceFile.Content.MAPPING;
  }

  /** Returns whether a place belongs to a key in PEM, or to a file of keys. */
  static boolean isKey(Origin at) {
    return at instanceof Origin.InFile place && (place.file().content() == SourceFile.Content.KEY
        || place.file().content() == SourceFile.Content.MAPPING_WITH_KEY
            && isWithinPem(place.file(), place.line()));
  }

  /** Returns whether a line belongs to PEM that began in a line above. */
  private static boolean isWithinPem(SourceFile file, int number) {
    int start = file.start(number);
    int begin = start == 0 ? -1 : file.text().lastIndexOf(BEGIN, start - 1);
    return begin >= 0 && file.text().lastIndexOf("-----END", start - 1) < begin;
  }

  /** Returns whether a problem of that path is one of a file that does not begin as a mapping. */
  static boolean isNoMapping(Origin at, String path) {
    return (path.isEmpty() || path.startsWith("[")) && at instanceof Origin.InFile place
        && place.file().content() == SourceFile.Content.OTHER;
  }

  private static boolean beginsMapping(String text) {
    int from = 0;
    for (Matcher head = HEAD.matcher(text); from < text.length() && head.region(from, text.length()).lookingAt();) {
      from = head.end();
    }
    return from == text.length() || MAPPING.matcher(text).region(from, text.length()).lookingAt();
  }

  /** Returns whether a message or hint is as it would be about any other file. */
  static boolean isHarmless(String message) {
    return HARMLESS.matcher(message).replaceAll("").indexOf('`') < 0;
  }

  /** Returns a message about such a place. */
  static String ofMessage(String message, boolean key) {
    String shown = OF_A_KIND.matcher(message).replaceFirst("this is $1, $2");
    return isHarmless(shown) ? shown
        : key ? shown.substring(0, shown.indexOf('`') + 1) + HIDDEN + shown.substring(shown.lastIndexOf('`'))
            : "this is not a mapping, which is needed";
  }

  /** Returns a path to what is in a key. */
  static String ofPath(String path) {
    return path.isEmpty() ? path : HIDDEN;
  }

  /** Returns what is shown instead of the line. */
  static String note(boolean key) {
    return key ? "(not shown, as it is a key)"
        : "(not shown, as it may be a secret: the file does not begin with a name, as `version: \"1\"`)";
  }
}
