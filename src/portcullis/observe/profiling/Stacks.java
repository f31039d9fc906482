package portcullis.observe.profiling;

import java.util.ArrayList;
import java.util.List;
import jdk.jfr.consumer.RecordedFrame;
import jdk.jfr.consumer.RecordedMethod;
import jdk.jfr.consumer.RecordedStackTrace;
import portcullis.lang.value.Digits;

/** Converts stacks of JFR events and thread dumps. */
final class Stacks {
  private Stacks() {}

  /** Returns the stack of an event; empty without one. */
  static List<Profile.Frame> of(RecordedStackTrace trace) {
    List<Profile.Frame> out = new ArrayList<>();
    if (trace != null) {
      for (RecordedFrame frame : trace.getFrames()) {
        RecordedMethod method = frame.getMethod();
        String type = method.getType().getName();
        out.add(new Profile.Frame(type + "." + method.getName(), file(type), Math.max(0, frame.getLineNumber())));
      }
    }
    return out;
  }

  /** Parses {@code module/class.method(file:line)}, a line of a thread dump. */
  static Profile.Frame of(String line) {
    int open = line.indexOf('(');
    int close = line.lastIndexOf(')');
    if (open < 0 || close < open) {
      return new Profile.Frame(line, "", 0);
    }
    String function = line.substring(line.lastIndexOf('/', open) + 1, open);
    String place = line.substring(open + 1, close);
    int colon = place.lastIndexOf(':');
    String digits = colon < 0 ? "" : place.substring(colon + 1);
    boolean numbered = Digits.are(digits, 7);
    return numbered ? new Profile.Frame(function, place.substring(0, colon), Integer.parseInt(digits))
        : new Profile.Frame(function, place, 0);
  }

  /** Returns the source file of a class by convention. */
  private static String file(String type) {
    int inner = type.indexOf('$');
    return (inner < 0 ? type : type.substring(0, inner)).replace('.', '/') + ".java";
  }
}
