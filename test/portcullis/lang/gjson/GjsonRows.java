package portcullis.lang.gjson;

import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import portcullis.fixture.GoldenReport;
import portcullis.fixture.GoldenRow;
import portcullis.lang.value.Json;
import portcullis.lang.value.JsonText;
import portcullis.lang.value.Value;
import portcullis.lang.value.ValueException;

/**
 * The rows of {@code golden/gjson.json}: paths with what gjson itself finds. gjson also searches text that is not JSON
 * and numbers beyond the range of doubles; here such a document is refused before a path is applied to it.
 */
public final class GjsonRows {
  private static final String REFUSED = "refused";
  private static final Set<String> INVALID_DOCUMENTS = Set.of("doc-broken", "doc-huge");

  private GjsonRows() {}

  public static GoldenReport report() {
    return GoldenRow.run("golden/gjson.json", GjsonRows::miss);
  }

  private static Optional<String> miss(GoldenRow row) {
    String wanted = INVALID_DOCUMENTS.contains(row.text("document")) ? REFUSED : wanted(row);
    String got = got(row);
    return wanted.equals(got) ? Optional.empty() : GoldenRow.difference(row.text("path"), wanted, got);
  }

  private static String wanted(GoldenRow row) {
    if (!row.member("exists").equals(Optional.of(Value.TRUE))) {
      return "nothing";
    }
    String type = row.text("type");
    String text = type.equals("JSON") ? CompactJson.of(DocumentStep.json(row.text("string")).orElseThrow())
        : row.text("string");
    return String.join(" | ", type, text, JsonText.plain(row.member("bool").orElseThrow()),
        JsonText.plain(doubles(row.member("value").orElseThrow())));
  }

  private static String got(GoldenRow row) {
    Value document;
    try {
      document = Json.read(((Value.Str) row.context("document")).value());
    } catch (ValueException _) {
      return REFUSED;
    }
    return GjsonPath.parse(row.text("path")).get(document).map(found -> String.join(" | ", type(found),
        GjsonPath.text(found), Boolean.toString(GjsonPath.isTrue(found)), JsonText.plain(doubles(found))))
        .orElse("nothing");
  }

  private static String type(Value value) {
    return switch (value) {
      case Value.Null _ -> "Null";
      case Value.Bool bool -> bool.value() ? "True" : "False";
      case Value.Int _, Value.Float _ -> "Number";
      case Value.Str _ -> "String";
      default -> "JSON";
    };
  }

  /** Go reads every number as a double. */
  private static Value doubles(Value value) {
    return switch (value) {
      case Value.Int i -> Value.of((double) i.value() + 0.0);
      case Value.Float f -> Value.of(f.value());
      case Value.Array a -> new Value.Array(a.items().stream().map(GjsonRows::doubles).toList());
      case Value.Dict d -> new Value.Dict(d.members().entrySet().stream()
          .collect(Collectors.toMap(Map.Entry::getKey, e -> doubles(e.getValue()))));
      default -> value;
    };
  }
}
