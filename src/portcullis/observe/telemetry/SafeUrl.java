package portcullis.observe.telemetry;

import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/** Redacts possible credentials from URLs for traces. */
public final class SafeUrl {
  private static final String HIDDEN = "REDACTED";
  private static final int MAX_SHOWN = 12;
  private static final Set<String> SECRET = Set.of("token", "access_token", "id_token", "refresh_token", "code", "key",
      "apikey",
      "api_key", "password", "passwd", "secret", "client_secret", "sig", "signature", "state", "nonce", "session");

  private static final Pattern URL_WITH_USER = Pattern.compile("^([A-Za-z][A-Za-z0-9+.-]*://)[^/?#]*@");
  private static final Pattern URL = Pattern.compile("^[A-Za-z][A-Za-z0-9+.-]*://[^/?#@]+(?:[/?#].*)?$");
  /** Of what is no URL, but has a user as one. */
  private static final Pattern OTHER_USER = Pattern.compile("(?i)^((?:https?:)?[/\\\\]*)[^?#]*@");

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
          || SECRET.contains(name.toLowerCase(Locale.ROOT));
      out.append(out.isEmpty() ? "" : "&").append(equals < 0 && hidden ? HIDDEN : name);
      if (equals >= 0) {
        out.append('=').append(hidden ? HIDDEN : value);
      }
    }
    return out.toString();
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
