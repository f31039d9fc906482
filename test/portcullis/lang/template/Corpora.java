package portcullis.lang.template;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import portcullis.lang.value.Json;
import portcullis.lang.value.Value;
import portcullis.lang.value.ValueFault;

/** Reads the files of the corpora, which lie in the folder that the environment variable {@code CORPORA} names. */
final class Corpora {
  private Corpora() {}

  static boolean has(String file) {
    return Files.isRegularFile(path(file));
  }

  private static Path folder() {
    return Path.of(System.getenv().getOrDefault("CORPORA", "../shared/corpora"));
  }

  /** Golden rows are the project's own, the other corpora lie outside. */
  private static Path path(String file) {
    return file.startsWith("golden/") ? Path.of("test/data", file) : folder().resolve(file);
  }

  static Value read(String file) {
    try {
      return Json.read(Files.readAllBytes(path(file)));
    } catch (IOException | ValueFault e) {
      throw new IllegalStateException(file, e);
    }
  }

  /** A member of an object; empty where there is none. */
  static Optional<Value> member(Value object, String name) {
    return object instanceof Value.Dict dict ? dict.get(name) : Optional.empty();
  }

  static Optional<String> text(Value object, String name) {
    return member(object, name).map(v -> v instanceof Value.Text t ? t.value() : "");
  }

  static List<Value> items(Value object, String name) {
    return member(object, name).map(v -> v instanceof Value.Array a ? a.items() : List.<Value>of()).orElse(List.of());
  }

  static boolean isTrue(Value object, String name) {
    return member(object, name).equals(Optional.of(Value.TRUE));
  }
}
