package portcullis.verify;

import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import portcullis.lang.source.TerminalText;
import portcullis.lang.value.JsonText;
import portcullis.lang.value.Value;

/** Findings as text, JSON and SARIF 2.1.0. */
public final class AnalysisReport {
  private static final Pattern PLACE = Pattern.compile("(.*):(\\d+):(\\d+)");

  private AnalysisReport() {}

  public static String text(Analysis.Outcome outcome) {
    StringBuilder out = new StringBuilder();
    for (Finding finding : outcome.findings()) {
      String severity = switch (finding.severity()) {
        case ERROR -> "error: ";
        case WARNING -> "";
        case NOTE -> "note: ";
      };
      line(out, (finding.at().isEmpty() ? "" : finding.at() + ": ") + severity + finding.kind() + ": "
          + finding.message());
      if (!finding.request().isEmpty()) {
        line(out, "  request  " + finding.request());
      }
      if (!finding.counts()) {
        continue;
      }
      if (!finding.rule().isEmpty()) {
        line(out, "  rule     `" + finding.rule() + "`");
      }
      finding.details().forEach(detail -> line(out, "  " + detail));
      line(out, "  id       " + finding.id());
    }
    long notes = outcome.findings().size() - outcome.count();
    return out.append(outcome.count()).append(outcome.count() == 1 ? " finding" : " findings").append(" in ")
        .append(outcome.rules()).append(" rules")
        .append(notes == 0 ? "" : ", " + notes + (notes == 1 ? " note" : " notes"))
        .append(outcome.accepted().isEmpty() ? "" : ", " + outcome.accepted().size() + " accepted").toString();
  }

  private static void line(StringBuilder out, String text) {
    out.append(TerminalText.of(text)).append('\n');
  }

  public static String json(Analysis.Outcome outcome) {
    Map<String, Value> out = new LinkedHashMap<>();
    out.put("findings", new Value.Array(outcome.findings().stream().map(AnalysisReport::json).toList()));
    out.put("accepted", new Value.Array(outcome.accepted().stream().<Value>map(accepted -> dict("finding",
        json(accepted.finding()), "reason", Value.of(accepted.reason()))).toList()));
    out.put("count", Value.of(outcome.count()));
    out.put("rules", Value.of((long) outcome.rules()));
    return JsonText.plain(new Value.Dict(out));
  }

  private static Value json(Finding finding) {
    Map<String, Value> out = new LinkedHashMap<>();
    out.put("kind", Value.of(finding.kind()));
    out.put("severity", Value.of(finding.severity().name().toLowerCase(Locale.ROOT)));
    out.put("id", Value.of(finding.id()));
    out.put("at", Value.of(finding.at()));
    out.put("rule", Value.of(finding.rule()));
    out.put("message", Value.of(finding.message()));
    out.put("request", Value.of(finding.request()));
    out.put("details", Value.Array.ofStrings(finding.details()));
    return new Value.Dict(out);
  }

  /** @param version of the program */
  public static String sarif(Analysis.Outcome outcome, String version) {
    List<String> kinds = Stream.concat(outcome.findings().stream(), outcome.accepted().stream()
        .map(Review.Accepted::finding)).map(Finding::kind).distinct().sorted().toList();
    Value rules = new Value.Array(kinds.stream().<Value>map(kind -> Value.dict("id", Value.of(kind))).toList());
    Value driver = dict("name", Value.of("portcullis"), "version", Value.of(version), "rules", rules);
    List<Value> results = new ArrayList<>();
    outcome.findings().forEach(finding -> results.add(new Value.Dict(sarif(finding))));
    outcome.accepted().forEach(accepted -> results.add(suppressed(accepted)));
    Value run = dict("tool", Value.dict("driver", driver), "results", new Value.Array(results));
    return JsonText.plain(dict("$schema", Value.of("https://json.schemastore.org/sarif-2.1.0.json"), "version",
        Value.of("2.1.0"), "runs", Value.of(run)));
  }

  private static Value suppressed(Review.Accepted accepted) {
    Map<String, Value> out = sarif(accepted.finding());
    out.put("suppressions", Value.of(dict("kind", Value.of("external"), "status", Value.of("accepted"),
        "justification", Value.of(accepted.reason()))));
    return new Value.Dict(out);
  }

  private static Map<String, Value> sarif(Finding finding) {
    String level = finding.severity().name().toLowerCase(Locale.ROOT);
    String text = finding.message() + (finding.request().isEmpty() ? "" : ". Request: " + finding.request());
    Value fingerprint = Value.dict("portcullis/v1", Value.of(finding.id()));
    Value more = dict("request", Value.of(finding.request()), "rule", Value.of(finding.rule()), "details",
        Value.Array.ofStrings(finding.details()));
    Map<String, Value> out = new LinkedHashMap<>();
    out.put("ruleId", Value.of(finding.kind()));
    out.put("level", Value.of(level));
    out.put("message", Value.dict("text", Value.of(text)));
    Matcher place = PLACE.matcher(finding.at());
    if (place.matches()) {
      Value region = dict("startLine", Value.of(Long.parseLong(place.group(2))), "startColumn",
          Value.of(Long.parseLong(place.group(3))));
      Value physical = dict("artifactLocation", Value.dict("uri", Value.of(uri(place.group(1)))), "region", region);
      out.put("locations", Value.of(Value.dict("physicalLocation", physical)));
    }
    out.put("partialFingerprints", fingerprint);
    out.put("properties", more);
    return out;
  }

  /** Relative files have relative URIs (SARIF 2.1.0, 3.4.3). */
  private static String uri(String file) {
    Path path = Path.of(file);
    URI absolute = path.toAbsolutePath().toUri();
    return (path.isAbsolute() ? absolute : Path.of("").toAbsolutePath().toUri().relativize(absolute)).toASCIIString();
  }

  private static Value dict(Object... members) {
    Map<String, Value> out = new LinkedHashMap<>();
    for (int i = 0; i < members.length; i += 2) {
      out.put((String) members[i], (Value) members[i + 1]);
    }
    return new Value.Dict(out);
  }
}
