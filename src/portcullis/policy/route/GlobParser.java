package portcullis.policy.route;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import portcullis.lang.source.LocatedText;
import portcullis.lang.source.Problems;

/**
 * Reads a glob; used once.
 *
 * <pre>
 * glob   = *( "**" / "*" / "?" / class / choice / "\" any / any )
 * class  = "[" [ "!" ] ( any "-" any / 1*any ) "]"
 * choice = "{" glob *( "," glob ) ( "}" / end )
 * </pre>
 */
final class GlobParser {
  private static final int DEEPEST = 50;

  private final LocatedText source;
  private final String text;
  private final Problems problems;
  private int at;
  private boolean failed;

  GlobParser(LocatedText source, Problems problems) {
    this.source = source;
    this.text = source.text();
    this.problems = problems;
  }

  /** Returns the parts; empty exactly if a problem was added. */
  Optional<List<GlobPart>> parse() {
    List<GlobPart> parts = sequence(0);
    return failed ? Optional.empty() : Optional.of(parts);
  }

  private List<GlobPart> sequence(int depth) {
    List<GlobPart> parts = new ArrayList<>();
    while (!failed && at < text.length() && !(depth > 0 && (peek() == ',' || peek() == '}'))) {
      int c = next();
      switch (c) {
        case '*' -> parts.add(run());
        case '?' -> parts.add(new GlobPart.AnyCharacter());
        case '[' -> characterClass().ifPresent(parts::add);
        case '{' -> parts.add(choice(depth + 1));
        case '\\' -> escaped().ifPresent(parts::add);
        default -> parts.add(new GlobPart.One(c));
      }
    }
    return parts;
  }

  private GlobPart run() {
    boolean everywhere = at < text.length() && peek() == '*';
    at += everywhere ? 1 : 0;
    return new GlobPart.AnySequence(everywhere);
  }

  /** A backslash at the very end stands for nothing. */
  private Optional<GlobPart> escaped() {
    return at < text.length() ? Optional.of(new GlobPart.One(next())) : Optional.empty();
  }

  private GlobPart choice(int depth) {
    int opened = at - 1;
    List<List<GlobPart>> alternatives = new ArrayList<>();
    if (depth > DEEPEST) {
      fail(opened, 1, "braces are nested more than " + DEEPEST + " deep", "");
      return new GlobPart.Choice(alternatives);
    }
    alternatives.add(sequence(depth));
    while (!failed && at < text.length() && peek() == ',') {
      at++;
      alternatives.add(sequence(depth));
    }
    if (!failed && at == text.length()) {
      problems.warning(source.at(opened), source.path(), "`{` is never closed",
          "write `\\{` for the character, or close it with `}`");
    }
    at = Math.min(at + 1, text.length());
    return new GlobPart.Choice(alternatives);
  }

  private Optional<GlobPart> characterClass() {
    int opened = at - 1;
    boolean negated = at < text.length() && peek() == '!';
    at += negated ? 1 : 0;
    boolean range = at < text.length() && text.startsWith("-", at + Character.charCount(peek()));
    return range ? range(opened, negated) : list(opened, negated);
  }

  private Optional<GlobPart> range(int opened, boolean negated) {
    int low = next();
    at++;
    if (at + 1 >= text.length()) {
      return fail(opened, text.length() - opened, "`[` is never closed", "write one range as `[a-z]`");
    }
    int high = next();
    if (at >= text.length() || next() != ']') {
      return fail(opened, at - opened, "a class holds one range or a list, not both",
          "write `{[a-c],[x-z]}` for two ranges, a list as `[abc]`, with `-` first or as `\\-`");
    }
    return high < low
        ? fail(opened, at - opened, "the range ends before it begins", "write the lower character first")
        : Optional.of(new GlobPart.CharacterRange(low, high, negated));
  }

  private Optional<GlobPart> list(int opened, boolean negated) {
    StringBuilder characters = new StringBuilder();
    while (at < text.length() && peek() != ']') {
      int c = next();
      characters.appendCodePoint(c == '\\' && at < text.length() ? next() : c);
    }
    if (at == text.length()) {
      return fail(opened, at - opened, "`[` is never closed",
          "write `\\[` for the character, or close the class with `]`");
    }
    at++;
    return characters.isEmpty()
        ? fail(opened, at - opened, "an empty class fits nothing", "write `\\[` for the character")
        : Optional.of(new GlobPart.OneOf(characters.toString(), negated));
  }

  private int peek() {
    return text.codePointAt(at);
  }

  private int next() {
    int c = text.codePointAt(at);
    at += Character.charCount(c);
    return c;
  }

  private Optional<GlobPart> fail(int from, int length, String message, String hint) {
    problems.error(source.at(from, length), source.path(), "invalid glob `" + text + "`: " + message, hint);
    failed = true;
    return Optional.empty();
  }
}
