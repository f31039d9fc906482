package portcullis.serve.console;

import java.util.List;
import portcullis.http.message.Response;
import portcullis.lang.markup.Html;
import portcullis.serve.service.ConsoleEndpoint;

/**
 * The common layout of all pages: head, navigation, foot. Everything it loads is of this origin; nothing is inline.
 *
 * @param version of the program
 */
record ConsoleLayout(List<ConsolePage> pages, String version) {
  private static final String POLICY = "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; "
      + "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

  private static final String FRAME = """
      <!doctype html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="color-scheme" content="light dark">
      <title>{} · Portcullis</title>
      <link rel="icon" href="/console/icon.svg">
      <link rel="stylesheet" href="/console/console.css">
      <script src="/console/console.js" defer></script>
      </head>
      <body>
      <a class="skip" href="#main">Skip to the content</a>
      <header><div class="wide">
      <a class="brand" href="/console/"><img src="/console/icon.svg" alt="" width="26" height="26">Portcullis</a>
      <nav aria-label="Pages"><ul>{}</ul></nav>
      </div></header>
      <main id="main" class="wide" tabindex="-1">
      {}
      </main>
      <footer><div class="wide"><p>{}</p><p>Portcullis {}</p></div></footer>
      </body>
      </html>
      """;

  /** Returns a page as a response. @param name of the page, to mark it in the navigation */
  Response page(ConsoleContent.Page page, String name, String subject) {
    Html links = Html.join(pages.stream().map(one -> link(one, name)).toList());
    Html who = subject.isEmpty() ? Html.NONE : Html.of("Signed in as <strong>{}</strong>", subject);
    Html text = Html.of(FRAME, page.title(), links, page.main(), who, version);
    return safe(Response.of(page.status(), "text/html; charset=utf-8", text.markup()));
  }

  /** Returns the page for those who may not use the console: it names no page. */
  static Response refusal(int status, String reason) {
    Html main = Html.of("<h1>No access</h1><p>{}</p>", reason);
    return safe(Response.of(status, "text/html; charset=utf-8",
        Html.of(FRAME, "No access", Html.NONE, main, Html.NONE, "console").markup()));
  }

  /**
   * Adds what keeps a response out of caches, frames and other origins. Without any referrer browsers would send the
   * console's own forms with the origin {@code null}.
   */
  static Response safe(Response response) {
    return response.with("Content-Security-Policy", POLICY).with("Cache-Control", "no-store")
        .with("X-Content-Type-Options", "nosniff").with("Referrer-Policy", "same-origin")
        .with("Cross-Origin-Resource-Policy", "same-origin").with("Cross-Origin-Opener-Policy", "same-origin");
  }

  private static Html link(ConsolePage page, String current) {
    return Html.of(
        page.name().equals(current) ? "<li><a href=\"{}\" aria-current=\"page\">{}</a></li>"
            : "<li><a href=\"{}\">{}</a></li>",
        address(page), page.title());
  }

  /** Returns the path of a page. */
  static String address(ConsolePage page) {
    return ConsoleEndpoint.PATH + "/" + page.name();
  }
}
