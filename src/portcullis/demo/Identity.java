package portcullis.demo;

import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import portcullis.http.message.Response;
import portcullis.lang.markup.Html;

/**
 * The identity service. Browsers and the proxy use its OpenID provider at its own address; its error page and tokens
 * for terminals are reached through the proxy.
 */
final class Identity implements Site.Pages {
  private static final String FIRST_PAGE = "/me";

  private static final String FORBIDDEN = """
      <p class="kicker bad">403 · forbidden</p>
      <h1>You may not pass</h1>
      <p class="lead">You get no further than this: the rule of <code>{}</code> found out who is asking, and then one \
      of its
      authorizers said no. Nothing of the request reached the upstream.</p>
      <p><a class="button" href="{}">Sign in as somebody else</a> <a class="button quiet" \
      href="/">Home</a></p>
      """;

  private static final String UNKNOWN = """
      <p class="kicker bad">404 · nothing here</p>
      <h1>No rule leads there</h1>
      <p class="lead">No rule matches <code>{}</code>. So the default rule applied, which allows no one in and sends \
      browsers to
      this page.</p>
      <p><a class="button" href="/">Home</a></p>
      """;

  private final LoginProvider provider;
  private final Issuer issuer;
  private final Insight insight;

  Identity(LoginProvider provider, Issuer issuer, Insight insight) {
    this.provider = provider;
    this.issuer = issuer;
    this.insight = insight;
  }

  @Override
  public Response answer(Visit visit) {
    return switch (visit.wish()) {
      case "GET /.well-known/openid-configuration" -> provider.metadata();
      case "GET /authorize", "POST /authorize" -> provider.authorize(visit);
      case "POST /oauth/token" -> provider.redeem(visit);
      case "GET /userinfo" -> provider.userInfo(visit);
      case "GET /end" -> provider.end(visit);
      case "GET /keys" -> Response.of(200, "application/json", issuer.keys()).with("Cache-Control", "no-store");
      case "GET /error" -> errorPage(visit);
      case "POST /token" -> token(visit);
      default -> Response.of(404, "text/plain; charset=utf-8", "the identity service has no such page\n");
    };
  }

  /** Returns path and query of a URL in a link; scheme and host are dropped, so that it leads to own pages only. */
  static String target(Optional<String> url) {
    try {
      URI uri = new URI(url.orElse(FIRST_PAGE));
      String path = Optional.ofNullable(uri.getRawPath()).orElse("");
      String query = Optional.ofNullable(uri.getRawQuery()).map(q -> "?" + q).orElse("");
      return path.startsWith("/") ? new URI(path + query).toASCIIString() : FIRST_PAGE;
    } catch (URISyntaxException _) {
      return FIRST_PAGE;
    }
  }

  private Response errorPage(Visit visit) {
    String from = target(visit.parameter("from"));
    if (!visit.parameter("reason").equals(Optional.of("forbidden"))) {
      return page(visit, 404, "Nothing here", Html.join(List.of(Html.of(UNKNOWN, from), insight.refusal(from))));
    }
    Html text = Html.of(FORBIDDEN, from, Layout.LOGIN + URLEncoder.encode(from, StandardCharsets.UTF_8));
    return page(visit, 403, "Forbidden", Html.join(List.of(text, insight.refusal(from))));
  }

  private Response token(Visit visit) {
    Optional<Person> person = visit.formField("user").flatMap(Person::withId);
    if (person.isEmpty()) {
      List<String> known = Person.ALL.stream().map(Person::id).toList();
      return Response.of(400, "text/plain; charset=utf-8",
          "whose token? user=" + String.join(" or user=", known) + "\n");
    }
    return Response.of(200, "text/plain; charset=utf-8", issuer.token(person.get())).with("Cache-Control", "no-store");
  }

  private Response page(Visit visit, int status, String title, Html main) {
    return Layout.page(status, insight.banner(), visit.path(), title, Optional.empty(),
        Html.join(List.of(main, insight.decision(visit))),
        Html.of("<p>This page comes from the identity service. A rule with an anonymous authenticator lets "
            + "everybody see it.</p>"));
  }
}
