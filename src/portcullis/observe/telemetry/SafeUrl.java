package portcullis.observe.telemetry;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Redacts possible credentials from URLs for traces. */
public final class SafeUrl {
  private static final String HIDDEN = "REDACTED";
  private static final int MAX_SHOWN = 12;
  /** Words in names of parameters whose values are secret. */
  private static final Set<String> SECRET = Set.of("token", "accesstoken", "idtoken", "refreshtoken", "authtoken",
      "jwt",
      "code", "key", "apikey", "password", "passwd", "pwd", "pin", "otp", "secret", "sig", "signature", "state",
      "nonce",
      "session", "sessionid", "jsessionid", "phpsessid", "sid", "ticket", "assertion", "samlresponse", "samlrequest",
      "auth", "authorization", "bearer", "pass", "passphrase", "credential", "credentials", "csrf", "xsrf");
  private static final Pattern NO_WORD = Pattern.compile("[^a-z0-9]+");
  /** A parameter anywhere in a text; a name is tried from its begin alone, or a long word would take its square. */
  private static final Pattern NAMED = Pattern.compile("(?<![^=&;?#\\s,])([^=&;?#\\s,]++)=([^&;#\\s,]*+)");

  private static final Pattern URL_WITH_USER = Pattern.compile("^([A-Za-z][A-Za-z0-9+.-]*://)[^/?#]*@");
  private static final Pattern URL = Pattern.compile("^[A-Za-z][A-Za-z0-9+.-]*://[^/?#@]+(?:[/?#].*)?$");
  /** Of what is no URL, but has a user as one; slashes are not given up, or many would take their square. */
  private static final Pattern OTHER_USER = Pattern.compile("(?i)^((?:https?:)?[/\\\\]*+)[^?#]*@");

  private SafeUrl() {}

  /** Redacts every value of a query that is long enough to be a token or has the name of a credential. */
  public static String query(String query) {
    if (query.isEmpty()) {
      return query;
    }
    StringBuilder out = new StringBuilder(query.length());
    for (String pair : query.split("&", -1)) {
      int equals = pair.indexOf('=');
      String name = equals < 0 ? pair : pair.substring(0, equals);
      String value = equals < 0 ? "" : pair.substring(equals + 1);
      boolean hidden = value.length() > MAX_SHOWN || equals < 0 && name.length() > MAX_SHOWN
          || isSecret(name);
      out.append(out.isEmpty() ? "" : "&").append(equals < 0 && hidden ? HIDDEN : name);
      if (equals >= 0) {
        out.append('=').append(hidden ? HIDDEN : value);
      }
    }
    return out.toString();
  }

  /** Returns whether a word of the name, which may be percent-encoded, is that of a credential. */
  public static boolean isSecret(String name) {
    try {
      String plain = name.indexOf('%') < 0 ? name : URLDecoder.decode(name, StandardCharsets.UTF_8);
      return Arrays.stream(NO_WORD.split(plain.toLowerCase(Locale.ROOT))).anyMatch(SECRET::contains);
    } catch (IllegalArgumentException _) {
      return true; // it is not known how it is read
    }
  }

  /** Redacts what may be a URL, with its fragment, or has parameters as one, and masks who is named before its host. */
  public static String text(String value) {
    boolean isUrl = value.indexOf(' ') < 0;
    int mark = isUrl ? nextMark(value, 0) : value.length();
    StringBuilder out = new StringBuilder(withNamedHidden(value.substring(0, mark)));
    while (mark < value.length()) {
      int next = nextMark(value, mark + 1);
      out.append(value.charAt(mark)).append(query(value.substring(mark + 1, next)));
      mark = next;
    }
    return value.startsWith("/") || value.contains("://") ? withoutUser(out.toString()) : out.toString();
  }

  /** Returns where the query or the fragment begins, or the length. */
  private static int nextMark(String value, int from) {
    int at = from;
    while (at < value.length() && value.charAt(at) != '?' && value.charAt(at) != '#') {
      at++;
    }
    return at;
  }

  private static String withNamedHidden(String text) {
    return text.indexOf('=') < 0 ? text
        : NAMED.matcher(text).replaceAll(found -> Matcher.quoteReplacement(
            found.group(1) + "=" + (isSecret(found.group(1)) ? HIDDEN : found.group(2))));
  }

  /** Redacts the query of a request-target or URL, and masks who is named before its host. */
  public static String target(String target) {
    int mark = target.indexOf('?');
    return withoutUser(mark < 0 ? target : target.substring(0, mark + 1) + query(target.substring(mark + 1)));
  }

  /** Masks who is named before the host of a URL, or of what stands for one, perhaps with a password. */
  public static String withoutUser(String target) {
    if (target.startsWith("/") || target.indexOf('@') < 0) {
      return target;
    }
    String masked = URL_WITH_USER.matcher(target).replaceFirst("$1***@");
    return !masked.equals(target) || URL.matcher(target).matches() ? masked
        : OTHER_USER.matcher(target).replaceFirst("$1***@");
  }
}
