package portcullis.policy.login;

import java.util.List;
import java.util.Map;
import portcullis.http.message.Field;
import portcullis.http.message.Response;

/** The plain pages of a login; they load nothing and run no script. */
final class Pages {
  private static final String STYLE = "body{font:1rem/1.5 system-ui,sans-serif;max-width:28rem;margin:15vh auto;"
      + "padding:0 1rem}a,button{font:inherit}li{margin:.5rem 0}";

  private Pages() {}

  /** Returns a page of paragraphs that are HTML. */
  private static Response page(int status, String title, String html, List<Field> cookies) {
    return page(status, title, html, "no-referrer").with(cookies);
  }

  private static Response page(int status, String title, String html, String referrer) {
    String body = "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>" + title
        + "</title><meta name=\"viewport\" content=\"width=device-width\"><style>" + STYLE + "</style></head><body><h1>"
        + title + "</h1>" + html + "</body></html>\n";
    return safe(Response.of(status, "text/html; charset=utf-8", body), referrer);
  }

  /** Adds what keeps a response out of caches and frames, and its URL out of {@code Referer}. */
  private static Response safe(Response response, String referrer) {
    return response.with("Cache-Control", "no-store").with("Referrer-Policy", referrer)
        .with("X-Content-Type-Options", "nosniff")
        .with("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; "
            + "form-action *; base-uri 'none'");
  }

  static Response redirect(String location, List<Field> cookies) {
    return Response.of(303).with("Location", location).with("Cache-Control", "no-store")
        .with("Referrer-Policy", "no-referrer").with(cookies);
  }

  /** @param links names of providers and where their logins start */
  static Response chooser(Map<String, String> links) {
    StringBuilder list = new StringBuilder("<ul>");
    links.forEach((name, link) -> list.append("<li><a href=\"").append(escaped(link)).append("\">")
        .append(escaped(name)).append("</a></li>"));
    return page(200, "Sign in", list.append("</ul>").toString(), List.of());
  }

  /** @param again a URL to go on with */
  static Response problem(int status, String text, String again, List<Field> cookies) {
    return page(status, "Sign-in failed",
        "<p>" + escaped(text) + "</p><p><a href=\"" + escaped(again) + "\">Try again</a></p>", cookies);
  }

  static Response signedOut(List<Field> cookies) {
    return page(200, "Signed out", "<p>You are signed out of this application.</p>", cookies);
  }

  /** The session could not be ended at all. */
  static Response notSignedOut() {
    return page(503, "Not signed out", "<p>You are still signed in, as the service cannot reach its storage at the "
        + "moment. Try again in a moment.</p>", List.of());
  }

  /** The session could not be ended in the cache yet. */
  static Response signedOutLater(List<Field> cookies) {
    return page(503, "Signed out here only", "<p>You are signed out in this browser. The session could not be ended "
        + "everywhere, as the service cannot reach its storage at the moment; it tries again by itself. You may still "
        + "be signed in at the sign-in service.</p>", cookies);
  }

  /**
   * The session here is over; a click ends that at the provider too, by a form.
   *
   * @param provider its name for users
   */
  static Response signedOutHere(String action, Map<String, String> parameters, String provider, List<Field> cookies) {
    StringBuilder form = new StringBuilder("<p>You are signed out of this application.</p><form method=\"post\" ")
        .append("action=\"").append(escaped(action)).append("\">");
    parameters.forEach((name, value) -> form.append("<input type=\"hidden\" name=\"").append(escaped(name))
        .append("\" value=\"").append(escaped(value)).append("\">"));
    return page(200, "Signed out", form.append("<p><button>Sign out of ").append(escaped(provider))
        .append(" as well</button></p></form>").toString(), cookies);
  }

  /** A logout that another site has linked to needs a click, with an {@code Origin}: it is null without referrer. */
  static Response confirmation(String action) {
    return page(200, "Sign out", "<form method=\"post\" action=\"" + escaped(action)
        + "\"><p><button>Sign out of this application</button></p></form>", "same-origin");
  }

  static String escaped(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace("\"", "&quot;")
        .replace("'", "&#39;");
  }
}
