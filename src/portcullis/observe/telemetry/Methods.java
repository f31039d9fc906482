package portcullis.observe.telemetry;

import java.util.Set;

/** Names of methods for traces and metrics. */
public final class Methods {
  /** For any that is not well known: callers can make up as many as they like. */
  public static final String OTHER = "_OTHER";
  private static final Set<String> KNOWN = Set.of("GET", "HEAD", "POST", "PUT", "DELETE", "CONNECT", "OPTIONS", "TRACE",
      "PATCH");

  private Methods() {}

  public static String of(String method) {
    return KNOWN.contains(method) ? method : OTHER;
  }
}
