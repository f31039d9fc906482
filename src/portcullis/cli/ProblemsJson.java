package portcullis.cli;

import java.util.LinkedHashMap;
import java.util.Map;
import portcullis.lang.source.Origin;
import portcullis.lang.source.Problem;
import portcullis.lang.source.Problems;
import portcullis.lang.value.JsonText;
import portcullis.lang.value.Value;

/** Problems for programs: what was found, each with its place, in one line of JSON. */
final class ProblemsJson {
  private ProblemsJson() {}

  static String of(Problems problems) {
    Map<String, Value> out = new LinkedHashMap<>();
    out.put("valid", Value.of(!problems.hasErrors()));
    out.put("problems", new Value.Array(problems.sorted().stream().map(ProblemsJson::of).toList()));
    return JsonText.plain(new Value.Dict(out));
  }

  private static Value of(Problem problem) {
    Map<String, Value> out = new LinkedHashMap<>();
    out.put("severity", Value.of(problem.isError() ? "error" : "warning"));
    switch (problem.at()) {
      case Origin.InFile at -> {
        out.put("file", Value.of(at.file().name()));
        out.put("line", Value.of(at.line()));
        out.put("column", Value.of(at.column()));
        out.put("length", Value.of(at.length()));
      }
      case Origin.InEnvironment at -> out.put("variable", Value.of(at.variable()));
      case Origin.BuiltIn _ -> {
      }
    }
    out.put("path", Value.of(problem.path()));
    out.put("message", Value.of(problem.message()));
    out.put("hint", Value.of(problem.hint()));
    return new Value.Dict(out);
  }
}
