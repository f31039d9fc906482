package portcullis.observe.telemetry;

import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;

/**
 * A fault with all of its causes in one line, each with the place that threw it; stack traces are no lines of a log.
 */
public final class Causes {
  private static final int MOST = 10;
  private static final int LONGEST = 1_000;

  private Causes() {}

  /** {@code fault at place, caused by fault at place}: ten causes at most, each of a thousand characters at most. */
  public static String text(Throwable fault) {
    StringBuilder out = new StringBuilder();
    Set<Throwable> seen = Collections.newSetFromMap(new IdentityHashMap<>());
    for (Throwable cause = fault; cause != null && seen.size() < MOST && seen.add(cause); cause = cause.getCause()) {
      out.append(out.isEmpty() ? "" : ", caused by ").append(shortened(cause.toString()));
      StackTraceElement[] trace = cause.getStackTrace();
      out.append(trace.length == 0 ? "" : " at " + trace[0]);
    }
    return out.toString();
  }

  private static String shortened(String text) {
    return text.length() > LONGEST ? text.substring(0, LONGEST) + "…" : text;
  }
}
