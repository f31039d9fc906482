package portcullis.demo;

import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import portcullis.http.message.Cookies;
import portcullis.http.message.Fields;
import portcullis.http.message.Query;

/**
 * A request to one of the world's services; immutable.
 *
 * @param path as it was sent, with its escapes
 * @param query without its question mark
 */
record Visit(String method, String path, String query, Fields fields, byte[] body) {
  /** Method and path, as {@code GET /login}; HEAD counts as GET. */
  String wish() {
    return (method.equals("HEAD") ? "GET" : method) + " " + path;
  }

  /** The first value of a parameter of the query. */
  Optional<String> parameter(String name) {
    return first(query, name);
  }

  /** The first value of a field of a form that was sent as the body. */
  Optional<String> formField(String name) {
    return first(new String(body, StandardCharsets.ISO_8859_1), name);
  }

  private static Optional<String> first(String pairs, String name) {
    return Query.parameters(pairs).getOrDefault(name, List.of()).stream().findFirst();
  }

  Optional<String> cookie(String name) {
    return Cookies.first(fields, name);
  }

  /** All values of each field in one line, fields in the order in which they came. */
  Map<String, String> headers() {
    Map<String, String> out = new LinkedHashMap<>();
    fields.forEach(field -> out.merge(field.name(), field.value(), (one, other) -> one + ", " + other));
    return out;
  }
}
