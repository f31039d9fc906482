package portcullis.policy.route;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import portcullis.fixture.Needs;
import portcullis.lang.value.Json;
import portcullis.lang.value.Value;
import portcullis.lang.value.ValueException;

/** Test data kept outside of the tree, at {@code $CORPORA}; a test that asks for absent data is skipped and says so. */
final class Corpus {
  private Corpus() {}

  static String text(String name) {
    Path file = Needs.corpus(name);
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static Map<String, Value> json(String name) {
    try {
      return members(Json.read(text(name)));
    } catch (ValueException e) {
      throw new IllegalStateException(name, e);
    }
  }

  static Map<String, Value> members(Value value) {
    return ((Value.Dict) value).members();
  }

  static List<Value> items(Value value) {
    return ((Value.Array) value).items();
  }

  static List<String> texts(Value value) {
    return items(value).stream().map(Corpus::text).toList();
  }

  static String text(Value value) {
    return ((Value.Str) value).value();
  }

  static boolean flag(Value value) {
    return ((Value.Bool) value).value();
  }
}
