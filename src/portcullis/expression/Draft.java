package portcullis.expression;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import portcullis.source.LocatedText;
import portcullis.source.Problems;

/**
 * A text made ready for the parser: found to be of bearable size and depth, its quoted members ({@code a.`b-c`}), which
 * the parser does not know, stood in for by names as long as they are.
 *
 * @param standIns what each of those names stands for
 */
record Draft(String text, Map<String, String> standIns) {
  private static final int LONGEST = 20_000;

  Draft {
    standIns = Map.copyOf(standIns);
  }

  /** The member that a name of the parsed text means. */
  String member(String name) {
    return standIns.getOrDefault(name, name);
  }

  static Optional<Draft> of(LocatedText located, Problems problems) {
    String text = located.text();
    if (text.length() > LONGEST) {
      problems.error(located.at(0, 1), located.path(), "the expression has more than " + LONGEST + " characters", "");
      return Optional.empty();
    }
    Nesting nesting = new Nesting();
    StringBuilder out = new StringBuilder(text);
    Map<String, String> names = new LinkedHashMap<>();
    int at = 0;
    while (at < text.length()) {
      int behind = behindOpaque(text, at);
      if (behind > at) {
        at = behind;
        continue;
      }
      int quoted = behindQuotedMember(text, at);
      if (quoted > at) {
        String standIn = names.computeIfAbsent(text.substring(at + 1, quoted - 1), n -> standIn(text, names.size(), n));
        out.replace(at, quoted, standIn);
      } else {
        nesting.take(text, at);
      }
      if (nesting.tooDeep()) {
        problems.error(located.at(at, 1), located.path(), "the expression is nested too deeply here", "split it");
        return Optional.empty();
      }
      at = Math.max(at + 1, quoted);
    }
    Map<String, String> standIns = new HashMap<>();
    names.forEach((member, standIn) -> standIns.put(standIn, member));
    return Optional.of(new Draft(out.toString(), standIns));
  }

  /** The offset behind the comment or the text constant that begins at {@code at}; {@code at} where none does. */
  private static int behindOpaque(String text, int at) {
    if (text.startsWith("//", at)) {
      int end = text.indexOf('\n', at);
      return end < 0 ? text.length() : end;
    }
    char quote = text.charAt(at);
    if (quote != '"' && quote != '\'') {
      return at;
    }
    String mark = String.valueOf(quote).repeat(3);
    boolean isLong = text.startsWith(mark, at);
    return behindConstant(text, at, isLong ? mark : mark.substring(0, 1), isRaw(text, at));
  }

  private static boolean isRaw(String text, int at) {
    return at > 0 && (text.charAt(at - 1) | 32) == 'r' && (at == 1 || !isNamePart(text.charAt(at - 2))
        || (text.charAt(at - 2) | 32) == 'b');
  }

  private static int behindConstant(String text, int at, String mark, boolean raw) {
    int i = at + mark.length();
    while (i < text.length() && !text.startsWith(mark, i)) {
      if (mark.length() == 1 && text.charAt(i) == '\n') {
        return i;
      }
      i += text.charAt(i) == '\\' && !raw ? 2 : 1;
    }
    return Math.min(text.length(), i + mark.length());
  }

  /** The offset behind the quoted member that begins at {@code at}; {@code at} where none does. */
  private static int behindQuotedMember(String text, int at) {
    if (text.charAt(at) != '`' || !text.substring(0, at).stripTrailing().endsWith(".")) {
      return at;
    }
    int end = text.indexOf('`', at + 1);
    boolean isName = end > at + 1
        && text.substring(at + 1, end).chars().allMatch(c -> isNamePart((char) c) || ".-/ ".indexOf(c) >= 0);
    return isName ? end + 1 : at;
  }

  static boolean isNamePart(char c) {
    return c == '_' || c < 128 && Character.isLetterOrDigit(c);
  }

  /** A name as long as the quoted member with its quotes, which the text does not have. */
  private static String standIn(String text, int number, String member) {
    int length = member.length() + 2;
    int suffix = number;
    String name;
    do {
      String digits = Integer.toString(suffix++, 36);
      name = "_".repeat(Math.max(1, length - digits.length())) + digits;
    } while (text.contains(name));
    return name;
  }
}
