package portcullis.config;

import java.util.Map;
import java.util.Optional;
import portcullis.lang.source.Problems;

/**
 * Reads one {@code ${…}} and computes the value that replaces it; for one reading. Parts of the grammar that look like
 * slips are drone/envsubst's own: {@code :-}, {@code :=}, {@code :?}, {@code :+} and {@code =} mean the same.
 */
final class Expansion {
  private static final int DEEPEST = 50;

  private final SubstitutedSource source;
  private final String text;
  private final Map<String, String> environment;
  private final Problems problems;
  private final int start;
  private int at;
  private int depth;
  private String unset = "";

  Expansion(SubstitutedSource source, int start, Map<String, String> environment, Problems problems) {
    this.source = source;
    this.text = source.text();
    this.environment = environment;
    this.problems = problems;
    this.start = start;
    this.at = start;
  }

  /** Returns the value that replaces it; empty exactly if an error was added. */
  Optional<String> value() {
    try {
      return Optional.of(expansion());
    } catch (Malformed e) {
      problems.error(source.at(e.from, Math.max(e.from + 1, e.to)), "", e.getMessage(), e.hint);
      at = behind(e.to);
      return Optional.empty();
    }
  }

  /** Returns the name of a variable that it needs but that is not set; empty if there is none. */
  String unset() {
    return unset;
  }

  /** Returns the offset behind it; behind a malformed one, where the next one may be meant. */
  int end() {
    return at;
  }

  private int behind(int error) {
    int lineEnd = text.indexOf('\n', start);
    int brace = text.indexOf('}', Math.max(start, error - 1));
    int stop = lineEnd < 0 ? text.length() : lineEnd;
    return Math.max(start + 2, brace >= 0 && brace < stop ? brace + 1 : stop);
  }

  /** {@code "${" ( "#" name | name form? ) "}"}. */
  private String expansion() {
    int begin = at;
    at += 2;
    if (++depth > DEEPEST) {
      throw new Malformed(begin, at, "`${` nested more than " + DEEPEST + " levels deep", "");
    }
    boolean length = peek() == '#';
    at += length ? 1 : 0;
    String value = variable(begin);
    String result = length ? Integer.toString(VariableOperators.bytes(value).length) : form(begin, value);
    close(begin);
    depth--;
    return result;
  }

  /** {@code ( letter | digit | "_" )+}; its value, empty where it is not set. */
  private String variable(int begin) {
    int from = at;
    while (at < text.length() && named(text.codePointAt(at))) {
      at += Character.charCount(text.codePointAt(at));
    }
    if (at == from) {
      throw new Malformed(begin, at, "`${` is not followed by the name of a variable",
          "as `${NAME}`; `$${` stands for a plain `${`");
    }
    String name = text.substring(from, at);
    unset = environment.containsKey(name) ? unset : name;
    return environment.getOrDefault(name, "");
  }

  private static boolean named(int c) {
    return Character.isLetter(c) || Character.isDigit(c) || c == '_';
  }

  private String form(int begin, String value) {
    return switch (peek()) {
      case '=' -> orDefault(value, 1, begin);
      case ':' -> at + 1 < text.length() && "=-?+".indexOf(text.charAt(at + 1)) >= 0 ? orDefault(value, 2, begin)
          : part(value, begin);
      case ',', '^' -> VariableOperators.cased(value, operator(",^"));
      case '#', '%' -> trimmed(value, operator(peek() == '#' ? "#" : "%"), begin);
      case '/' -> replaced(value, begin);
      default -> value;
    };
  }

  /** Returns one or two characters of these. */
  private String operator(String characters) {
    int from = at++;
    at += characters.indexOf(peek()) >= 0 ? 1 : 0;
    return text.substring(from, at);
  }

  /** {@code ( "=" | ":=" | ":-" | ":?" | ":+" ) ( text | expansion )*}: the default of an empty value. */
  private String orDefault(String value, int operator, int begin) {
    at += operator;
    unset = "";
    StringBuilder other = new StringBuilder();
    while (peek() != '}') {
      if (at >= text.length()) {
        throw unclosed(begin);
      }
      other.append(argument("}", false, begin));
    }
    unset = value.isEmpty() ? unset : "";
    return value.isEmpty() ? other.toString() : value;
  }

  /** {@code ":" offset ( ":" length )?}, both counted in bytes of UTF-8. */
  private String part(String value, int begin) {
    int from = ++at;
    String offset = argument(":}", false, begin);
    Optional<String> length = Optional.empty();
    if (peek() == ':') {
      skip(':');
      length = Optional.of(argument("}", false, begin));
    }
    int to = at;
    return VariableOperators.part(value, offset, length).orElseThrow(() -> new Malformed(from, to,
        "`" + text.substring(from, to) + "` takes no whole part of the value",
        "offset and length count bytes, as in `${NAME:0:3}`"));
  }

  /** {@code ( "#" | "##" | "%" | "%%" ) pattern}. */
  private String trimmed(String value, String operator, int begin) {
    return VariableOperators.trimmed(value, operator, argument("}", false, begin));
  }

  /** {@code "/" ( "/" | "#" | "%" )? pattern "/"+ replacement?}; the pattern is a plain string. */
  private String replaced(String value, int begin) {
    int from = at++;
    at += "/#%".indexOf(peek()) >= 0 && at < text.length() ? 1 : 0;
    String operator = text.substring(from, at);
    String old = argument("/", true, begin);
    int brace = old.indexOf('}');
    if (peek() != '/' || brace >= 0 && old.indexOf('\n', brace) >= 0) {
      throw halved(begin);
    }
    skip('/');
    Optional<String> with = peek() == '}' ? Optional.empty() : Optional.of(argument("}", true, begin));
    return VariableOperators.replaced(value, operator, old, with);
  }

  private void skip(char c) {
    while (peek() == c && at < text.length()) {
      at++;
    }
  }

  /** {@code expansion | character+}, the characters up to one of {@code stops} or the next expansion. */
  private String argument(String stops, boolean escapes, int begin) {
    if (text.startsWith("${", at)) {
      return expansion();
    }
    StringBuilder out = new StringBuilder();
    int from = at;
    while (at < text.length() && stops.indexOf(text.charAt(at)) < 0 && !text.startsWith("${", at)) {
      at += escapes && escaped() ? 1 : 0;
      out.append(text.charAt(at++));
    }
    if (at >= text.length()) {
      throw stops.equals("/") ? halved(begin) : unclosed(begin);
    }
    if (at == from) {
      throw new Malformed(begin, at + 1, "something is missing before " + Decoders.shownCharacter(text.charAt(at)), "");
    }
    return out.toString();
  }

  /** {@code $$}, {@code \/} and {@code \\} stand for their second character. */
  private boolean escaped() {
    char next = at + 1 < text.length() ? text.charAt(at + 1) : ' ';
    return text.charAt(at) == '$' ? next == '$' : text.charAt(at) == '\\' && (next == '/' || next == '\\');
  }

  private void close(int begin) {
    if (at >= text.length() || peek() == '\n' || peek() == '\r') {
      throw unclosed(begin);
    }
    if (peek() != '}') {
      boolean alone = "-+?".indexOf(peek()) >= 0;
      throw new Malformed(begin, at + 1, Decoders.shownCharacter(text.codePointAt(at)) + " is not allowed here",
          alone ? "`${NAME:" + peek() + "…}` has a colon" : "`}` is right");
    }
    at++;
  }

  private Malformed unclosed(int begin) {
    return new Malformed(begin, begin + 2, "`${` is never closed", "`}` closes it; `$${` stands for a plain `${`");
  }

  private Malformed halved(int begin) {
    return new Malformed(begin, begin + 2, "the second `/` of the replacement is missing", "as in `${NAME/old/new}`");
  }

  /** Returns the next character, or NUL at the end. */
  private char peek() {
    return at < text.length() ? text.charAt(at) : 0;
  }

  /** An expansion that cannot be read. */
  private static final class Malformed extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final int from;
    private final int to;
    private final String hint;

    Malformed(int from, int to, String message, String hint) {
      super(message, null, false, false);
      this.from = from;
      this.to = to;
      this.hint = hint;
    }
  }
}
