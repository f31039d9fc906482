package portcullis.observe.telemetry;

import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;

/**
 * Formats an exception with all of its causes in one line, each with the place that threw it, instead of a stack trace.
 */
public final class Causes {
  private static final int MAX_CAUSES = 10;
  private static final int MAX_LENGTH = 1_000;

  private Causes() {}

  /**
   * Returns {@code exception at place, caused by exception at place}: at most ten causes of at most a thousand
   * characters each.
   */
  public static String text(Throwable thrown) {
    StringBuilder out = new StringBuilder();
    Set<Throwable> seen = Collections.newSetFromMap(new IdentityHashMap<>());
    for (Throwable cause = thrown; cause != null && seen.size() < MAX_CAUSES
        && seen.add(cause); cause = cause.getCause()) {
      out.append(out.isEmpty() ? "" : ", caused by ").append(shortened(cause.toString()));
      StackTraceElement[] trace = cause.getStackTrace();
      out.append(trace.length == 0 ? "" : " at " + trace[0]);
    }
    return out.toString();
  }

  private static String shortened(String text) {
    return text.length() > MAX_LENGTH ? text.substring(0, MAX_LENGTH) + "…" : text;
  }
}
