package portcullis.observe.profiling;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.StringTokenizer;
import javax.management.JMException;
import javax.management.ObjectName;

/** The number and size of live objects per class. */
final class ClassHistogram {
  private ClassHistogram() {}

  /** The objects of one class. */
  record Line(String type, long count, long bytes) {}

  static List<Line> read() throws IOException {
    try {
      Object histogram = ManagementFactory.getPlatformMBeanServer().invoke(
          new ObjectName("com.sun.management:type=DiagnosticCommand"),
          "gcClassHistogram", new Object[] {new String[0]}, new String[] {String[].class.getName()});
      return lines(histogram.toString());
    } catch (JMException e) {
      throw new IOException("cannot read the class histogram of the JVM: " + e.getMessage(), e);
    }
  }

  /** Parses lines {@code rank: count bytes class (module)}; all other lines are headings. */
  static List<Line> lines(String histogram) {
    List<Line> out = new ArrayList<>();
    histogram.lines().forEach(line -> {
      StringTokenizer words = new StringTokenizer(line);
      if (words.countTokens() >= 4 && words.nextToken().endsWith(":")) {
        String count = words.nextToken();
        String bytes = words.nextToken();
        if (isNumber(count) && isNumber(bytes)) {
          out.add(new Line(words.nextToken(), Long.parseLong(count), Long.parseLong(bytes)));
        }
      }
    });
    return out;
  }

  private static boolean isNumber(String text) {
    return text.length() < 19 && text.chars().allMatch(c -> c >= '0' && c <= '9');
  }
}
