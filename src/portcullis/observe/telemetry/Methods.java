package portcullis.observe.telemetry;

import java.util.Set;

/** Values of the attribute {@code http.request.method} (semantic conventions, http). */
public final class Methods {
  /** The value for unknown methods, of which clients could invent any number. */
  public static final String OTHER = "_OTHER";
  private static final Set<String> KNOWN = Set.of("GET", "HEAD", "POST", "PUT", "DELETE", "CONNECT", "OPTIONS", "TRACE",
      "PATCH");

  private Methods() {}

  public static String of(String method) {
    return KNOWN.contains(method) ? method : OTHER;
  }
}
