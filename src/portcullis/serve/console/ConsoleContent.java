package portcullis.serve.console;

import java.util.function.Supplier;
import portcullis.http.message.Response;
import portcullis.lang.markup.Html;

/** What a page returns. */
public sealed interface ConsoleContent {
  /**
   * A page inside the common layout.
   *
   * @param title of this page, a part of the title of the document
   * @param main its content, which begins with {@code <h1>}
   */
  record Page(int status, String title, Html main) implements ConsoleContent {}

  /** Something else, such as JSON or a redirect; headers that protect it are added. */
  record Document(Response response) implements ConsoleContent {}

  /** Server-sent events (WHATWG HTML, 9.2), for a bounded number of readers. */
  record Events(Supplier<EventSource> source) implements ConsoleContent {}

  static Page page(String title, Html main) {
    return new Page(200, title, main);
  }

  /** Returns the page that something does not exist. */
  static Page missing(String what) {
    return new Page(404, "Not found", Html.of("<h1>Not found</h1><p>{}</p>", what));
  }
}
