package portcullis.http.message;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import portcullis.fixture.Needs;
import portcullis.lang.value.Json;
import portcullis.lang.value.Value;
import portcullis.lang.value.ValueException;

/**
 * The tables of host names and forwarded chains at {@code $CORPORA}; without them their tests are skipped, saying so.
 */
final class Corpus {
  private static final String FILE = "heimdall-data/forwarded-authority-trie.json";

  private Corpus() {}

  /** The rows of the table with that label. */
  static List<Value> rows(String label) throws IOException, ValueException {
    Path file = Needs.corpus(FILE);
    for (Value table : items(member(Json.read(Files.readString(file)), "tables"))) {
      if (member(table, "label").equals(Value.of(label))) {
        return items(member(table, "rows"));
      }
    }
    throw new IllegalStateException("no table " + label);
  }

  static Value member(Value dict, String name) {
    return ((Value.Dict) dict).get(name).orElse(Value.NULL);
  }

  static List<Value> items(Value array) {
    return array instanceof Value.Array(List<Value> items) ? items : List.of();
  }

  static List<String> texts(Value array) {
    return items(array).stream().map(Corpus::text).toList();
  }

  static String text(Value value) {
    return ((Value.Str) value).value();
  }
}
