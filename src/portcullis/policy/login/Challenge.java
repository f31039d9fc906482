package portcullis.policy.login;

import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import portcullis.http.message.Fields;
import portcullis.http.message.Request;
import portcullis.http.message.Response;

/** Responds to a request without a session: a redirect to the login for navigations of browsers, otherwise 401. */
final class Challenge {
  private Challenge() {}

  /**
   * The URL is a whole one: Traefik takes a path for one of the service that it has asked.
   *
   * @param login the name of the login at its endpoints
   */
  static Optional<Response> of(Request request, String login) {
    if (!isNavigation(request)) {
      return Optional.empty();
    }
    String query = Provider.encoded(Map.of("login", login)) + "&" + Provider.encoded(Map.of("return_to",
        ReturnUrl.of(request)));
    String origin = request.url().scheme() + "://" + request.url().host();
    return Optional.of(Response.of(302,
        Fields.of("Location", origin + LoginEndpoints.LOGIN + "?" + query, "Cache-Control", "no-store")));
  }

  /** Returns whether a browser asks for a page: by its Fetch Metadata, or without them by what it accepts. */
  static boolean isNavigation(Request request) {
    boolean isGet = request.method().equals("GET") || request.method().equals("HEAD");
    Fields fields = request.fields();
    if (!isGet || fields.first("X-Requested-With").filter("XMLHttpRequest"::equalsIgnoreCase).isPresent()
        || fields.has("Upgrade")) {
      return false;
    }
    Optional<String> mode = fields.first("Sec-Fetch-Mode");
    if (mode.isPresent()) {
      return mode.get().equals("navigate")
          && fields.first("Sec-Fetch-Dest").filter(dest -> !dest.equals("document")).isEmpty();
    }
    return fields.joined("Accept").filter(accept -> accept.toLowerCase(Locale.ROOT).contains("text/html")).isPresent();
  }
}
