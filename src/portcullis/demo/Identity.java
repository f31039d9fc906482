package portcullis.demo;

import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import portcullis.http.message.Fields;
import portcullis.http.message.Response;
import portcullis.lang.markup.Html;
import portcullis.lang.value.JsonText;
import portcullis.lang.value.Value;

/**
 * The identity service. Visitors reach its pages and its token endpoint through the proxy; only the proxy uses the
 * session service and the key set.
 */
final class Identity implements Site.Pages {
  static final String COOKIE = "demo_session";

  private static final String FIRST_PAGE = "/me";

  private static final String LOGIN = """
      <h1>Who are you?</h1>
      <p class="lead">This stands in for a real login page. There are no passwords here: choose whom you want to be.</p>
      <form method="post" action="/login" class="people">
      <input type="hidden" name="return_to" value="{}">
      {}
      </form>
      <p class="note">Then you go to <code>{}</code>.</p>
      """;

  private static final String PERSON = """
      <button name="user" value="{}"><strong>{}</strong><span>{}</span></button>
      """;

  private static final String LOGOUT = """
      <h1>Leaving?</h1>
      <form method="post" action="/logout"><button class="main">Sign out</button></form>
      """;

  private static final String FORBIDDEN = """
      <p class="kicker bad">403 · forbidden</p>
      <h1>You may not pass</h1>
      <p class="lead">{} no further than this: the rule of <code>{}</code> found out who is asking, and then one of its
      authorizers said no. Nothing of the request reached the upstream.</p>
      <p><a class="button" href="/login?return_to={}">Sign in as somebody else</a> <a class="button quiet" \
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

  private final Sessions sessions;
  private final Issuer issuer;
  private final String proxyUrl;
  private final Insight insight;

  Identity(Sessions sessions, Issuer issuer, String proxyUrl, Insight insight) {
    this.insight = insight;
    this.sessions = sessions;
    this.issuer = issuer;
    this.proxyUrl = proxyUrl;
  }

  @Override
  public Response answer(Visit visit) {
    return switch (visit.wish()) {
      case "GET /login" -> loginPage(visit);
      case "POST /login" -> login(visit);
      case "GET /logout" -> page(visit, 200, "Sign out", Html.of(LOGOUT));
      case "POST /logout" -> logout(visit);
      case "GET /error" -> errorPage(visit);
      case "GET /session" -> session(visit);
      case "GET /keys" -> json(200, issuer.keys());
      case "POST /token" -> token(visit);
      default -> Response.of(404, "text/plain; charset=utf-8", "the identity service has no such page\n");
    };
  }

  private Response loginPage(Visit visit) {
    String target = target(visit.parameter("return_to"));
    Html people = Html.join(Person.ALL.stream().map(Identity::choice).toList());
    Html refusal = visit.parameter("return_to").map(_ -> insight.refusal(target)).orElse(Html.NONE);
    return page(visit, 200, "Sign in", Html.join(List.of(Html.of(LOGIN, target, people, target), refusal)));
  }

  private static Html choice(Person person) {
    String groups = person.groups().isEmpty() ? "in no group" : "in " + String.join(" and ", person.groups());
    return Html.of(PERSON, person.id(), person.name(), groups);
  }

  private Response login(Visit visit) {
    Optional<Person> person = visit.formField("user").flatMap(Person::withId);
    if (person.isEmpty()) {
      return seeOther("/login");
    }
    visit.cookie(COOKIE).ifPresent(sessions::end);
    String id = sessions.begin(person.get());
    return seeOther(target(visit.formField("return_to"))).with("Set-Cookie",
        COOKIE + "=" + id + "; Path=/; HttpOnly; SameSite=Lax");
  }

  private Response logout(Visit visit) {
    visit.cookie(COOKIE).ifPresent(sessions::end);
    return seeOther("/").with("Set-Cookie", COOKIE + "=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0");
  }

  private Response seeOther(String target) {
    return Response.of(303, Fields.of("Location", proxyUrl + target, "Cache-Control", "no-store"));
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
    String who = person(visit).map(person -> person.name() + " gets").orElse("You get");
    Html text = Html.of(FORBIDDEN, who, from, URLEncoder.encode(from, StandardCharsets.UTF_8));
    return page(visit, 403, "Forbidden", Html.join(List.of(text, insight.refusal(from))));
  }

  private Response session(Visit visit) {
    return person(visit).map(person -> json(200, JsonText.plain(person.document())))
        .orElseGet(() -> json(401, JsonText.plain(Value.dict("error", Value.of("no such session")))));
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

  private Optional<Person> person(Visit visit) {
    return visit.cookie(COOKIE).flatMap(sessions::person);
  }

  private Response page(Visit visit, int status, String title, Html main) {
    return Layout.page(status, insight.banner(), visit.path(), title, person(visit).map(Person::name),
        Html.join(List.of(main, insight.decision(visit))),
        Html.of("<p>This page comes from the identity service. A rule with an anonymous authenticator lets everybody "
            + "see it.</p>"));
  }

  private static Response json(int status, String text) {
    return Response.of(status, "application/json", text).with("Cache-Control", "no-store");
  }
}
