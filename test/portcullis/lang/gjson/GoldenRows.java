package portcullis.lang.gjson;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import portcullis.fixture.GoldenReport;
import portcullis.lang.value.Json;
import portcullis.lang.value.JsonText;
import portcullis.lang.value.Value;
import portcullis.lang.value.ValueFault;

/** The rows of {@code golden/gjson.json}: paths with what gjson itself finds. */
public final class GoldenRows {
  public static final String FILE = "golden/gjson.json";
  private static final double SAFE = 9_007_199_254_740_991.0;

  private GoldenRows() {}

  /** A row that came out otherwise than it should. */
  public record Miss(String name, String path, String wanted, String got) {}

  public record Result(int rows, List<Miss> misses) {}

  static Path file() {
    return Path.of("test/data", FILE);
  }

  /** One report. */
  public static List<GoldenReport> reports() {
    Result result = run();
    return List.of(new GoldenReport(FILE, result.rows(), result.misses().stream()
        .map(m -> m.name() + ": " + m.path() + " should be " + m.wanted() + ", is " + m.got()).toList()));
  }

  public static Result run() {
    try {
      Value file = Json.read(Files.readAllBytes(file()));
      List<Miss> misses = new ArrayList<>();
      List<Value> rows = ((Value.Array) member(file, "cases")).items();
      for (Value row : rows) {
        String document = text(member(member(file, "contexts"), text(member(row, "document"))));
        GjsonResult result = GjsonPath.parse(text(member(row, "path"))).find(document);
        String wanted = wanted(row);
        String got = got(result, row);
        if (!wanted.equals(got)) {
          misses.add(new Miss(text(member(row, "name")), text(member(row, "path")), wanted, got));
        }
      }
      return new Result(rows.size(), misses);
    } catch (IOException | ValueFault e) {
      throw new IllegalStateException(e);
    }
  }

  private static String wanted(Value row) {
    Value number = member(row, "num");
    return line(text(member(row, "type")), member(row, "exists").equals(Value.TRUE), text(member(row, "string")),
        text(member(row, "raw")), member(row, "bool").equals(Value.TRUE), number(number), wholeOf(row),
        JsonText.plain(normal(member(row, "value"))));
  }

  private static String got(GjsonResult result, Value row) {
    String kind = switch (result.kind()) {
      case JSON -> "JSON";
      default -> result.kind().name().charAt(0) + result.kind().name().substring(1).toLowerCase(java.util.Locale.ROOT);
    };
    boolean numeric = result.kind() == GjsonResult.Kind.NUMBER;
    String number = numeric ? number(Value.of(result.number())) : "";
    String whole = numeric && Math.abs(result.number()) <= SAFE ? Long.toString(result.whole()) : "";
    return line(kind, result.exists(), result.text(), result.raw(), result.isTrue(), number, whole,
        JsonText.plain(normal(result.value())));
  }

  private static String line(Object... parts) {
    return String.join(" | ", List.of(parts).stream().map(Object::toString).toList());
  }

  private static String number(Value value) {
    return switch (value) {
      case Value.Int i -> Double.toString(i.value());
      case Value.Float f -> Double.isInfinite(f.value()) ? "+Inf" : Double.toString(f.value() + 0.0);
      case Value.Text t -> t.value();
      default -> "";
    };
  }

  /** Beyond the safe range it depends on the machine. */
  private static String wholeOf(Value row) {
    String number = number(member(row, "num"));
    boolean safe = !number.isEmpty() && !number.equals("+Inf") && Math.abs(Double.parseDouble(number)) <= SAFE;
    return safe ? JsonText.plain(member(row, "int")) : "";
  }

  /** Numbers as doubles, as Go reads them. */
  private static Value normal(Value value) {
    return switch (value) {
      case Value.Int i -> Value.of((double) i.value() + 0.0);
      case Value.Float f -> Double.isInfinite(f.value()) ? Value.of("+Inf") : f;
      case Value.Array a -> new Value.Array(a.items().stream().map(GoldenRows::normal).toList());
      case Value.Dict d -> new Value.Dict(d.members().entrySet().stream()
          .collect(java.util.stream.Collectors.toMap(Map.Entry::getKey, e -> normal(e.getValue()))));
      default -> value;
    };
  }

  private static Value member(Value object, String name) {
    return ((Value.Dict) object).get(name).orElse(Value.NULL);
  }

  private static String text(Value value) {
    return value instanceof Value.Text text ? text.value() : "";
  }
}
