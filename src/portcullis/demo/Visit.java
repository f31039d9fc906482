package portcullis.demo;

import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import portcullis.http.message.Fields;
import portcullis.http.message.Query;

/**
 * A request to one of the world's services; immutable.
 *
 * @param path as it was sent, with escapes
 * @param query without the question mark
 */
record Visit(String method, String path, String query, Fields fields, byte[] body) {
  /** Returns method and path, as {@code GET /login}; HEAD is treated as GET. */
  String wish() {
    return (method.equals("HEAD") ? "GET" : method) + " " + path;
  }

  /** Returns the first value of a query parameter. */
  Optional<String> parameter(String name) {
    return first(query, name);
  }

  /** Returns the first value of a form field in the body. */
  Optional<String> formField(String name) {
    return first(new String(body, StandardCharsets.ISO_8859_1), name);
  }

  private static Optional<String> first(String pairs, String name) {
    return Query.parameters(pairs).getOrDefault(name, List.of()).stream().findFirst();
  }

  /** Returns the header fields in order, with all values of a name joined. */
  Map<String, String> headers() {
    Map<String, String> out = new LinkedHashMap<>();
    fields.forEach(field -> out.merge(field.name(), field.value(), (one, other) -> one + ", " + other));
    return out;
  }
}
