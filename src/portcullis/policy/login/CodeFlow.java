package portcullis.policy.login;

import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import portcullis.http.message.Field;
import portcullis.http.message.Request;
import portcullis.http.message.Response;
import portcullis.lang.value.Value;
import portcullis.policy.cache.CacheKey;
import portcullis.policy.mechanism.Failure;
import portcullis.policy.mechanism.OwnEndpoints.Answer;
import portcullis.policy.mechanism.Subject;

/** The authorization code flow (OpenID Connect Core 1.0, 3.1) with PKCE, state and nonce. Thread safe. */
final class CodeFlow {
  private static final int ID_BYTES = 16;
  private static final String TOKEN_ENDPOINT = "the token endpoint of the provider";

  private final Login login;

  CodeFlow(Login login) {
    this.login = login;
  }

  private Instant now() {
    return login.context().clock().instant();
  }

  /** Sends the browser to the provider. */
  Response start(Request request, Provider provider, String returnTo) throws Failure {
    String redirect = Login.origin(request) + login.settings().callback(provider.settings());
    ProviderMetadata metadata = provider.metadata();
    PendingLogin pending = PendingLogin.start(login.sessions(), request.fields(), provider.settings().id(), redirect,
        now());
    Map<String, String> parameters = new LinkedHashMap<>(provider.settings().parameters());
    parameters.put("response_type", "code");
    parameters.put("client_id", provider.settings().clientId());
    parameters.put("redirect_uri", redirect);
    parameters.put("scope", provider.settings().scope());
    parameters.put("state", pending.state(login.sessions(), returnTo));
    parameters.put("nonce", pending.nonce());
    parameters.put("code_challenge", pending.challenge());
    parameters.put("code_challenge_method", "S256");
    if (metadata.pushed().isPresent()) {
      parameters = pushed(provider, metadata.pushed().get(), parameters);
    }
    String query = Provider.encoded(parameters);
    String place = metadata.authorization().toString();
    return Pages.redirect(place + (place.indexOf('?') < 0 ? "?" : "&") + query,
        List.of(pending.cookie(login.sessions())));
  }

  /** Sends the parameters to the provider itself, and returns those that refer to them (RFC 9126). */
  private static Map<String, String> pushed(Provider provider, URI endpoint, Map<String, String> parameters)
      throws Failure {
    Provider.Reply reply = provider.post(endpoint, parameters, "the endpoint of pushed requests of the provider");
    String reference = reply.text("request_uri").orElse("");
    if (!reply.error().isEmpty() || reference.isEmpty()) {
      throw new Failure.Internal("the provider refuses the authorization request", reply.reason(""));
    }
    Map<String, String> out = new LinkedHashMap<>();
    out.put("client_id", provider.settings().clientId());
    out.put("request_uri", reference);
    return out;
  }

  /** Responds to the callback; empty if its state is not of this login. */
  Optional<Answer> finish(Request request) throws Failure {
    Map<String, String> query = LoginEndpoints.parameters(request.url().query());
    Optional<PendingLogin.State> state = PendingLogin.readState(login.sessions(), query.getOrDefault("state", ""));
    if (state.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(LoginEndpoints.isGet(request) ? finish(request, query, state.get())
        : Answer.of(Response.of(405).with("Allow", "GET, HEAD")));
  }

  private Answer finish(Request request, Map<String, String> query, PendingLogin.State state) throws Failure {
    String returnTo = ReturnUrl.allowed(state.returnTo(), request, login.settings().allowedHosts())
        .orElse(ReturnUrl.HOME);
    Optional<PendingLogin> pending = PendingLogin.find(login.sessions(), state, request.fields());
    Optional<Provider> provider = login.provider(state.provider());
    CacheKey once = CacheKey.of("used login", login.name(), state.id());
    if (pending.isEmpty() || provider.isEmpty()) {
      return late(request, returnTo, "the login was started in another browser, or with another configuration");
    }
    if (state.isExpired(now())) {
      return late(request, returnTo, "the login has expired: the user has taken more than " + PendingLogin.LIFE
          .toMinutes() + " minutes");
    }
    if (login.context().logins().used().time(once).isPresent()) {
      return late(request, returnTo, "the login was completed before");
    }
    Refusal refusal = new Refusal(provider.get().settings().issuer().text(), returnTo,
        List.of(login.sessions().cookies().dropLogin(state.slot())));
    boolean isPlace = pending.get().redirect().endsWith(request.path().canonical())
        && request.path().canonical().equals(login.settings().callback(provider.get().settings()));
    if (!isPlace || !isFrom(provider.get(), query)) {
      return refused(400, "The response is not of the provider that was asked.", refusal,
          new Failure.Authentication("the response is not of the provider that was asked",
              isPlace ? "`iss` is another one, or missing" : "it came to the callback of another one"));
    }
    if (query.containsKey("error")) {
      String code = query.get("error");
      return refused(403, "The provider has refused the sign-in: " + Codes.shown(code), refusal,
          new Failure.Authentication("the provider has refused the sign-in",
              Codes.reason(code, query.getOrDefault("error_description", ""), "")));
    }
    if (query.getOrDefault("code", "").isEmpty() || !login.context().logins().used().add(once, now())) {
      return refused(400, "The response of the provider has no code.", refusal,
          new Failure.Authentication("the response of the provider has no code"));
    }
    return completed(request, pending.get(), provider.get(), query.get("code"), refusal);
  }

  /**
   * What a refused login has.
   *
   * @param cookies the fields that remove what there is of it in the browser
   */
  private record Refusal(String issuer, String returnTo, List<Field> cookies) {}

  private Answer refused(int status, String text, Refusal refusal, Failure why) {
    login.context().log().warn("login failed", "_provider", refusal.issuer, "_error", why.report());
    return new Answer(Pages.problem(status, text, refusal.returnTo, refusal.cookies), why.report());
  }

  /** Responds to a login that has ended or was started elsewhere: with a session there is nothing to do. */
  private Answer late(Request request, String returnTo, String why) throws Failure {
    if (login.sessions().find(request.fields()).isPresent()) {
      return Answer.of(Pages.redirect(returnTo, List.of()));
    }
    String error = new Failure.Authentication(why).report();
    login.context().log().warn("login failed", "_error", error);
    return new Answer(Pages.problem(400, "This sign-in has expired, or was started in another browser.", returnTo,
        List.of()), error);
  }

  /** Returns whether the response names its provider, if it names any or the provider says that it does (RFC 9207). */
  private static boolean isFrom(Provider provider, Map<String, String> query) throws Failure {
    String issuer = provider.settings().issuer().text();
    return query.containsKey("iss") ? query.get("iss").equals(issuer) : !provider.metadata().namesItself();
  }

  private Answer completed(Request request, PendingLogin pending, Provider provider, String code, Refusal refusal)
      throws Failure {
    // those of other tabs go too, as each request would carry them; the callbacks there find the session
    List<Field> fields = new ArrayList<>(login.sessions().cookies().dropLogins(request.fields()));
    Session session;
    try {
      session = session(pending, provider, code);
    } catch (Failure.Authentication e) {
      return refused(403, "The provider's answer was not accepted.", refusal, e);
    }
    Optional<Sessions.Held> earlier = login.sessions().find(request.fields());
    if (earlier.isPresent()) {
      login.sessions().end(earlier.get(), request.fields()).unshared().ifPresent(why -> login.context().log()
          .warn("session replaced, but other instances do not know that yet", "_error", why.report()));
    }
    fields.addAll(login.sessions().begin(session, request.fields()));
    login.context().log().info("user logged in", "_provider", provider.settings().issuer().text());
    return Answer.of(Pages.redirect(refusal.returnTo, fields));
  }

  private Session session(PendingLogin pending, Provider provider, String code) throws Failure {
    ProviderMetadata metadata = provider.metadata();
    Map<String, String> form = new LinkedHashMap<>();
    form.put("grant_type", "authorization_code");
    form.put("code", code);
    form.put("redirect_uri", pending.redirect());
    form.put("code_verifier", pending.verifier());
    Provider.Reply reply = provider.post(metadata.token(), form, TOKEN_ENDPOINT);
    if (!reply.error().isEmpty()) {
      throw new Failure.Authentication("the provider refuses the code: " + reply.reason(code));
    }
    String token = reply.text("id_token")
        .orElseThrow(() -> new Failure.Authentication("the provider has sent no ID token"));
    Value.Dict claims = provider.claims(token, metadata);
    if (!claims.get("nonce").orElse(Value.NULL).equals(Value.of(pending.nonce()))) {
      throw new Failure.Authentication("the ID token has another nonce");
    }
    if (!(claims.get("sub").orElse(Value.NULL) instanceof Value.Str(String sub)) || sub.isEmpty()
        || claims.get("exp").isEmpty()) {
      throw new Failure.Authentication("the ID token has no `sub` or no `exp`");
    }
    Subject.checkForeign(sub);
    Instant now = now();
    checkAge(provider, claims, now);
    return new Session(Sessions.random(ID_BYTES), provider.settings().id(), now, now, Refresh.due(reply, now),
        Refresh.tokens(reply, Optional.of(token), login.settings().session().tokens()), Session.kept(claims),
        Optional.of(Session.hash(pending.nonce())));
  }

  /** Checks that the user has signed in at the provider as lately as was asked for (Core 1.0, 3.1.3.7). */
  private void checkAge(Provider provider, Value.Dict claims, Instant now) throws Failure.Authentication {
    Optional<Duration> age = provider.settings().maxAge();
    if (age.isEmpty()) {
      return;
    }
    if (!(claims.get("auth_time").orElse(Value.NULL) instanceof Value.Int time)) {
      throw new Failure.Authentication("the ID token has no `auth_time`, which `max_age` needs");
    }
    Instant latest = Instant.ofEpochSecond(Math.clamp(time.value(), 0, now.getEpochSecond())).plus(age.get())
        .plus(login.settings().leeway());
    if (latest.isBefore(now)) {
      throw new Failure.Authentication("the user signed in at the provider longer ago than `max_age`");
    }
  }
}
