package portcullis.observe.profiling;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.StringTokenizer;
import javax.management.JMException;
import javax.management.ObjectName;

/** How many live objects there are of each class, and how much memory they take. */
final class ClassHistogram {
  private ClassHistogram() {}

  /** Of one class. */
  record Line(String type, long count, long bytes) {}

  static List<Line> read() throws IOException {
    try {
      Object said = ManagementFactory.getPlatformMBeanServer().invoke(
          new ObjectName("com.sun.management:type=DiagnosticCommand"),
          "gcClassHistogram", new Object[] {new String[0]}, new String[] {String[].class.getName()});
      return lines(said.toString());
    } catch (JMException e) {
      throw new IOException("the JVM tells no histogram of classes: " + e.getMessage(), e);
    }
  }

  /** {@code rank: count bytes class (module)}; all other lines are headings. */
  static List<Line> lines(String said) {
    List<Line> out = new ArrayList<>();
    said.lines().forEach(line -> {
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
