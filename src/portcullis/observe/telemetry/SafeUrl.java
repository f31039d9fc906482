package portcullis.observe.telemetry;

import java.util.Locale;
import java.util.Set;

/** Redacts possible credentials from URLs for traces. */
public final class SafeUrl {
  private static final String HIDDEN = "REDACTED";
  private static final int MAX_SHOWN = 12;
  private static final Set<String> SECRET = Set.of("token", "access_token", "id_token", "refresh_token", "code", "key",
      "apikey",
      "api_key", "password", "passwd", "secret", "client_secret", "sig", "signature", "state", "nonce", "session");

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

  /** Redacts the query of a request-target. */
  public static String target(String target) {
    int mark = target.indexOf('?');
    return mark < 0 ? target : target.substring(0, mark + 1) + query(target.substring(mark + 1));
  }
}
