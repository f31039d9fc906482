package portcullis.policy.login;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import portcullis.lang.value.Value;
import portcullis.policy.cache.CacheCodec;
import portcullis.policy.cache.CacheKey;
import portcullis.policy.cache.SingleFlight;
import portcullis.policy.mechanism.Failure;

/**
 * Refreshes the tokens of sessions, once for all requests with the same refresh token: providers that rotate them take
 * a second use for a theft. The result is kept for a while, as the response with the new cookie may be lost. Thread
 * safe.
 */
final class Refresh {
  /** How long the result is kept for requests with the old cookie. */
  private static final Duration KEPT = Duration.ofMinutes(10);
  /** Tokens are refreshed that much before they expire. */
  private static final Duration EARLY = Duration.ofSeconds(10);
  /** How many results, each of the token of the one before, are looked up for a request. */
  private static final int MOST_RESULTS = 10;
  private static final String PURPOSE = "refreshed session";
  /** How long an instance may take until the others try themselves. */
  private static final Duration LEASE = Duration.ofSeconds(10);
  /** Errors by which the provider has ended a session, or has its user sign in again (OpenID Connect Core, 3.1.2.6). */
  private static final Set<String> ENDED = Set.of("invalid_grant", "interaction_required", "login_required",
      "consent_required");
  private static final byte[] OVER = {'-'};

  private final Login login;

  Refresh(Login login) {
    this.login = login;
  }

  /** Returns when the tokens have to be refreshed; empty if they cannot be. */
  static Optional<Instant> due(Provider.Reply reply, Instant now) {
    return reply.text("refresh_token").flatMap(_ -> reply.lifetime())
        .map(life -> now.plus(life.compareTo(EARLY.multipliedBy(2)) > 0 ? life.minus(EARLY) : life));
  }

  /** Returns the tokens that are kept: those that rules read, and what refreshes them. */
  static Session.Tokens tokens(Provider.Reply reply, Optional<String> identity, Set<LoginSettings.Token> shown) {
    return new Session.Tokens(
        shown.contains(LoginSettings.Token.ACCESS_TOKEN) ? reply.text("access_token") : Optional.empty(),
        shown.contains(LoginSettings.Token.ID_TOKEN) ? identity : Optional.empty(), reply.text("refresh_token"));
  }

  /**
   * Returns the session with new tokens; empty if the provider has ended it.
   *
   * @throws Failure if the provider cannot be used, and could not for longer than the session may go on without
   */
  Optional<Session> refreshed(Session session) throws Failure {
    Optional<Session> next = refreshedOnce(session);
    for (int i = 0; i < MOST_RESULTS && isOld(session, next); i++) {
      next = refreshedOnce(next.orElseThrow());
    }
    return next;
  }

  /** Returns whether it is a result for an old cookie, whose tokens have to be refreshed themselves. */
  private boolean isOld(Session session, Optional<Session> next) {
    Instant now = login.context().clock().instant();
    return next.filter(one -> one.seen().isBefore(now) && one.due().filter(due -> !now.isBefore(due)).isPresent()
        && !one.tokens().refresh().equals(session.tokens().refresh())).isPresent();
  }

  private Optional<Session> refreshedOnce(Session session) throws Failure {
    Optional<Provider> provider = login.provider(session.provider());
    if (provider.isEmpty()) {
      return Optional.empty();
    }
    String token = session.tokens().refresh().orElseThrow();
    CacheKey key = CacheKey.of(PURPOSE, login.name(), token);
    try {
      return login.context().caller().fetchOnce(key, CacheCodec.BYTES, LEASE,
          () -> fetched(session, provider.get(), token),
          answer -> new SingleFlight.Read<>(read(answer), kept(read(answer), token)));
    } catch (Failure.Communication e) {
      Instant now = login.context().clock().instant();
      boolean late = session.due().filter(due -> now.isBefore(due.plus(login.settings().session().grace()))).isEmpty();
      if (late) {
        throw e;
      }
      login.context().log().warn("session is used without its refresh, as the provider cannot be used", "_provider",
          provider.get().settings().issuer().text(), "_error",
          e.report());
      return Optional.of(session);
    }
  }

  /** A token that may be used again is, when the new tokens are due. */
  private Duration kept(Optional<Session> next, String token) {
    return next.filter(one -> one.tokens().refresh().filter(token::equals).isPresent()).flatMap(Session::due)
        .map(due -> Duration.between(login.context().clock().instant(), due)).filter(left -> left.compareTo(KEPT) < 0)
        .orElse(KEPT);
  }

  private Optional<Session> read(byte[] sealed) {
    return login.sessions().open(PURPOSE, new String(sealed, StandardCharsets.US_ASCII)).flatMap(Session::read);
  }

  private byte[] fetched(Session session, Provider provider, String token) throws Failure {
    if (Thread.currentThread().isInterrupted()) { // the response would be lost, and the token may be used once only
      throw new Failure.Communication("interrupted before the refresh", false);
    }
    Map<String, String> form = new LinkedHashMap<>();
    form.put("grant_type", "refresh_token");
    form.put("refresh_token", token);
    ProviderMetadata metadata = provider.metadata();
    Provider.Reply reply = provider.post(metadata.token(), form, "the token endpoint of the provider");
    if (ENDED.contains(reply.error())) {
      login.context().log().info("session ended by its provider", "_provider",
          provider.settings().issuer().text(), "_error", reply.reason(token));
      return OVER;
    }
    if (!reply.error().isEmpty()) { // of the client, or of the provider: the session may be as good as before
      throw new Failure.Communication("the provider refuses to refresh tokens", reply.reason(token), false);
    }
    Value.Dict claims = session.claims();
    Optional<String> identity = reply.text("id_token");
    if (identity.isPresent()) {
      Value.Dict issued = provider.claims(identity.get(), metadata);
      Value.Dict next = Session.kept(issued);
      if (!next.get("sub").equals(claims.get("sub"))) {
        throw new Failure.Authentication("the refreshed ID token is of another user");
      }
      checkNonce(session, issued);
      claims = Session.renewed(claims, next);
    }
    Instant now = login.context().clock().instant();
    Session.Tokens got = tokens(reply, identity.or(session.tokens()::identity), login.settings().session().tokens());
    Session.Tokens tokens = new Session.Tokens(got.access(), got.identity(),
        got.refresh().or(() -> Optional.of(token)));
    Optional<Instant> due = reply.lifetime().map(life -> now.plus(life.compareTo(EARLY.multipliedBy(2)) > 0
        ? life.minus(EARLY)
        : life));
    Session next = session.refreshed(now, due, tokens, claims);
    return login.sessions().seal(PURPOSE, next.bytes()).getBytes(StandardCharsets.US_ASCII);
  }

  /** Checks that a nonce, if there is one, is that of the login (OpenID Connect Core 1.0, 12.2). */
  private static void checkNonce(Session session, Value.Dict issued) throws Failure.Authentication {
    Optional<Value> nonce = issued.get("nonce").filter(value -> !(value instanceof Value.Null));
    boolean isOther = nonce.isPresent() && session.nonce().isPresent()
        && !(nonce.get() instanceof Value.Str(String text) && Session.hash(text).equals(session.nonce().get()));
    if (isOther) {
      throw new Failure.Authentication("the refreshed ID token has another nonce");
    }
  }
}
