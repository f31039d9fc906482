package portcullis.config;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import portcullis.fixture.GoldenReport;
import portcullis.lang.source.Problem;
import portcullis.lang.source.Problems;
import portcullis.lang.source.SourceFile;
import portcullis.lang.value.Json;
import portcullis.lang.value.Value;
import portcullis.lang.value.ValueFault;

/** The rows of {@code golden/envsubst.json}: texts with what heimdall's own library makes of them. */
public final class GoldenRows {
  static final String FILE = "golden/envsubst.json";

  private GoldenRows() {}

  /** A row that came out otherwise than it should. */
  record Miss(String name, String input, String wanted, String got) {}

  record Result(int rows, List<Miss> misses) {}

  static Path file() {
    return Path.of("test/data", FILE);
  }

  static Result run() throws IOException, ValueFault {
    Map<String, Value> file = members(Json.read(Files.readAllBytes(file())));
    Map<String, Value> contexts = members(file.get("contexts"));
    List<Value> rows = ((Value.Array) file.get("cases")).items();
    List<Miss> misses = new ArrayList<>();
    for (Value value : rows) {
      Map<String, Value> row = members(value);
      Value context = row.get("context");
      Map<String, String> environment = texts(
          context instanceof Value.Text name ? contexts.get(name.value()) : context);
      // what is no text (output_b64) is refused here at once, there when the YAML is read
      String wanted = row.containsKey("output") ? text(row, "output") : "refused";
      String got = got(text(row, "input"), environment);
      if (!got.equals(wanted) && !(wanted.equals("refused") && got.startsWith("refused: "))) {
        misses.add(new Miss(text(row, "name"), text(row, "input"), wanted, got));
      }
    }
    return new Result(rows.size(), misses);
  }

  private static String got(String input, Map<String, String> environment) {
    Problems problems = new Problems();
    Optional<Substituted> substituted = Substitution.apply(new SourceFile("row", input), environment, problems);
    return substituted.map(Substituted::text)
        .orElseGet(() -> "refused: " + problems.sorted().stream().map(Problem::text).toList());
  }

  private static Map<String, String> texts(Value dict) {
    Map<String, String> out = new LinkedHashMap<>();
    members(dict).keySet().forEach(name -> out.put(name, text(members(dict), name)));
    return out;
  }

  private static String text(Map<String, Value> members, String name) {
    return ((Value.Text) members.get(name)).value();
  }

  private static Map<String, Value> members(Value dict) {
    return ((Value.Dict) dict).members();
  }

  /** One report. */
  public static List<GoldenReport> reports() {
    try {
      Result result = run();
      return List.of(new GoldenReport(FILE, result.rows(), result.misses().stream()
          .map(m -> m.name() + ": `" + m.input() + "` gives `" + m.got() + "` for `" + m.wanted() + "`").toList()));
    } catch (IOException | ValueFault e) {
      throw new IllegalStateException(FILE, e);
    }
  }
}
