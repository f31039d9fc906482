package portcullis.reference;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;

/** Lays out the Markdown of reference pages for a terminal: tables in columns, headings underlined, links as text. */
public final class TerminalText {
  private static final int WIDTH = 110;
  private static final int WIDEST_COLUMN = 44;
  private static final Pattern LINK = Pattern.compile("\\[([^\\]]+)]\\([^)]*\\)");
  private static final Pattern CELL_END = Pattern.compile("(?<!\\\\) \\| ");
  /** Lines that do not continue a paragraph: tables, headings, code, items of lists. */
  private static final Pattern SPECIAL = Pattern.compile("^(\\| |#|```|- |\\d+\\. )");
  private static final String FENCE = "```";

  private final StringBuilder out = new StringBuilder();
  private final List<List<String>> table = new ArrayList<>();
  private final StringBuilder paragraph = new StringBuilder();
  private boolean code;

  private TerminalText() {}

  /** Returns the text, whose lines end with a line break. */
  public static String of(String markdown) {
    TerminalText text = new TerminalText();
    markdown.lines().forEach(text::line);
    text.table();
    text.paragraph();
    return text.out.toString();
  }

  private void line(String line) {
    if (!line.startsWith("| ")) {
      table();
    }
    boolean prose = !code && !line.isEmpty() && !SPECIAL.matcher(line).find();
    if (!prose) {
      paragraph();
    }
    if (line.startsWith(FENCE)) {
      code = !code;
    } else if (code) {
      out.append(line.isEmpty() ? "" : "    " + line).append('\n');
    } else if (line.startsWith("| ---")) {
      table.removeIf(row -> row.stream().allMatch(String::isBlank));
    } else if (line.startsWith("| ")) {
      table.add(Arrays.stream(CELL_END.split(line.substring(2, line.length() - 1), -1))
          .map(cell -> plain(cell.strip())).toList());
    } else if (line.startsWith("#")) {
      heading(line);
    } else if (prose) {
      paragraph.append(paragraph.isEmpty() ? "" : " ").append(plain(line.strip()));
    } else {
      out.append(line.isEmpty() ? "\n" : "");
      paragraph.append(plain(line));
    }
  }

  private void paragraph() {
    if (!paragraph.isEmpty()) {
      wrapped(paragraph.toString(), WIDTH).forEach(line -> out.append(line).append('\n'));
      paragraph.setLength(0);
    }
  }

  private void heading(String line) {
    String text = plain(line.replaceFirst("^#+ ", ""));
    out.append(text).append('\n').append((line.startsWith("# ") ? "=" : "-").repeat(text.length())).append('\n');
  }

  private static String plain(String text) {
    return LINK.matcher(text).replaceAll("$1").replace("\\|", "|");
  }

  private void table() {
    if (table.isEmpty()) {
      return;
    }
    int columns = table.getFirst().size();
    int[] widths = new int[columns];
    for (int c = 0; c < columns; c++) {
      int column = c;
      widths[c] = Math.min(WIDEST_COLUMN,
          table.stream().mapToInt(row -> column < row.size() ? row.get(column).length() : 0).max().orElse(0));
    }
    int left = Arrays.stream(widths).limit(columns - 1L).map(w -> w + 2).sum();
    widths[columns - 1] = Math.max(WIDTH - left, WIDEST_COLUMN);
    table.forEach(row -> row(row, widths));
    table.clear();
  }

  /** Writes a row; a cell that is longer than its column continues below. */
  private void row(List<String> cells, int[] widths) {
    List<List<String>> wrapped = new ArrayList<>();
    for (int c = 0; c < cells.size(); c++) {
      wrapped.add(wrapped(cells.get(c), widths[c]));
    }
    int height = wrapped.stream().mapToInt(List::size).max().orElse(0);
    for (int i = 0; i < height; i++) {
      StringBuilder line = new StringBuilder();
      for (int c = 0; c < wrapped.size(); c++) {
        String part = i < wrapped.get(c).size() ? wrapped.get(c).get(i) : "";
        line.append(part).repeat(" ", Math.max(0, widths[c] - part.length()) + 2);
      }
      out.append(line.toString().stripTrailing()).append('\n');
    }
  }

  private static List<String> wrapped(String text, int width) {
    List<String> lines = new ArrayList<>();
    StringBuilder line = new StringBuilder();
    for (String word : text.split(" ")) {
      if (!line.isEmpty() && line.length() + 1 + word.length() > width) {
        lines.add(line.toString());
        line.setLength(0);
      }
      line.append(line.isEmpty() ? "" : " ").append(word);
    }
    lines.add(line.toString());
    return lines;
  }
}
