package portcullis.serve.service;

import java.util.Optional;
import portcullis.http.message.Response;
import portcullis.lang.value.JsonText;
import portcullis.lang.value.Value;
import portcullis.serve.debug.ExplanationStore;

/** Returns explanations of requests by their ids, as JSON, or as text for {@code ID.txt}. Thread safe. */
final class ExplanationEndpoint {
  static final String PATH = "/explanations/";
  private static final String TEXT = ".txt";

  private final ExplanationStore store;

  ExplanationEndpoint(ExplanationStore store) {
    this.store = store;
  }

  /** @param path begins with {@link #PATH} */
  Response answer(String path) {
    String name = path.substring(PATH.length());
    Optional<Response> found = name.endsWith(TEXT)
        ? store.text(name.substring(0, name.length() - TEXT.length()))
            .map(text -> Response.of(200, "text/plain; charset=utf-8", text + "\n"))
        : store.json(name).map(json -> Response.of(200, "application/json", json));
    return found.orElseGet(() -> Response.of(404, "application/json", JsonText.plain(Value.dict("error",
        Value.of("there is no such explanation, or not any more: see management.debug.keep")))))
        .with("Cache-Control", "no-store").with("X-Content-Type-Options", "nosniff");
  }
}
