package portcullis.lang.source;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;

/** Recognizes a key that stands where the path of its file belongs: it must not be shown. */
public final class PastedKey {
  private static final Pattern HEX = Pattern.compile("[0-9a-fA-F]{32,}");
  private static final Pattern BASE64 = Pattern.compile("[A-Za-z0-9+/_=-]{32,}");
  /** Base64 without padding is as random as that in each of its longer parts, and names of folders are not. */
  private static final List<Pattern> RANDOM = List.of(Pattern.compile("[a-z]"), Pattern.compile("[A-Z]"),
      Pattern.compile("[0-9]"));
  /** A file as it may be named without its folder. */
  private static final Pattern FILE_NAME = Pattern.compile("[\\w.-]+\\.[a-z]{2,5}");
  private static final int LONG_PART = 12;

  private PastedKey() {}

  /** Returns whether a string looks like a key: PEM, at least 32 hexadecimal digits, or as much base64. */
  public static boolean isLike(String text) {
    String key = text.strip();
    return key.contains("-----BEGIN") || HEX.matcher(key).matches() || BASE64.matcher(key).matches()
        && (!key.contains("/") || key.contains("+") || key.endsWith("=")
            || Arrays.stream(key.split("/")).anyMatch(PastedKey::isRandom));
  }

  private static boolean isRandom(String part) {
    return part.length() >= LONG_PART && RANDOM.stream().allMatch(kind -> kind.matcher(part).find());
  }

  /** Returns whether a string is the path of a file for sure, and not a password in its place. */
  public static boolean isPath(String text) {
    return !isLike(text) && (text.contains("/") || FILE_NAME.matcher(text).matches());
  }

  /** Returns the path of a file in backticks, or {@code `***`} where a key is in its place. */
  public static String shown(Path file) {
    return "`" + (isLike(file) ? "***" : file) + "`";
  }

  /** Returns whether the path of a file looks like a key, also where it was made absolute. */
  public static boolean isLike(Path file) {
    Path here = Path.of("").toAbsolutePath();
    return isLike((file.startsWith(here) ? here.relativize(file) : file).toString());
  }
}
