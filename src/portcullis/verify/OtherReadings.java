package portcullis.verify;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import portcullis.http.message.Reading;
import portcullis.policy.route.Lookup;
import portcullis.policy.route.Match;
import portcullis.policy.route.RouteSample;
import portcullis.policy.rule.Rule;

/**
 * Finds requests that one rule allows, and that upstreams may take for requests that another rule refuses: as
 * {@code /ADMIN} where letter case makes no difference. Tried are other spellings of the request for each route, one
 * for each reading.
 */
final class OtherReadings {
  static final String KIND = "other-reading";

  private final AnalyzedRules rules;
  private final List<Finding> out = new ArrayList<>();

  private OtherReadings(AnalyzedRules rules) {
    this.rules = rules;
  }

  static List<Finding> of(AnalyzedRules rules) {
    OtherReadings readings = new OtherReadings(rules);
    rules.reachable().forEach(sample -> spellings(sample)
        .forEach((reading, url) -> readings.check(sample, reading, url)));
    return readings.out;
  }

  /** Returns URLs that are that of the sample under a reading. */
  private static Map<Reading, String> spellings(RouteSample<Rule> sample) {
    Map<Reading, String> out = new LinkedHashMap<>();
    List<String> written = List.of(sample.route().text().substring(1).split("/", -1));
    int last = -1;
    for (int i = 0; i < written.size(); i++) {
      last = isLiteral(written.get(i)) ? i : last;
    }
    if (last >= 0) {
      String literal = sample.segments().get(last);
      String other = literal.equals(literal.toUpperCase(Locale.ROOT)) ? literal.toLowerCase(Locale.ROOT)
          : literal.toUpperCase(Locale.ROOT);
      if (!other.equals(literal) && !literal.contains("%")) {
        out.put(Reading.CASE, url(sample, last, _ -> other));
      }
      out.put(Reading.PARAMETERS, url(sample, last, segment -> segment + ";x=1"));
      out.put(Reading.TRAILING_DOT, url(sample, last, segment -> segment + "."));
      if (last > 0 && isLiteral(written.get(last - 1))) {
        out.put(Reading.SLASHES, joined(sample, last, "%2F"));
        out.put(Reading.BACKSLASHES, joined(sample, last, "%5C"));
      }
    }
    if (!sample.path().equals("/")) {
      out.put(Reading.TRAILING_SLASH, sample.url().endsWith("/")
          ? sample.url().substring(0, sample.url().length() - 1)
          : sample.url() + "/");
    }
    if (!sample.value().hosts().isEmpty()) {
      String host = sample.host().contains(":") ? sample.host().substring(0, sample.host().indexOf(':'))
          : sample.host() + ":8080";
      out.put(Reading.PORT, sample.scheme() + "://" + host + sample.path());
    }
    return out;
  }

  private static boolean isLiteral(String segment) {
    return !segment.isEmpty() && !segment.startsWith(":") && !segment.startsWith("*") && !segment.startsWith("\\");
  }

  /** Returns the URL with a changed segment. */
  private static String url(RouteSample<Rule> sample, int index, UnaryOperator<String> change) {
    List<String> segments = new ArrayList<>(sample.segments());
    segments.set(index, change.apply(segments.get(index)));
    return url(sample, segments);
  }

  /** Returns the URL with an escape in place of the slash before a segment. */
  private static String joined(RouteSample<Rule> sample, int index, String escape) {
    List<String> segments = new ArrayList<>(sample.segments());
    segments.set(index - 1, segments.get(index - 1) + escape + segments.remove(index));
    return url(sample, segments);
  }

  private static String url(RouteSample<Rule> sample, List<String> segments) {
    return sample.scheme() + "://" + sample.host() + "/" + String.join("/", segments);
  }

  private void check(RouteSample<Rule> sample, Reading reading, String url) {
    for (String method : sample.methods()) {
      if (mayAllow(sample, reading, method, url)) {
        Optional<Finding> found = compared(sample, reading, Probe.of(method, sample.url()), Probe.of(method, url));
        if (found.isPresent()) {
          out.add(found.get());
          return;
        }
      }
    }
  }

  /** Returns whether another rule is for the other spelling, does not guard against it, and has the same upstream. */
  private boolean mayAllow(RouteSample<Rule> sample, Reading reading, String method, String url) {
    int path = url.indexOf('/', url.indexOf("//") + 2);
    String host = url.substring(url.indexOf("//") + 2, path);
    Optional<Rule> rule = rules.rules().index().find(Lookup.of(sample.scheme(), method, host, url.substring(path)))
        .map(Match::value).or(rules.rules()::defaultRule);
    return rule.filter(other -> !other.is(sample.value()) && !other.readings().guards(reading))
        .filter(other -> other.backend().isEmpty() || sample.value().backend().isEmpty()
            || other.backend().get().host().equals(sample.value().backend().get().host()))
        .isPresent();
  }

  private Optional<Finding> compared(RouteSample<Rule> sample, Reading reading, Probe plain, Probe other) {
    Opened opened = Opened.of(rules.check(), plain, other);
    if (!opened.isMore()) {
      return Optional.empty();
    }
    Rule rule = opened.allowed().rule().orElseThrow();
    String what = plain.method() + " " + AnalyzedRules.place(sample);
    return Optional.of(new Finding(KIND, Finding.Severity.WARNING,
        KIND + "/" + sample.value().id() + "/" + setting(reading) + "/" + what, rules.at(rule, ""), rule.id(),
        what + " of rule `" + sample.value().id() + "` is also what upstreams may read here ("
            + Reading.text(Set.of(reading)) + "), and this is " + Differences.text(opened.allowed()),
        other.text(), List.of(opened.who() + "  " + plain.text() + " is " + Differences.text(opened.usual()),
            "guard    `readings: { " + setting(reading) + ": guard }` of "
                + (rule.isDefault() ? "`serve`" : "rule `" + rule.id() + "`, or of `serve`"))));
  }

  /** Returns the key of {@code readings} that guards against it. */
  private static String setting(Reading reading) {
    return switch (reading) {
      case SLASHES -> "slashes";
      case BACKSLASHES -> "backslash";
      case SEMICOLONS, PARAMETERS -> "parameters";
      case TRAILING_DOT, TRAILING_SLASH -> "trailing";
      case CASE -> "case";
      case PORT -> "port";
    };
  }
}
