package portcullis.policy.login;

import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import portcullis.http.message.Query;
import portcullis.http.message.Request;
import portcullis.http.message.Response;
import portcullis.policy.mechanism.Failure;
import portcullis.policy.mechanism.OwnEndpoints;

/** The endpoints of a login. Thread safe. */
final class LoginEndpoints implements OwnEndpoints {
  static final String LOGIN = PREFIX + "login";
  static final String CALLBACK = PREFIX + "callback";
  static final String LOGOUT = PREFIX + "logout";
  static final String FRONT_CHANNEL = PREFIX + "frontchannel-logout";
  static final String BACK_CHANNEL = PREFIX + "backchannel-logout";

  private final Login login;
  private final CodeFlow flow;
  private final Logout logout;

  LoginEndpoints(Login login) {
    this.login = login;
    this.flow = new CodeFlow(login);
    this.logout = new Logout(login);
  }

  @Override
  public List<String> cookies() {
    return login.sessions().cookies().names();
  }

  @Override
  public Optional<Answer> answer(Request request) throws Failure {
    String path = request.path().canonical();
    if (path.equals(LOGIN)) {
      return start(request).map(Answer::of);
    }
    if (path.equals(CALLBACK) || path.startsWith(CALLBACK + "/")) {
      return flow.finish(request);
    }
    return switch (path) {
      case LOGOUT -> logout.byUser(request);
      case FRONT_CHANNEL -> logout.byFrontChannel(request).map(Answer::of).map(Answer::shared);
      case BACK_CHANNEL -> logout.byBackChannel(request);
      default -> Optional.empty();
    };
  }

  @Override
  public Optional<Response> failed(Request request, Failure failure) {
    if (!Challenge.isNavigation(request)) {
      return Optional.empty();
    }
    return Optional.of(switch (failure) {
      case Failure.Precondition _ -> problem(400, "Sign-in needs https: this page was requested by http.");
      case Failure.Communication _ -> problem(502, "The sign-in service cannot be reached at the moment.");
      case Failure.Exhausted _ -> problem(503, "The service has too much to do. Try again in a moment.");
      case Failure _ ->
        problem(500, "Sign-in does not work here at the moment. The log of the service has the reason.");
    });
  }

  private static Response problem(int status, String text) {
    return Pages.problem(status, text, ReturnUrl.HOME, List.of());
  }

  @Override
  public Answer otherwise(Request request) {
    String path = request.path().canonical();
    if (path.equals(CALLBACK) || path.startsWith(CALLBACK + "/")) {
      return refused("login failed", "`state` is missing, or not of a login here", Pages.problem(400,
          "This sign-in has expired, or was started elsewhere.", ReturnUrl.HOME, List.of()));
    }
    return switch (path) {
      case LOGOUT -> Answer.of(logout.withoutSession(request));
      case FRONT_CHANNEL -> Answer.of(logout.announced(request));
      case BACK_CHANNEL -> refused("logout token refused", "it is not a token of a provider for its client here",
          Response.of(400).with("Cache-Control", "no-store"));
      default -> Answer.of(Response.of(404));
    };
  }

  private Answer refused(String event, String why, Response response) {
    String error = new Failure.Authentication(why).report();
    login.context().log().warn(event, "_error", error);
    return new Answer(response, error);
  }

  private Optional<Response> start(Request request) throws Failure {
    Map<String, String> query = parameters(request.url().query());
    if (!query.getOrDefault("login", login.name()).equals(login.name())) {
      return Optional.empty();
    }
    if (!isGet(request)) {
      return Optional.of(Response.of(405).with("Allow", "GET, HEAD"));
    }
    String returnTo = ReturnUrl.allowed(query.getOrDefault("return_to", ReturnUrl.HOME), request,
        login.settings().allowedHosts()).orElse(ReturnUrl.HOME);
    Optional<Provider> chosen = login.provider(query.getOrDefault("provider", ""));
    if (chosen.isEmpty() && login.providers().size() > 1) {
      Map<String, String> links = new LinkedHashMap<>();
      login.providers().forEach(provider -> links.put(provider.settings().name(), LOGIN + "?"
          + Provider.encoded(new LinkedHashMap<>(Map.of("login", login.name(), "return_to", returnTo, "provider",
              provider.settings().id())))));
      return Optional.of(Pages.chooser(links));
    }
    return Optional.of(flow.start(request, chosen.orElse(login.providers().getFirst()), returnTo));
  }

  static boolean isGet(Request request) {
    return request.method().equals("GET") || request.method().equals("HEAD");
  }

  /** Returns the parameters of a query or form; those that are repeated are empty. */
  static Map<String, String> parameters(String raw) {
    Map<String, String> out = new LinkedHashMap<>();
    Query.parameters(raw).forEach((name, values) -> out.put(name, values.size() == 1 ? values.getFirst() : ""));
    return out;
  }

  static Map<String, String> form(Request request) {
    return parameters(new String(request.body().bytes(), StandardCharsets.ISO_8859_1));
  }
}
