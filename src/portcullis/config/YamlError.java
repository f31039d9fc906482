package portcullis.config;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Explains why a string is not YAML to people who do not know the grammar: the parser's messages speak of tokens.
 *
 * @param from where the error is in the text
 * @param to where it ends
 */
record YamlError(int from, int to, String message, String hint) {
  private static final String SAME_INDENTATION = "lines of one mapping or list have the same indentation";
  private static final String QUOTES = "put the value in quotes";
  private static final String KINDS = "`- ` begins an item, `name:` a member";

  /** The beginning of an item or a member of block style. */
  private static final Pattern BLOCK = Pattern.compile("- |[A-Za-z0-9_-]+:[ \\n]");

  /** Blanks other than spaces and tabs, as they come with text that is copied from a page. */
  private static final Pattern WRONG_BLANK = Pattern.compile("(?m)^ *([\\u00a0\\u2000-\\u200b\\u202f\\u3000\\ufeff]+)");

  /** Explanations by the beginning of the parser's message. */
  private static final Map<String, Function<Reader, YamlError>> KNOWN = Map.ofEntries(
      Map.entry("mapping values are not allowed", Reader::colon),
      Map.entry("expected <block end>", Reader::misplaced),
      Map.entry("expected '<document start>'", Reader::misplaced),
      Map.entry("expected ',' or", Reader::bracket),
      Map.entry("found unexpected end of stream", Reader::quote),
      Map.entry("found unexpected document separator", Reader::quote),
      Map.entry("could not find expected ':'", Reader::nameless),
      Map.entry("found character", Reader::start),
      Map.entry("found undefined tag", r -> r.here("unknown tag", "write the value without a tag")),
      Map.entry("unexpected character found", r -> r.begun(1, "a value cannot begin with " + r.named(r.begun), QUOTES)),
      Map.entry("found unknown escape",
          r -> r.here(r.at - 1, r.at + 1, "`\\` and " + r.named(r.at) + " are not an escape",
              "`\\\\` stands for a backslash; in single quotes it stands for itself")),
      Map.entry("expected escape sequence", r -> r.here(r.at - 2, r.at, "an escape has two, four or eight "
          + "hexadecimal digits",
          "as `\\x41`, `\\u00e4`")),
      Map.entry("expected chomping or indentation", Reader::indicator),
      Map.entry("expected a comment or a line break", Reader::indicator),
      Map.entry("expected the node content", r -> r.here("a value is missing before " + r.named(r.at),
          "put it in quotes if it is the value")),
      Map.entry("sequence entries are not allowed", r -> r.here("`- ` is not allowed here",
          "a list begins in a line of its own, or is written as `[…]`")),
      Map.entry("mapping keys are not allowed", r -> r.here("`?` is not allowed here", QUOTES)));

  /**
   * @param problem what the parser says
   * @param at where it noticed
   * @param begun where that began which it was reading
   * @param open where brackets and braces are that are not closed yet, outermost first
   */
  static YamlError of(String text, String problem, int at, int begun, List<Integer> open) {
    Reader reader = new Reader(text, at, begun);
    Optional<YamlError> blank = reader.wrongBlank();
    if (blank.isPresent()) {
      return blank.get();
    }
    boolean ends = problem.startsWith("found unexpected") && reader.isQuote(begun);
    OptionalInt quote = ends ? OptionalInt.empty() : reader.longQuote();
    if (quote.isPresent()) {
      return new Reader(text, at, quote.getAsInt()).quote();
    }
    Optional<Integer> unclosed = ends ? Optional.empty() : reader.unclosed(open);
    if (unclosed.isPresent()) {
      return new Reader(text, at, unclosed.get()).neverClosed();
    }
    boolean directive = text.startsWith("%", reader.lineStart(at));
    return directive ? reader.here(reader.lineStart(at), at, "a line cannot begin with `%`", QUOTES)
        : KNOWN.entrySet().stream()
            .filter(known -> problem.startsWith(known.getKey())).findFirst()
            .map(known -> known.getValue().apply(reader))
            .orElseGet(
                () -> reader.here("invalid YAML: " + problem.lines().findFirst().orElse("").replace('\t', ' '), ""));
  }

  /** Looks at the text around the error. */
  private record Reader(String text, int at, int begun) {
    private YamlError here(String message, String hint) {
      return here(at, at + 1, message, hint);
    }

    private YamlError here(int from, int to, String message, String hint) {
      return new YamlError(Math.max(0, from), to, message, hint);
    }

    /** Returns a blank that looks like a space and is none, in the indentation of a line up to that of the error. */
    private Optional<YamlError> wrongBlank() {
      Matcher found = WRONG_BLANK.matcher(text);
      found.region(0, lineEnd(Math.min(at, text.length())));
      return found.find()
          ? Optional.of(here(found.start(1), found.end(1),
              String.format("the line is indented by U+%04X, a blank that is not a space",
                  found.group(1).codePointAt(0)),
              "indent by spaces"))
          : Optional.empty();
    }

    private YamlError begun(int length, String message, String hint) {
      return here(begun, begun + length, message, hint);
    }

    private String shown(int offset) {
      return offset < text.length() ? Character.toString(text.codePointAt(offset)) : "";
    }

    private String named(int offset) {
      return offset < text.length() ? Decoders.shownCharacter(text.codePointAt(offset)) : "the end";
    }

    private int lineStart(int offset) {
      return text.lastIndexOf('\n', offset - 1) + 1;
    }

    private int first(int offset) {
      int first = lineStart(offset);
      while (first < text.length() && text.charAt(first) == ' ') {
        first++;
      }
      return first;
    }

    private boolean isQuote(int offset) {
      return offset < text.length() && "\"'".indexOf(text.charAt(offset)) >= 0;
    }

    /**
     * Returns the quote of a string that ends in the line of the error and has items or members in it: one before it
     * closes it, most likely, or nothing does.
     */
    private OptionalInt longQuote() {
      int line = lineStart(at);
      for (int i = 0; i < at; i++) {
        boolean begins = i == 0 || " \n[{,:".indexOf(text.charAt(i - 1)) >= 0;
        if (begins && text.charAt(i) == '#') {
          i = lineEnd(i);
        } else if (begins && isQuote(i)) {
          int end = closing(i);
          if (end >= line && end < at && hasBlock(lineEnd(i) + 1, end)) {
            return OptionalInt.of(i);
          }
          i = end;
        }
      }
      return OptionalInt.empty();
    }

    private int lineEnd(int offset) {
      int end = text.indexOf('\n', offset);
      return end < 0 ? text.length() : end;
    }

    /** Returns where the string ends whose quote is there. */
    private int closing(int quote) {
      String mark = text.substring(quote, quote + 1);
      String escape = mark.equals("'") ? "''" : "\\";
      int end = quote + 1;
      while (end < text.length() && (text.startsWith(escape, end) || !text.startsWith(mark, end))) {
        end += text.startsWith(escape, end) ? 2 : 1;
      }
      return end;
    }

    /** Returns whether a line in this range begins an item or a member. */
    private boolean hasBlock(int from, int to) {
      for (int line = from; line < to; line = lineEnd(line) + 1) {
        if (BLOCK.matcher(text).region(first(line), text.length()).lookingAt()) {
          return true;
        }
      }
      return false;
    }

    /**
     * Returns the first bracket that is not closed where its value has to end: at the end of the text, or before a line
     * that is indented no deeper than its own (YAML 1.2, 7.4). Where the whole text is in brackets, as in JSON,
     * indentation means nothing.
     */
    private Optional<Integer> unclosed(List<Integer> open) {
      if (open.isEmpty()) {
        return Optional.empty();
      }
      if (text.substring(Math.min(at, text.length())).isBlank()) {
        return Optional.of(open.getLast());
      }
      boolean json = text.substring(0, open.getFirst()).lines()
          .allMatch(line -> line.isBlank() || line.startsWith("#"));
      return json ? Optional.empty() : open.stream().filter(this::isLeft).findFirst();
    }

    /** Returns whether an item or member up to the error is indented no deeper than the line of the bracket. */
    private boolean isLeft(int bracket) {
      int indent = first(bracket) - lineStart(bracket);
      for (int line = text.indexOf('\n', bracket) + 1; line > 0 && line <= at; line = text.indexOf('\n', line) + 1) {
        int first = first(line);
        if (first - line <= indent && BLOCK.matcher(text).region(first, text.length()).lookingAt()) {
          return true;
        }
      }
      return false;
    }

    private YamlError neverClosed() {
      return begun(1, "`" + shown(begun) + "` opened here is never closed",
          "`" + (shown(begun).equals("[") ? "]" : "}") + "` closes it");
    }

    /** Returns the line before, without those that are empty. */
    private int before(int line) {
      int start = line;
      while (start > 0) {
        start = lineStart(start - 1);
        if (!text.substring(start, text.indexOf('\n', start)).isBlank()) {
          return start;
        }
      }
      return -1;
    }

    /** Returns a {@code :} where none can stand: in a string that began before it. */
    private YamlError colon() {
      int line = lineStart(at);
      int before = Math.max(0, before(line));
      String head = text.substring(line, at);
      if (head.contains(": ")) {
        return here("a second `:` in one line", QUOTES);
      }
      String above = line == 0 ? "" : text.substring(before, text.indexOf('\n', before)).stripTrailing();
      boolean alike = first(before) - before == first(at) - line;
      if (alike && above.indexOf(':') > 0 && !above.contains(": ") && !above.endsWith(":")) {
        int colon = before + above.indexOf(':');
        return here(colon, colon + 1, "a blank is missing behind `:`", "as `name: value`");
      }
      if (alike && above.indexOf(':') < 0) {
        return here(first(before), before + above.length(), "`:` is missing behind the name", "as `name: value`");
      }
      boolean deeper = first(at) - line > first(before) - before;
      return deeper ? here(first(at), at, "this line is indented deeper than the one above, which has its value "
          + "already", SAME_INDENTATION)
          : here("`:` is not allowed here", QUOTES);
    }

    /** Something that does not belong to what was begun. */
    private YamlError misplaced() {
      boolean item = text.startsWith("-", at) && (at + 1 >= text.length() || text.charAt(at + 1) <= ' ');
      if (first(at) != at) {
        return afterValue();
      }
      int column = at - lineStart(at);
      int before = Math.max(0, before(lineStart(at)));
      String above = text.substring(before, Math.max(before, lineStart(at) - 1)).replaceFirst(" #.*", "").strip();
      if (!item && first(before) - before == column && !above.isEmpty() && above.indexOf(':') < 0
          && !above.startsWith("-") && !above.startsWith("#")) {
        return here(first(before), first(before) + above.length(), "`:` is missing behind the name",
            "as `name: value`");
      }
      if (begun < at && begun - lineStart(begun) == column) {
        return item ? here("an item of a list is among the names of a mapping", KINDS)
            : here(at, name(), "a name is among the items of a list", KINDS);
      }
      return here(at, name(), "this line is indented by " + column + ", unlike the lines around it", SAME_INDENTATION);
    }

    /** Returns the end of the word here. */
    private int name() {
      int end = at;
      while (end < text.length() && text.charAt(end) > ' ' && text.charAt(end) != ':') {
        end++;
      }
      return Math.max(end, at + 1);
    }

    private YamlError afterValue() {
      int last = at - 1;
      while (last > 0 && text.charAt(last) == ' ') {
        last--;
      }
      if (at < text.length() && "]}".contains(shown(at))) {
        return here("`" + shown(at) + "` closes nothing", "take it away");
      }
      return switch (text.charAt(last)) {
        case '\'' -> here("text behind the closing quote", "within single quotes `''` stands for one");
        case '"' -> here("text behind the closing quote", "within double quotes `\\\"` stands for one");
        case ']', '}' -> here("text behind the closing `" + text.charAt(last) + "`", "put the whole value in quotes");
        default -> here(named(at) + " is not allowed here", QUOTES);
      };
    }

    /** Returns a line that is no member; or, within brackets, something without a comma before it. */
    private YamlError nameless() {
      int end = text.indexOf('\n', Math.max(0, begun));
      return here(begun, end < 0 ? text.length() : end, "`:` is missing behind the name",
          "a string that goes on is indented deeper than its name");
    }

    private YamlError indicator() {
      return here("nothing may follow `|` and `>`", "the text begins in the next line");
    }

    private YamlError quote() {
      return begun(1, "the quote is never closed", "`" + shown(begun) + "` closes it");
    }

    private YamlError start() {
      return switch (shown(at)) {
        case "\t" -> here("a tab cannot indent", "indent by blanks");
        case "`" -> here("a value cannot begin with a back quote", QUOTES);
        default -> here("a value cannot begin with " + named(at), QUOTES);
      };
    }

    /** Why a comma or bracket may be missing. */
    private String missing(int word) {
      String line = text.substring(lineStart(word), Math.max(lineStart(word), text.indexOf('\n', word)));
      int before = Math.max(0, before(lineStart(word)));
      if (line.chars().filter(c -> c == '"').count() % 2 == 1) {
        return "a `\"` of this line may be missing";
      }
      return text.substring(before, word).contains(" // ") ? "a comment begins with `#`"
          : "a string that has `: ` or one of `,[]{}` needs quotes";
    }

    /** Returns a list or mapping in brackets that does not go on as it should. */
    private YamlError bracket() {
      String open = shown(begun);
      String close = open.equals("[") ? "]" : "}";
      int word = at;
      while (word > begun + 1 && " \n,[]{}".indexOf(text.charAt(word - 1)) < 0) {
        word--;
      }
      return "]}".contains(shown(at))
          ? here("`" + shown(at) + "` cannot close `" + open + "`", "`" + close + "` closes it")
          : here(word, at + 1, "`,` or `" + close + "` is missing before this", missing(word));
    }
  }
}
