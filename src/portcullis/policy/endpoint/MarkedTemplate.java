package portcullis.policy.endpoint;

import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.Pattern;
import portcullis.lang.source.LocatedText;
import portcullis.lang.source.Origin;

/**
 * A template with a mark before and after each of its actions, to distinguish literal text from rendered values in the
 * result. A result begins with literal text and alternates at each mark; each branch of a control action begins and
 * ends with a mark too. The mark is secret, so that data cannot contain it. Blanks that an action trims stay beside it.
 */
final class MarkedTemplate implements LocatedText {
  private static final String MARK = mark();
  private static final Pattern CUT = Pattern.compile(MARK, Pattern.LITERAL);

  private final LocatedText written;
  private final String text;
  /** The positions of the marks in the source, in ascending order. */
  private final List<Integer> marks = new ArrayList<>();

  private static String mark() {
    byte[] secret = new byte[16];
    new SecureRandom().nextBytes(secret);
    return "\uFDD0" + HexFormat.of().formatHex(secret) + "\uFDD0";
  }

  MarkedTemplate(LocatedText written) {
    this.written = written;
    int behind = 0;
    String plain = written.text();
    for (int at = plain.indexOf("{{"); at >= 0; at = plain.indexOf("{{", behind)) {
      int end = TemplateActions.end(plain, at);
      if (end < 0) {
        break;
      }
      marks.add(Math.max(TemplateActions.trimmedBefore(plain, at), behind));
      behind = TemplateActions.trimmedBehind(plain, end);
      marks.add(behind);
    }
    text = marked(plain);
  }

  private String marked(String plain) {
    StringBuilder out = new StringBuilder(plain);
    for (int i = marks.size() - 1; i >= 0; i--) {
      out.insert(marks.get(i), MARK);
    }
    return out.toString();
  }

  /** Returns the result split at the marks: literal text at even indexes, rendered values at odd ones. */
  static String[] parts(String rendered) {
    return CUT.split(rendered, -1);
  }

  @Override
  public String text() {
    return text;
  }

  @Override
  public Origin at(int offset, int length) {
    int from = unmarked(offset);
    return written.at(from, Math.max(unmarked(offset + length) - from, 1));
  }

  private int unmarked(int offset) {
    int out = offset;
    for (int mark : marks) {
      if (out <= mark) {
        return out;
      }
      out = Math.max(out - MARK.length(), mark);
    }
    return out;
  }

  @Override
  public String path() {
    return written.path();
  }
}
