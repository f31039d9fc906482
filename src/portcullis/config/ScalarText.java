package portcullis.config;

import java.util.List;
import java.util.Optional;
import portcullis.lang.source.LocatedText;
import portcullis.lang.source.Origin;

/**
 * The text of a scalar, and the mapping of its characters to those of the file, which is computed only for messages.
 * Immutable.
 *
 * @param start where the scalar begins in the source's text, its quote or block indicator included
 * @param end where it ends
 * @param style {@code '|' '>' '"' '\''}, or a blank for a plain scalar
 */
record ScalarText(SubstitutedSource source, int start, int end, char style, String text) implements LocatedText {
  @Override
  public Origin at(int offset, int length) {
    if (start == end) {
      return source.atNothing(start);
    }
    int from = position(Math.min(offset, text.length()));
    int to = position(Math.min(offset + Math.max(1, length) - 1, text.length()));
    return source.at(from, to + 1);
  }

  @Override
  public String path() {
    return "";
  }

  boolean isPlain() {
    return style == ' ';
  }

  /** Returns the unset variable that is the whole value, or an empty optional. */
  Optional<SubstitutedSource.Unset> unset() {
    List<SubstitutedSource.Unset> all = text.isEmpty() ? source.unset(start, end) : List.of();
    return all.size() == 1 ? Optional.of(all.getFirst()) : Optional.empty();
  }

  /** Returns the string for messages, with the names of variables instead of their values. */
  String shown() {
    int from = position(0);
    int to = position(Math.max(0, text.length() - 1)) + 1;
    return source.isFilledIn(from, to) ? source.written(from, to) : text;
  }

  private int position(int offset) {
    return style == '|' || style == '>' ? inBlock(offset) : inFlow(offset);
  }

  /** Block scalars (YAML 1.2, 8.1): the lines below the indicator, less their indentation. */
  private int inBlock(int offset) {
    String raw = source.text();
    int line = raw.indexOf('\n', start) + 1;
    int indent = indentation(line);
    int seen = 0;
    while (line > 0 && line < end) {
      int lineEnd = raw.indexOf('\n', line);
      int stop = lineEnd < 0 ? raw.length() : lineEnd;
      int content = Math.min(line + indent, stop);
      if (offset <= seen + stop - content) {
        return content + offset - seen;
      }
      seen += stop - content + 1;
      line = stop + 1;
    }
    return Math.max(start, Math.min(end, raw.length()) - 1);
  }

  private int indentation(int firstLine) {
    String raw = source.text();
    for (int line = firstLine; line > 0 && line < end; line = raw.indexOf('\n', line) + 1) {
      int content = line;
      while (content < raw.length() && raw.charAt(content) == ' ') {
        content++;
      }
      if (content < raw.length() && raw.charAt(content) != '\n' && raw.charAt(content) != '\r') {
        return content - line;
      }
    }
    return 0;
  }

  /** Plain and quoted scalars (YAML 1.2, 7.3): escapes count as one character, folded line ends as one blank. */
  private int inFlow(int offset) {
    String raw = source.text();
    int at = style == ' ' ? start : start + 1;
    for (int i = 0; i < offset && at < end; i++) {
      at += width(raw, at);
      // a folded line end with the blanks around it reads as one blank
      if (i + 1 < text.length() && at < end && raw.charAt(at) == '\n' && i + 1 < offset) {
        while (at + 1 < end && Character.isWhitespace(raw.charAt(at + 1))) {
          at++;
        }
      }
    }
    return Math.min(at, Math.max(start, end - 1));
  }

  private int width(String raw, int at) {
    char c = raw.charAt(at);
    if (style == '\'' && c == '\'') {
      return 2;
    }
    if (style != '"' || c != '\\' || at + 1 >= raw.length()) {
      return 1;
    }
    return switch (raw.charAt(at + 1)) {
      case 'x' -> 4;
      case 'u' -> 6;
      case 'U' -> 10;
      default -> 2;
    };
  }
}
