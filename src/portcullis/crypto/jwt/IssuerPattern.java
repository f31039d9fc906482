package portcullis.crypto.jwt;

import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Compares the issuer of a token with an expected one: an identifier, compared character by character, or an http or
 * https URL in which {@code *} stands for exactly one segment of the path, as in {@code https://idp.example/realms/*}.
 * The segment consists of letters, digits, {@code - . _ ~}, and escapes of blanks and of bytes beyond ASCII; so it
 * holds neither a separator nor a dot segment, however often an address that it is filled into is decoded.
 */
public final class IssuerPattern {
  private static final String ANY = "*";
  private static final int LONGEST_SEGMENT = 255;
  private static final Pattern SEGMENT = Pattern.compile("(?:[A-Za-z0-9._~-]|%(?:20|[89A-Fa-f][0-9A-Fa-f]))++");
  private static final Pattern PLACE = Pattern.compile("https?://[^/?#*]+", Pattern.CASE_INSENSITIVE);

  private IssuerPattern() {}

  /** Returns whether one of the expected issuers is this one. */
  public static boolean isAmong(List<String> expected, String issuer) {
    return expected.contains(issuer) ? !isPattern(issuer)
        : expected.stream().anyMatch(e -> isPattern(e) && matches(e, issuer));
  }

  /** Returns whether the expected issuer is a pattern. */
  public static boolean isPattern(String expected) {
    return expected.contains(ANY);
  }

  /** Returns what is wrong with an expected issuer, or an empty optional. */
  public static Optional<String> error(String expected) {
    if (!isPattern(expected)) {
      return Optional.empty();
    }
    String[] segments = segments(expected);
    boolean placed = PLACE.matcher(segments[0]).matches();
    for (int i = 1; i < segments.length; i++) {
      placed &= segments[i].equals(ANY) || !isPattern(segments[i]);
    }
    return placed ? Optional.empty() : Optional.of("`*` stands for one whole segment of the path");
  }

  private static boolean matches(String pattern, String issuer) {
    String[] wanted = segments(pattern);
    String[] given = segments(issuer);
    boolean same = wanted.length == given.length;
    for (int i = 0; i < wanted.length && same; i++) {
      same = wanted[i].equals(ANY) ? isSegment(given[i]) : wanted[i].equals(given[i]);
    }
    return same;
  }

  private static boolean isSegment(String text) {
    return text.length() <= LONGEST_SEGMENT && SEGMENT.matcher(text).matches() && !text.equals(".")
        && !text.equals("..");
  }

  /** Scheme and host as the first, then the segments of the path; a query belongs to the last one. */
  private static String[] segments(String url) {
    int path = url.indexOf('/', url.indexOf("://") + 3);
    String place = path < 0 ? url : url.substring(0, path);
    String[] behind = path < 0 ? new String[0] : url.substring(path + 1).split("/", -1);
    String[] out = new String[behind.length + 1];
    out[0] = place;
    System.arraycopy(behind, 0, out, 1, behind.length);
    return out;
  }
}
