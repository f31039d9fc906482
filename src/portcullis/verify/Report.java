package portcullis.verify;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import portcullis.lang.value.JsonText;
import portcullis.lang.value.Value;

/** Writes the results of cases: for people, as JUnit XML, as TAP version 14, or as JSON. */
public final class Report {
  private static final double NANOS_OF_A_SECOND = 1e9;

  private Report() {}

  /** Failed cases with what is wrong, and how many passed. */
  public static String text(Suite.Outcome outcome) {
    List<String> lines = new ArrayList<>();
    for (CaseResult result : outcome.results()) {
      if (!result.passed()) {
        lines.add("FAILED " + result.name() + " (" + result.place() + ")");
        result.wrong().forEach(wrong -> lines.add("  " + wrong));
      }
    }
    outcome.results().stream().flatMap(result -> result.unused().stream()).forEach(line -> lines.add("unused " + line));
    outcome.unused().forEach(line -> lines.add("unused " + line));
    lines.add(outcome.results().size() - outcome.failed() + " passed, " + outcome.failed() + " failed");
    return String.join("\n", lines);
  }

  /** Returns the lines of a coverage report. */
  public static String coverage(Coverage coverage) {
    List<String> lines = new ArrayList<>();
    coverage.missing().forEach(line -> lines.add("not covered " + line));
    lines.add("coverage " + coverage.percent() + " % (" + coverage.covered() + " of " + coverage.all() + ")");
    return String.join("\n", lines);
  }

  /** Returns a {@code testsuite} of each file. */
  public static String junit(Suite.Outcome outcome) {
    StringBuilder out = new StringBuilder("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n");
    Map<String, List<CaseResult>> files = outcome.results().stream()
        .collect(Collectors.groupingBy(CaseResult::file, LinkedHashMap::new, Collectors.toList()));
    files.forEach((file, results) -> {
      long failed = results.stream().filter(r -> !r.passed()).count();
      out.append("  <testsuite name=\"").append(xml(file)).append("\" tests=\"").append(results.size())
          .append("\" failures=\"").append(failed).append("\" time=\"")
          .append(seconds(results.stream().mapToLong(CaseResult::nanos).sum())).append("\">\n");
      results.forEach(result -> {
        out.append("    <testcase classname=\"").append(xml(file)).append("\" name=\"").append(xml(result.name()))
            .append("\" time=\"").append(seconds(result.nanos())).append('"');
        if (result.passed()) {
          out.append("/>\n");
        } else {
          out.append(">\n      <failure message=\"").append(xml(result.wrong().getFirst())).append("\">")
              .append(xml(result.place() + "\n" + String.join("\n", result.wrong())))
              .append("</failure>\n    </testcase>\n");
        }
      });
      out.append("  </testsuite>\n");
    });
    return out.append("</testsuites>").toString();
  }

  private static String seconds(long nanos) {
    return String.format(Locale.ROOT, "%.6f", nanos / NANOS_OF_A_SECOND);
  }

  /** Returns the string without characters that XML 1.0 does not allow (2.2). */
  private static String xml(String text) {
    StringBuilder out = new StringBuilder();
    text.codePoints().forEach(c -> {
      switch (c) {
        case '<' -> out.append("&lt;");
        case '>' -> out.append("&gt;");
        case '&' -> out.append("&amp;");
        case '"' -> out.append("&quot;");
        case '\n' -> out.append("&#10;");
        default -> out.appendCodePoint(c < ' ' && c != '\t' || c >= 0xd800 && c < 0xe000 || c > 0xfffd && c < 0x10000
            ? 0xfffd
            : c);
      }
    });
    return out.toString();
  }

  /** TAP version 14: what is wrong in a YAML block below each failed case. */
  public static String tap(Suite.Outcome outcome) {
    List<String> lines = new ArrayList<>(List.of("TAP version 14", "1.." + outcome.results().size()));
    int number = 0;
    for (CaseResult result : outcome.results()) {
      lines.add((result.passed() ? "ok " : "not ok ") + ++number + " - "
          + result.name().replace("\\", "\\\\").replace("#", "\\#").replace('\n', ' '));
      if (!result.passed()) {
        lines.add("  ---");
        lines.add("  at: " + JsonText.quoted(result.place(), false));
        lines.add("  wrong:");
        result.wrong().forEach(wrong -> lines.add("    - " + JsonText.quoted(wrong, false)));
        lines.add("  ...");
      }
    }
    return String.join("\n", lines);
  }

  /** Returns one object. */
  public static String json(Suite.Outcome outcome, boolean covered) {
    Map<String, Value> out = new LinkedHashMap<>();
    out.put("passed", Value.of(outcome.results().size() - outcome.failed()));
    out.put("failed", Value.of(outcome.failed()));
    out.put("cases", new Value.Array(outcome.results().stream().map(Report::json).toList()));
    List<String> unused = new ArrayList<>(outcome.unused());
    outcome.results().forEach(result -> unused.addAll(result.unused()));
    out.put("unused_stubs", Value.Array.ofStrings(unused));
    if (covered) {
      Map<String, Value> coverage = new LinkedHashMap<>();
      coverage.put("percent", Value.of(outcome.coverage().percent()));
      coverage.put("covered", Value.of(outcome.coverage().covered()));
      coverage.put("all", Value.of(outcome.coverage().all()));
      coverage.put("missing", Value.Array.ofStrings(outcome.coverage().missing()));
      out.put("coverage", new Value.Dict(coverage));
    }
    return JsonText.plain(new Value.Dict(out));
  }

  private static Value json(CaseResult result) {
    Map<String, Value> out = new LinkedHashMap<>();
    out.put("name", Value.of(result.name()));
    out.put("file", Value.of(result.file()));
    out.put("at", Value.of(result.place()));
    out.put("passed", Value.of(result.passed()));
    out.put("wrong", Value.Array.ofStrings(result.wrong()));
    out.put("microseconds", Value.of(result.nanos() / 1000));
    return new Value.Dict(out);
  }
}
