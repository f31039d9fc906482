package portcullis.verify;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import portcullis.lang.source.OneLine;
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
    }
    long notes = outcome.findings().size() - outcome.count();
    return out.append(outcome.count()).append(outcome.count() == 1 ? " finding" : " findings").append(" in ")
        .append(outcome.rules()).append(" rules")
        .append(notes == 0 ? "" : ", " + notes + (notes == 1 ? " note" : " notes")).toString();
  }

  private static void line(StringBuilder out, String text) {
    out.append(OneLine.of(text)).append('\n');
  }

  public static String json(Analysis.Outcome outcome) {
    Map<String, Value> out = new LinkedHashMap<>();
    out.put("findings", new Value.Array(outcome.findings().stream().map(AnalysisReport::json).toList()));
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
    List<String> kinds = outcome.findings().stream().map(Finding::kind).distinct().sorted().toList();
    Value rules = new Value.Array(kinds.stream().<Value>map(kind -> Value.dict("id", Value.of(kind))).toList());
    Value driver = dict("name", Value.of("portcullis"), "version", Value.of(version), "rules", rules);
    Value results = new Value.Array(outcome.findings().stream().map(AnalysisReport::sarif).toList());
    Value run = dict("tool", Value.dict("driver", driver), "results", results);
    return JsonText.plain(dict("$schema", Value.of("https://json.schemastore.org/sarif-2.1.0.json"), "version",
        Value.of("2.1.0"), "runs", Value.of(run)));
  }

  private static Value sarif(Finding finding) {
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
    return new Value.Dict(out);
  }

  private static String uri(String file) {
    return Path.of(file).isAbsolute() ? Path.of(file).toUri().toString()
        : file.replace(" ", "%20");
  }

  private static Value dict(Object... members) {
    Map<String, Value> out = new LinkedHashMap<>();
    for (int i = 0; i < members.length; i += 2) {
      out.put((String) members[i], (Value) members[i + 1]);
    }
    return new Value.Dict(out);
  }
}
