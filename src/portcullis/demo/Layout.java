package portcullis.demo;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import portcullis.http.message.Response;
import portcullis.lang.markup.Html;

/** The common layout of all pages: head, navigation, style. It needs no scripts and no external resources. */
final class Layout {
  private static final String STYLE = style();
  /** Where links lead that sign in; the page to come back to follows. */
  static final String LOGIN = "/.portcullis/login?return_to=";

  private static final String POLICY = "default-src 'none'; style-src 'sha256-" + digest(STYLE) + "'; img-src data:; "
      + "base-uri 'none'; frame-ancestors 'none'; form-action 'self'";

  private static final String ICON = "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 24 "
      + "24'%3E"
      + "%3Cpath fill='none' stroke='%238a4b12' stroke-width='2.4' "
      + "d='M3 22V11a9 9 0 0 1 18 0v11M8 22V6m4 16V4m4 18V6M4 12h16'/%3E%3C/svg%3E";

  private static final String FRAME = """
      <!doctype html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <title>{} · Portcullis demonstration</title>
      <link rel="icon" href="{}">
      <style>{}</style>
      </head>
      <body>
      <header><div class="wide">
      {}
      </div></header>
      {}<main class="wide">
      {}
      </main>
      <footer><div class="wide">{}</div></footer>
      </body>
      </html>
      """;

  private static final String HEAD = """
      <a class="brand" href="/"><img src="{}" alt="" width="28" height="28">Portcullis</a>
      <nav aria-label="Pages">{}</nav>
      <div class="who">{}</div>
      """;
  private static final String PROVIDER = "<span class=\"brand\">The identity provider</span>";

  private static final String SIGNED_IN = """
      <span class="name">{}</span> <a class="plain" href="/.portcullis/logout?return_to=/">Sign out</a>
      """;

  /** A page in the navigation. */
  private record Place(String path, String title) {}

  private static final List<Place> PLACES = List.of(new Place("/", "Home"), new Place("/me", "My page"),
      new Place("/admin", "Admin"), new Place("/report", "Report"), new Place(Guide.STOCK, "Stock"));

  private Layout() {}

  /**
   * Returns a page, which must not be cached.
   *
   * @param banner above the page; empty for none
   * @param path of the page, to highlight it in the navigation
   * @param who the name of the signed-in user, if the page knows it
   */
  static Response page(int status, Html banner, String path, String title, Optional<String> who, Html main,
      Html foot) {
    Html links = Html.join(PLACES.stream().map(place -> link(place, path)).toList());
    Html account = who.map(name -> Html.of(SIGNED_IN, name)).orElse(Html.of("<a href=\"{}/me\">Sign in</a>", LOGIN));
    return framed(status, title, Html.of(HEAD, ICON, links, account), banner, main, foot, POLICY);
  }

  /**
   * Returns a page of the identity provider, which is not one of the application's.
   *
   * @param targets where its forms may lead to
   */
  static Response provider(int status, Html main, Set<String> targets) {
    String policy = targets.stream().sorted().reduce(POLICY, (all, target) -> all + " " + target);
    return framed(status, "Sign in", Html.of(PROVIDER), Html.NONE, main, Html.of(
        "<p>This page comes from the identity service itself. The proxy is not involved.</p>"), policy);
  }

  private static Response framed(int status, String title, Html head, Html banner, Html main, Html foot,
      String policy) {
    Html page = Html.of(FRAME, title, ICON, new Html(STYLE), head, banner, main, foot);
    return Response.of(status, "text/html; charset=utf-8", page.markup()).with("Content-Security-Policy", policy)
        .with("X-Content-Type-Options", "nosniff").with("Referrer-Policy", "same-origin")
        .with("Cache-Control", "no-store");
  }

  private static Html link(Place place, String path) {
    return Html.of(place.path.equals(path) ? "<a href=\"{}\" aria-current=\"page\">{}</a>" : "<a href=\"{}\">{}</a>",
        place.path, place.title);
  }

  private static String style() {
    try (InputStream in = Layout.class.getResourceAsStream("style.css")) {
      return new String(Stream.ofNullable(in).findFirst().orElseThrow().readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String digest(String text) {
    try {
      byte[] hash = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
      return Base64.getEncoder().encodeToString(hash);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}
