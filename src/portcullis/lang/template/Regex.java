package portcullis.lang.template;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import java.util.ArrayList;
import java.util.List;
import portcullis.lang.value.ValueFault;

/** A regular expression of RE2's syntax, which takes linear time; used as Go's regexp does. Immutable. */
final class Regex {
  /** How many characters go through a pattern of {@link #SIZE_A_STEP} parts for one step. */
  private static final int CHARACTERS_A_STEP = 64;
  private static final int SIZE_A_STEP = 50;

  private final Pattern pattern;
  private final List<String> names;
  private final long weight;

  private Regex(Pattern pattern, RegexShape shape) {
    this.pattern = pattern;
    this.names = shape.names();
    this.weight = 1 + shape.size() / SIZE_A_STEP;
  }

  /** Where a match and its groups begin and end; negative for a group that took no part. */
  private record Match(int[] starts, int[] ends) {
    int start() {
      return starts[0];
    }

    int end() {
      return ends[0];
    }
  }

  static Regex of(String text) throws ValueFault {
    RegexShape shape = RegexShape.of(text);
    try {
      return new Regex(Pattern.compile(shape.unnamed()), shape);
    } catch (PatternSyntaxException e) {
      throw new ValueFault(e.getMessage());
    }
  }

  boolean matches(String text, Budget budget) throws ValueFault {
    spend(text.length(), budget);
    return pattern.matcher(text).find();
  }

  private void spend(int characters, Budget budget) throws ValueFault {
    budget.spend(1 + characters * weight / CHARACTERS_A_STEP);
  }

  /** The first match, the empty text where there is none. */
  String first(String text, Budget budget) throws ValueFault {
    spend(text.length(), budget);
    Matcher matcher = pattern.matcher(text);
    return matcher.find() ? matcher.group() : "";
  }

  private static int charactersAt(String text, int at) {
    return at < text.length() ? Character.charCount(text.codePointAt(at)) : 1;
  }

  /** An empty match right behind another one does not count. */
  private List<Match> matches(String text, long most, Budget budget) throws ValueFault {
    List<Match> out = new ArrayList<>();
    Matcher matcher = pattern.matcher(text);
    int at = 0;
    int lastEnd = -1;
    while (at <= text.length() && out.size() < most) {
      spend(text.length() - at, budget);
      if (!matcher.find(at)) {
        return out;
      }
      boolean empty = matcher.end() == matcher.start();
      if (!empty || matcher.start() != lastEnd) {
        out.add(match(matcher));
      }
      lastEnd = matcher.end();
      at = matcher.end() > at ? matcher.end() : at + charactersAt(text, at);
    }
    return out;
  }

  private static Match match(Matcher matcher) {
    int[] starts = new int[matcher.groupCount() + 1];
    int[] ends = new int[starts.length];
    for (int i = 0; i < starts.length; i++) {
      starts[i] = matcher.start(i);
      ends[i] = matcher.end(i);
    }
    return new Match(starts, ends);
  }

  /** At most so many matches; all where that is negative. */
  List<String> all(String text, long most, Budget budget) throws ValueFault {
    return matches(text, most < 0 ? Long.MAX_VALUE : most, budget).stream()
        .map(m -> text.substring(m.start(), m.end())).toList();
  }

  /** At most so many parts, all where that is negative; the last one is what is left. */
  List<String> split(String text, long most, Budget budget) throws ValueFault {
    if (text.isEmpty() && !pattern.pattern().isEmpty()) {
      return List.of("");
    }
    List<String> out = new ArrayList<>();
    int begin = 0;
    int end = 0;
    for (Match match : matches(text, most < 0 ? Long.MAX_VALUE : most, budget)) {
      if (most > 0 && out.size() == most - 1) {
        break;
      }
      end = match.start();
      if (match.end() != 0) {
        out.add(text.substring(begin, end));
      }
      begin = match.end();
    }
    if (end != text.length()) {
      out.add(text.substring(begin));
    }
    return out;
  }

  /** @param template with {@code $1}, {@code ${name}} and {@code $$}, or what stands as it is */
  String replaced(String text, String template, boolean expands, Budget budget) throws ValueFault {
    Output out = new Output(budget);
    int end = 0;
    for (Match match : matches(text, Long.MAX_VALUE, budget)) {
      out.add(text.substring(end, match.start()));
      if (expands) {
        expand(template, text, match, out);
      } else {
        out.add(template);
      }
      end = match.end();
    }
    return out.add(text.substring(end)).text();
  }

  private void expand(String template, String text, Match match, Output out) throws ValueFault {
    int at = 0;
    for (int dollar = template.indexOf('$'); dollar >= 0; dollar = template.indexOf('$', at)) {
      out.add(template.substring(at, dollar));
      at = dollar + 1;
      if (template.startsWith("$", at)) {
        out.add('$');
        at++;
        continue;
      }
      boolean braced = template.startsWith("{", at);
      int start = braced ? at + 1 : at;
      int end = endOfName(template, start);
      if (end == start || braced && !template.startsWith("}", end)) {
        out.add('$');
      } else {
        group(template.substring(start, end), text, match, out);
        at = braced ? end + 1 : end;
      }
    }
    out.add(template.substring(at));
  }

  private static int endOfName(String template, int start) {
    int end = start;
    while (end < template.length()
        && (template.charAt(end) == '_' || Character.isLetterOrDigit(template.codePointAt(end)))) {
      end += Character.charCount(template.codePointAt(end));
    }
    return end;
  }

  private void group(String name, String text, Match match, Output out) throws ValueFault {
    boolean number = name.length() < 9 && name.chars().allMatch(c -> c >= '0' && c <= '9')
        && (name.length() == 1 || !name.startsWith("0"));
    for (int i = number ? Integer.parseInt(name) : 0; i < match.starts.length; i++) {
      if (number || names.get(i).equals(name) && match.starts[i] >= 0) {
        out.add(match.starts[i] < 0 ? "" : text.substring(match.starts[i], match.ends[i]));
        return;
      }
    }
  }

  static String quoted(String text) {
    StringBuilder out = new StringBuilder(text.length());
    for (int i = 0; i < text.length(); i++) {
      out.append("\\.+*?()|[]{}^$".indexOf(text.charAt(i)) >= 0 ? "\\" : "").append(text.charAt(i));
    }
    return out.toString();
  }
}
