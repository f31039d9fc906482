package portcullis.serve.console;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import portcullis.http.message.Fields;
import portcullis.http.message.Response;

/** The files that pages need: one style sheet, one script, one image. Immutable. */
final class Assets {
  private final Map<String, Response> files = Map.of("console.css", file("console.css", "text/css; charset=utf-8"),
      "console.js", file("console.js", "text/javascript; charset=utf-8"),
      "icon.svg", file("icon.svg", "image/svg+xml"));

  Optional<Response> find(String name) {
    return Optional.ofNullable(files.get(name));
  }

  private static Response file(String name, String type) {
    try (InputStream in = Assets.class.getResourceAsStream(name)) {
      return new Response(200, Fields.of("Content-Type", type),
          Stream.ofNullable(in).findFirst().orElseThrow().readAllBytes());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
