package portcullis.policy.login;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import portcullis.crypto.keys.KeyMaterialException;
import portcullis.http.message.Field;
import portcullis.http.message.Request;
import portcullis.lang.expression.ErrorKind;
import portcullis.lang.source.Problems;
import portcullis.policy.mechanism.Failure;
import portcullis.policy.mechanism.HandlerResponse;
import portcullis.policy.mechanism.Mechanism;
import portcullis.policy.mechanism.MechanismContext;
import portcullis.policy.mechanism.MechanismType;
import portcullis.policy.mechanism.OwnEndpoints;
import portcullis.policy.mechanism.PipelineState;
import portcullis.policy.mechanism.Subject;

/** Authenticates users by the session of their login at an OpenID provider. */
public final class OidcAuthenticator implements Mechanism.Authenticator {
  public static final MechanismType<?, Mechanism.Authenticator> TYPE = MechanismType
      .fixed(Mechanism.Authenticator.class, "oidc", LoginSettings.decoder(), OidcAuthenticator::make)
      .purpose("Signs users in at an OpenID provider (authorization code with PKCE) and keeps their session. Browsers "
          + "without one are redirected to the login; the endpoints of the login are below `/.portcullis/`.")
      .fails(ErrorKind.AUTHENTICATION, "the request has no valid session; browsers are then redirected to the login, "
          + "unless an error handler of the rule responds")
      .fails(ErrorKind.COMMUNICATION, "the tokens of the session are due to be refreshed, and the provider could "
          + "not be used for `refresh_grace`; or sessions are in Redis, and that cannot be used");

  /** How often the time of the last use is written, as a part of the idle time. */
  private static final int TOUCHES = 10;
  private static final Duration SHORTEST_TOUCH = Duration.ofSeconds(1);

  private final Login login;
  private final LoginEndpoints endpoints;
  private final Refresh refresh;

  private OidcAuthenticator(Login login) {
    this.login = login;
    this.endpoints = new LoginEndpoints(login);
    this.refresh = new Refresh(login);
  }

  private static Optional<Mechanism.Authenticator> make(LoginSettings settings, MechanismContext context,
      Problems problems) {
    boolean usable = true;
    for (ProviderSettings provider : settings.providers()) {
      usable &= provider.usable(context, problems);
    }
    if (settings.session().inCache() && !context.caller().cache().isReal()) {
      LoginSettings.Place place = settings.session().storeAt();
      problems.error(place.at(), place.path(), "the cache of this configuration stores nothing, so that nobody could "
          + "sign in", "set `cache.type` to redis, or to in-memory for a single instance, or write `store: cookie`");
      usable = false;
    }
    try {
      Login login = new Login(settings, context.logins().keys().open(Path.of(settings.session().keys().text())),
          context);
      return usable ? Optional.of(new OidcAuthenticator(login)) : Optional.empty();
    } catch (KeyMaterialException | InvalidPathException e) {
      KeyMaterialException.reportFile(e, settings.session().keys(), problems);
      return Optional.empty();
    }
  }

  @Override
  public Optional<OwnEndpoints> endpoints() {
    return Optional.of(endpoints);
  }

  @Override
  public void forget() {
    login.forget();
  }

  @Override
  public Subject authenticate(PipelineState state) throws Failure {
    return identify(state).subject();
  }

  @Override
  public Identified identify(PipelineState state) throws Failure {
    Request request = state.request();
    Sessions.Held held = login.sessions().find(request.fields()).orElseThrow(() -> unauthenticated("no session"));
    Instant now = login.context().clock().instant();
    boolean isDue = held.session().due().filter(due -> !now.isBefore(due)).isPresent()
        && held.session().tokens().refresh().isPresent();
    Session session = isDue ? refreshed(held.session()) : held.session();
    List<Field> fields = List.of();
    if (!session.equals(held.session())) {
      fields = renewed(session.seenAt(now), held.place(), request);
    } else if (now.isAfter(session.seen().plus(touch()))) {
      fields = login.sessions().keep(session.seenAt(now), held.place(), request.fields());
    }
    return new Identified(subject(session), fields);
  }

  /** Stores a session; one that has grown too long for cookies is over, since each further request would fail. */
  private List<Field> renewed(Session session, Optional<String> place, Request request) throws Failure {
    try {
      return login.sessions().renew(session, place, request.fields());
    } catch (Failure.Internal e) {
      login.context().log().warn("session ended, as its refresh made it too long", "_error", e.report());
      List<Field> gone = login.sessions().cookies().drop(request.fields());
      throw new Failure.Authentication("the session is too long after its refresh",
          asked -> Challenge.of(asked, login.name()).map(response -> response.with(gone)).map(HandlerResponse::with));
    }
  }

  private Session refreshed(Session session) throws Failure {
    try {
      Optional<Session> next = refresh.refreshed(session);
      if (next.isPresent()) {
        return next.get();
      }
    } catch (Failure.Authentication e) {
      throw new Failure.Authentication("the answer to the refresh was not accepted", e, challenge());
    }
    throw unauthenticated("the provider has ended the session");
  }

  private Subject subject(Session session) {
    LoginSettings.SessionSettings settings = login.settings().session();
    String issuer = login.provider(session.provider()).map(one -> one.settings().issuer().text()).orElse("");
    return session.subject(settings.tokens()).by(session.credential(issuer, settings.absolute()));
  }

  private Duration touch() {
    Duration part = login.settings().session().idle().dividedBy(TOUCHES);
    return part.compareTo(SHORTEST_TOUCH) < 0 ? SHORTEST_TOUCH : part;
  }

  private Failure.Authentication unauthenticated(String why) {
    return new Failure.Authentication(why, challenge());
  }

  private Failure.Authentication.Challenge challenge() {
    return request -> Challenge.of(request, login.name()).map(HandlerResponse::with);
  }
}
