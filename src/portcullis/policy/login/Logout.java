package portcullis.policy.login;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import portcullis.crypto.jwt.CompactToken;
import portcullis.crypto.jwt.TokenException;
import portcullis.http.message.Field;
import portcullis.http.message.Request;
import portcullis.http.message.Response;
import portcullis.lang.value.Value;
import portcullis.policy.mechanism.Failure;
import portcullis.policy.mechanism.OwnEndpoints.Answer;

/**
 * Ends sessions: by the user, who is sent on to the provider (OpenID Connect RP-Initiated Logout 1.0), and by the
 * provider through the browser or directly (Front-Channel and Back-Channel Logout 1.0). Thread safe.
 */
final class Logout {
  private static final String EVENT = "http://schemas.openid.net/event/backchannel-logout";
  private static final Duration LONGEST = Duration.ofMinutes(10);
  private static final int LONGEST_FORM = 64 << 10;
  private static final int LONGEST_NAME = 512;
  private static final long LATEST = 1L << 40;
  /** The types of logout tokens; many providers set none, or that of all JWTs. */
  private static final Set<String> TYPES = Set.of("logout+jwt", "jwt", "");
  private static final String MEDIA_TYPE = "application/";
  private static final Set<String> OWN_SITES = Set.of("same-origin", "none");

  private final Login login;

  Logout(Login login) {
    this.login = login;
  }

  /** Responds to {@code logout}; empty if the request has no session of this login and is not about it. */
  Optional<Answer> byUser(Request request) throws Failure {
    Map<String, String> query = LoginEndpoints.parameters(request.url().query());
    Optional<Sessions.Held> held;
    try {
      held = login.sessions().find(request.fields());
    } catch (Failure.Communication e) {
      return Optional.of(unasked(request, query).map(Answer::of)
          .orElseGet(() -> login.sessions().endUnread(request.fields()).map(gone -> here(gone, e))
              .orElseGet(() -> new Answer(Pages.notSignedOut(), e.report()))));
    }
    if (held.isEmpty()) {
      return ended(request, query).map(Answer::of);
    }
    Optional<Response> other = unasked(request, query);
    if (other.isPresent()) {
      return other.map(Answer::of);
    }
    Sessions.Ended ended = login.sessions().end(held.get(), request.fields());
    if (ended.unshared().isPresent() && held.get().place().isPresent()) {
      return Optional.of(here(ended.fields(), ended.unshared().get()));
    }
    ended.unshared().ifPresent(why -> login.context().log()
        .warn("user logged out, but other instances do not know that yet", "_error", why.report()));
    return Optional.of(Answer.of(onward(request, held.get().session(), returnTo(request, query), ended.fields())));
  }

  /** Responds to a logout that is over in this browser and for this instance only. */
  private Answer here(List<Field> gone, Failure why) {
    login.context().log().error("user logged out, but the cache does not know that yet", "_error", why.report());
    return new Answer(Pages.signedOutLater(gone), why.report());
  }

  /** Responds to a request that ends no session: by its method, or as the user has not asked for it. */
  private Optional<Response> unasked(Request request, Map<String, String> query) throws Failure {
    if (!LoginEndpoints.isGet(request) && !request.method().equals("POST")) {
      return Optional.of(Response.of(405).with("Allow", "GET, HEAD, POST"));
    }
    if (isOwn(request)) {
      return Optional.empty();
    }
    String returnTo = returnTo(request, query);
    return Optional.of(Pages.confirmation(LoginEndpoints.LOGOUT
        + (returnTo.isEmpty() ? "" : "?" + Provider.encoded(Map.of("return_to", returnTo)))));
  }

  private String returnTo(Request request, Map<String, String> query) {
    return ReturnUrl.allowed(query.getOrDefault("return_to", ""), request, login.settings().allowedHosts()).orElse("");
  }

  /**
   * Returns whether a page of this origin leads here, or the user who enters the URL: by the Fetch Metadata of the
   * browser, or by what older ones send instead. What says nothing may be a link of another site.
   */
  private static boolean isOwn(Request request) throws Failure {
    List<String> sites = request.fields().all("Sec-Fetch-Site");
    if (!sites.isEmpty()) {
      return sites.size() == 1 && OWN_SITES.contains(sites.getFirst());
    }
    String origin = Login.origin(request);
    Optional<String> from = request.fields().joined("Origin").or(() -> request.fields().joined("Referer"));
    return from.filter(url -> url.equals(origin) || url.startsWith(origin + "/")).isPresent();
  }

  /** Responds to a logout without a session. */
  Response withoutSession(Request request) {
    List<Field> gone = login.sessions().cookies().drop(request.fields());
    String wanted = LoginEndpoints.parameters(request.url().query()).getOrDefault("return_to", "");
    return ReturnUrl.allowed(wanted, request, login.settings().allowedHosts()).map(url -> Pages.redirect(url, gone))
        .orElseGet(() -> Pages.signedOut(gone));
  }

  /** Responds to a browser that the provider has sent back after a logout of this login. */
  private Optional<Response> ended(Request request, Map<String, String> query) {
    Optional<String> returnTo = login.sessions().open("logout", query.getOrDefault("state", ""))
        .map(bytes -> new String(bytes, StandardCharsets.UTF_8))
        .flatMap(url -> ReturnUrl.allowed(url, request, login.settings().allowedHosts()));
    return returnTo.map(url -> Pages.redirect(url, login.sessions().cookies().drop(request.fields())));
  }

  /** Sends the browser to the provider if that has an endpoint for it and answers; the session is over in any case. */
  private Response onward(Request request, Session session, String returnTo, List<Field> gone) {
    Response here = returnTo.isEmpty() ? Pages.signedOut(gone) : Pages.redirect(returnTo, gone);
    Optional<Provider> provider = login.provider(session.provider());
    if (provider.isEmpty()) {
      return here;
    }
    try {
      Optional<URI> endpoint = provider.get().metadata().endSession();
      if (endpoint.isEmpty()) {
        return here;
      }
      Map<String, String> parameters = new LinkedHashMap<>();
      parameters.put("client_id", provider.get().settings().clientId());
      parameters.put("post_logout_redirect_uri", Login.origin(request) + LoginEndpoints.LOGOUT);
      parameters.put("state", login.sessions().seal("logout",
          returnTo.getBytes(StandardCharsets.UTF_8)));
      String place = endpoint.get().toString();
      if (session.tokens().identity().isPresent()) {
        // as a parameter of a URL it would be in logs
        parameters.put("id_token_hint", session.tokens().identity().get());
        return Pages.signedOutHere(place, parameters, provider.get().settings().name(), gone);
      }
      return Pages.redirect(place + (place.indexOf('?') < 0 ? "?" : "&") + Provider.encoded(parameters), gone);
    } catch (Failure e) {
      login.context().log().warn("user logged out here only, as the provider does not answer", "_error", e.report());
      return here;
    }
  }

  /**
   * Responds to the provider's frame, which has the cookies only if provider and application are of one site. Empty if
   * the session is not of this login, since several logins may have one provider, each with sessions of its own.
   */
  Optional<Response> byFrontChannel(Request request) throws Failure {
    Optional<Named> named = named(request);
    if (named.isEmpty()) {
      return Optional.empty();
    }
    Optional<Sessions.Held> held;
    try {
      held = login.sessions().find(request.fields());
    } finally {
      named.get().providers().forEach(provider -> login.sessions().announce(provider, named.get().session()));
    }
    return held.map(Sessions.Held::session).filter(named.get()::isOf).map(session -> {
      login.sessions().revoke(session.provider(), session.claim("sid"), Optional.empty(),
          login.context().clock().instant()).ifPresent(why -> unshared(issuer(session), why));
      return Response.of(200).with("Cache-Control", "no-store").with(login.sessions().cookies().drop(request.fields()));
    });
  }

  private String issuer(Session session) {
    return login.provider(session.provider()).map(one -> one.settings().issuer().text()).orElse("");
  }

  private void unshared(String issuer, Failure why) {
    login.context().log().error("session ended by its provider, but the cache does not know that yet", "_provider",
        issuer, "_error", why.report());
  }

  /** Responds to a frame whose browser has no such session: 200 if the provider is known. */
  Response announced(Request request) {
    return Response.of(named(request).isPresent() ? 200 : 400).with("Cache-Control", "no-store");
  }

  /**
   * A session by the name that a provider gave it.
   *
   * @param providers the ids of those with its issuer
   */
  private record Named(List<String> providers, String session) {
    boolean isOf(Session other) {
      return providers.contains(other.provider()) && other.claim("sid").filter(session::equals).isPresent();
    }
  }

  private Optional<Named> named(Request request) {
    Map<String, String> query = LoginEndpoints.parameters(request.url().query());
    String session = query.getOrDefault("sid", "");
    List<String> providers = login.providers().stream().map(Provider::settings)
        .filter(one -> one.issuer().text().equals(query.get("iss"))).map(ProviderSettings::id).toList();
    return session.isEmpty() || session.length() > LONGEST_NAME || !LoginEndpoints.isGet(request)
        || providers.isEmpty() ? Optional.empty() : Optional.of(new Named(providers, session));
  }

  /**
   * Responds to a logout token of the provider; empty if it is of another login. Several logins, and several providers
   * of one, may have the same issuer and client, each with sessions of its own.
   */
  Optional<Answer> byBackChannel(Request request) {
    if (!request.method().equals("POST")) {
      return Optional.of(Answer.of(Response.of(405).with("Allow", "POST")));
    }
    if (request.body().bytes().length > LONGEST_FORM) {
      return Optional.of(Answer.of(Response.of(413)));
    }
    String token = LoginEndpoints.form(request).getOrDefault("logout_token", "");
    return login.providers().stream()
        .flatMap(provider -> ofProvider(token, provider.settings()).map(parsed -> received(token, parsed, provider))
            .stream())
        .reduce(Answer::and).map(Answer::shared);
  }

  private Answer received(String token, CompactToken parsed, Provider provider) {
    String issuer = provider.settings().issuer().text();
    try {
      check(parsed);
      Value.Dict claims = provider.claims(token, provider.metadata());
      check(claims);
      Optional<Failure.Communication> unshared = login.sessions().revoke(provider.settings().id(),
          text(claims, "sid"), text(claims, "sub"), issued(claims).orElseThrow().plus(login.settings().leeway()));
      if (unshared.isPresent()) {
        unshared(issuer, unshared.get());
        return new Answer(Response.of(503).with("Cache-Control", "no-store"), unshared.get().report());
      }
      login.context().log().info("session ended by its provider", "_provider", issuer);
      return Answer.of(Response.of(200).with("Cache-Control", "no-store"));
    } catch (Failure e) {
      login.context().log().warn("logout token refused", "_provider", issuer, "_error", e.report());
      int status = e instanceof Failure.Authentication ? 400 : 503; // by which the provider sends it again
      return new Answer(Response.of(status).with("Cache-Control", "no-store"), e.report());
    }
  }

  /** Returns the token, unverified, if it says that it is of the provider for this client. */
  private static Optional<CompactToken> ofProvider(String token, ProviderSettings provider) {
    try {
      CompactToken parsed = CompactToken.parse(token);
      Value.Dict claims = parsed.unverifiedClaims();
      Value audience = claims.get("aud").orElse(Value.NULL);
      Value client = Value.of(provider.clientId());
      boolean isForUs = audience.equals(client) || audience instanceof Value.Array all && all.items().contains(client);
      return isForUs && claims.get("iss").orElse(Value.NULL).equals(Value.of(provider.issuer().text()))
          && provider.algorithms().contains(parsed.algorithm()) ? Optional.of(parsed) : Optional.empty();
    } catch (TokenException _) {
      return Optional.empty();
    }
  }

  /** Checks what costs no call: anybody may send something, and only what may be of the provider has it called. */
  private void check(CompactToken parsed) throws Failure.Authentication {
    String type = parsed.header().get("typ").orElse(Value.EMPTY_STRING) instanceof Value.Str(String name)
        ? name.toLowerCase(Locale.ROOT)
        : "?";
    if (!TYPES.contains(type.startsWith(MEDIA_TYPE) ? type.substring(MEDIA_TYPE.length()) : type)) {
      throw new Failure.Authentication("the type of the token is not that of a logout token");
    }
    check(parsed.unverifiedClaims());
  }

  /** Checks what makes a token a logout token (Back-Channel Logout 1.0, 2.6). */
  private void check(Value.Dict claims) throws Failure.Authentication {
    boolean isLogout = claims.get("events").orElse(Value.NULL) instanceof Value.Dict events
        && events.get(EVENT).orElse(Value.NULL) instanceof Value.Dict;
    if (!isLogout || claims.get("nonce").isPresent()
        || text(claims, "sid").isEmpty() && text(claims, "sub").isEmpty()) {
      throw new Failure.Authentication("it is not a logout token");
    }
    if (text(claims, "jti").isEmpty()) {
      throw new Failure.Authentication("the logout token has no `jti`");
    }
    Instant now = login.context().clock().instant();
    if (issued(claims).filter(issued -> issued.plus(LONGEST).isAfter(now)).isEmpty()) {
      throw new Failure.Authentication("the logout token is too old");
    }
  }

  private static Optional<Instant> issued(Value.Dict claims) {
    return claims.get("iat").filter(Value.Int.class::isInstance)
        .map(value -> Instant.ofEpochSecond(Math.clamp(((Value.Int) value).value(), 0, LATEST)));
  }

  private static Optional<String> text(Value.Dict claims, String name) {
    return claims.get(name).filter(Value.Str.class::isInstance).map(value -> ((Value.Str) value).value())
        .filter(text -> !text.isEmpty() && text.length() <= LONGEST_NAME);
  }
}
