import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Wraps paragraphs and list items of Markdown that have a line over the limit. Tables, code, headings, HTML, quotes and
 * what cannot be broken stay as they are.
 */
final class Paragraphs {
  private static final Pattern ITEM = Pattern.compile("( *(?:[-*+]|[0-9]+[.)]) +(?:\\[[ x]] +)?)\\S.*");
  private static final Pattern FENCE = Pattern.compile(" *(```|~~~).*");
  private static final Pattern FIXED = Pattern.compile(" *([|#<>]|\\[[^]]*]: ).*|.* {2}|.*\\\\|(-{3,}|={3,}) *");
  /** A word; one with code or a link's target in it has no place to break within them. */
  private static final Pattern WORD = Pattern.compile("(?:`[^`]{0,80}`|]\\([^)]*\\)|\\S)+");
  /** What would mean something else at the beginning of a line. */
  private static final Pattern MARKUP = Pattern.compile("[-+*>#=|<].*|[0-9]+[.)]");

  private final int columns;
  private final List<String> out = new ArrayList<>();
  private final List<String> block = new ArrayList<>();

  private Paragraphs(int columns) {
    this.columns = columns;
  }

  /** Returns the text with lines of at most so many columns. */
  static String wrapped(String text, int columns) {
    Paragraphs paragraphs = new Paragraphs(columns);
    paragraphs.all(text);
    return String.join("\n", paragraphs.out) + "\n";
  }

  private void all(String text) {
    boolean isCode = false;
    for (String line : text.lines().toList()) {
      boolean fence = FENCE.matcher(line).matches();
      boolean isIndentedCode = block.isEmpty() && line.startsWith("    ") && !ITEM.matcher(line).matches();
      if (isCode || fence || line.isBlank() || isIndentedCode || FIXED.matcher(line).matches()) {
        end();
        out.add(line);
        isCode ^= fence;
      } else {
        if (ITEM.matcher(line).matches()) {
          end();
        }
        block.add(line);
      }
    }
    end();
  }

  private void end() {
    if (block.stream().allMatch(line -> width(line) <= columns)) {
      out.addAll(block);
    } else {
      wrap();
    }
    block.clear();
  }

  private void wrap() {
    String first = block.getFirst();
    Matcher item = ITEM.matcher(first);
    String start = item.matches() ? item.group(1) : first.substring(0, first.length() - first.stripLeading().length());
    String indent = " ".repeat(start.length());
    StringBuilder line = new StringBuilder(start);
    boolean empty = true;
    String text = String.join(" ", block.stream().map(String::strip).toList()).substring(start.strip().length());
    Matcher words = WORD.matcher(text);
    while (words.find()) {
      String word = words.group();
      if (!empty && width(line) + 1 + width(word) > columns && !MARKUP.matcher(word).matches()) {
        out.add(line.toString());
        line.setLength(0);
        line.append(indent);
        empty = true;
      }
      line.append(empty ? "" : " ").append(word);
      empty = false;
    }
    out.add(line.toString());
  }

  private static int width(CharSequence text) {
    return Character.codePointCount(text, 0, text.length());
  }
}
