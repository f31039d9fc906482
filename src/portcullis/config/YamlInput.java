package portcullis.config;

import org.yaml.snakeyaml.error.Mark;
import org.yaml.snakeyaml.reader.ReaderException;
import org.yaml.snakeyaml.reader.StreamReader;
import org.yaml.snakeyaml.scanner.Constant;

/**
 * Supplies the characters of a string to the parser. The reader of the parser library copies the value or comment read
 * so far once for every thousand characters, which takes minutes for one of some megabytes. For one thread.
 */
final class YamlInput extends StreamReader {
  private static final int[] NONE = {};
  /** The number of characters checked at a time, that of the parser's own reader. */
  private static final int CHECKED = 1024;

  private final String text;
  private final int[] points;
  private final int length;
  private int at;
  private int line;
  private int column;
  private int document;
  private int checked;

  YamlInput(String text) {
    super("");
    this.text = text;
    boolean narrow = text.codePointCount(0, text.length()) == text.length();
    this.points = narrow ? NONE : text.codePoints().toArray();
    this.length = narrow ? text.length() : points.length;
  }

  /** @throws ReaderException if the characters up to there are not all allowed */
  private int point(int index) {
    if (index >= length) {
      check(length);
      return 0;
    }
    if (index >= checked) {
      check(Math.min(length, index + CHECKED));
    }
    return raw(index);
  }

  private int raw(int index) {
    return points.length == 0 ? text.charAt(index) : points[index];
  }

  private void check(int to) {
    for (; checked < to; checked++) {
      if (!isPrintable(raw(checked))) {
        throw new ReaderException("text", checked, raw(checked), "special characters are not allowed");
      }
    }
  }

  @Override
  public Mark getMark() {
    return new Mark("text", at, line, column, NONE, 0);
  }

  @Override
  public int peek() {
    return point(at);
  }

  @Override
  public int peek(int index) {
    return point(at + index);
  }

  @Override
  public void forward() {
    forward(1);
  }

  @Override
  public void forward(int count) {
    for (int i = 0; i < count && at < length; i++) {
      int c = point(at++);
      document++;
      if (Constant.LINEBR.has(c) || c == '\r' && at < length && point(at) != '\n') {
        line++;
        column = 0;
      } else if (c != 0xfeff) {
        column++;
      }
    }
  }

  @Override
  public String prefix(int count) {
    int end = Math.min(length, at + count);
    if (end <= at) {
      return "";
    }
    point(end - 1);
    return points.length == 0 ? text.substring(at, end) : new String(points, at, end - at);
  }

  @Override
  public String prefixForward(int count) {
    String out = prefix(count);
    at += count;
    document += count;
    column += count;
    return out;
  }

  @Override
  public int getColumn() {
    return column;
  }

  @Override
  public int getDocumentIndex() {
    return document;
  }

  @Override
  public void resetDocumentIndex() {
    document = 0;
  }

  @Override
  public int getIndex() {
    return at;
  }

  @Override
  public int getLine() {
    return line;
  }
}
