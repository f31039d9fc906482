package portcullis.lang.template;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import portcullis.lang.regex.Match;
import portcullis.lang.regex.Regex;
import portcullis.lang.value.ValueException;

/** sprig's functions of regular expressions. */
final class RegexFunctions {
  static final Map<String, Function> ALL = new FunctionSet()
      .with("regexMatch", RegexFunctions::matchesLeniently, Param.TEXT, Param.TEXT)
      .with("mustRegexMatch", a -> matches(regex(a), a), Param.TEXT, Param.TEXT)
      .with("regexFind mustRegexFind", RegexFunctions::first, Param.TEXT, Param.TEXT)
      .with("regexFindAll mustRegexFindAll", RegexFunctions::all, Param.TEXT, Param.TEXT, Param.INT)
      .with("regexReplaceAll mustRegexReplaceAll", a -> replaced(a, true), Param.TEXT, Param.TEXT, Param.TEXT)
      .with("regexReplaceAllLiteral mustRegexReplaceAllLiteral", a -> replaced(a, false), Param.TEXT, Param.TEXT,
          Param.TEXT)
      .with("regexSplit mustRegexSplit", RegexFunctions::split, Param.TEXT, Param.TEXT, Param.INT)
      .with("regexQuoteMeta", a -> Item.of(Regex.quoted(a.text(0))), Param.TEXT)
      .functions();

  private RegexFunctions() {}

  private static Regex regex(Arguments a) throws ValueException {
    return a.rendering().regex(a.text(0));
  }

  /** An invalid regular expression matches nothing. */
  private static Item matchesLeniently(Arguments a) throws ValueException {
    Regex regex;
    try {
      regex = regex(a);
    } catch (ValueException _) {
      return Item.FALSE;
    }
    return matches(regex, a);
  }

  private static Item matches(Regex regex, Arguments a) throws ValueException {
    return Item.of(regex.first(a.text(1), a::spend).isPresent());
  }

  private static Item first(Arguments a) throws ValueException {
    return Item.of(regex(a).first(a.text(1), a::spend).map(Match::text).orElse(""));
  }

  private static Item all(Arguments a) throws ValueException {
    List<String> found = matches(a).stream().map(Match::text).toList();
    return found.isEmpty() ? Item.nilList(SequenceType.TEXT) : Item.texts(found);
  }

  /** Returns up to as many matches as the third argument says, all where it is negative. */
  private static List<Match> matches(Arguments a) throws ValueException {
    return regex(a).matches(a.text(1), a.whole(2) < 0 ? Long.MAX_VALUE : a.whole(2), a::spend);
  }

  /** Splits into as many parts as the third argument says, all where it is negative; the last one is the rest. */
  private static Item split(Arguments a) throws ValueException {
    Regex regex = regex(a);
    String text = a.text(1);
    long most = a.whole(2);
    if (most == 0) {
      return Item.nilList(SequenceType.TEXT);
    }
    if (text.isEmpty() && !regex.isEmpty()) {
      return Item.texts(List.of(""));
    }
    List<String> out = new ArrayList<>();
    int begin = 0;
    int end = 0;
    for (Match match : matches(a)) {
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
    return Item.texts(out);
  }

  /**
   * Replaces all matches by the third argument, in which {@code $1}, {@code ${name}} and {@code $$} may be expanded.
   */
  private static Item replaced(Arguments a, boolean expands) throws ValueException {
    String text = a.text(1);
    Output out = new Output(a.budget());
    int end = 0;
    for (Match match : regex(a).matches(text, Long.MAX_VALUE, a::spend)) {
      out.add(text.substring(end, match.start()));
      if (expands) {
        expand(a.text(2), match, out);
      } else {
        out.add(a.text(2));
      }
      end = match.end();
    }
    return Item.of(out.add(text.substring(end)).text());
  }

  private static void expand(String template, Match match, Output out) throws ValueException {
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
        out.add(match.group(template.substring(start, end)));
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
}
