package portcullis.policy.login;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import portcullis.crypto.keys.Base64Url;
import portcullis.crypto.session.SessionKeys;
import portcullis.http.message.Field;
import portcullis.http.message.Fields;
import portcullis.policy.cache.CacheKey;
import portcullis.policy.mechanism.Failure;
import portcullis.policy.mechanism.LoginState;
import portcullis.policy.mechanism.MechanismContext;

/**
 * The sessions of a definition: sealed in cookies of the browser, or in the cache under a random id. Thread safe.
 */
final class Sessions {
  private static final SecureRandom RANDOM = new SecureRandom();
  private static final int ID_BYTES = 32;
  private static final String REVOKED = "revoked session";

  private final LoginSettings.SessionSettings settings;
  private final String identity;
  private final OwnCookies cookies;
  private final Supplier<SessionKeys> keys;
  private final MechanismContext context;

  Sessions(LoginSettings settings, Supplier<SessionKeys> keys, MechanismContext context) {
    this.settings = settings.session();
    this.identity = settings.identity();
    this.cookies = new OwnCookies(settings.session().cookie());
    this.keys = keys;
    this.context = context;
  }

  /**
   * A session that a request has.
   *
   * @param place its id in the cache; empty if it is in cookies
   */
  record Held(Session session, Optional<String> place) {}

  OwnCookies cookies() {
    return cookies;
  }

  /** Returns a random string for URLs and cookies. */
  static String random(int bytes) {
    byte[] out = new byte[bytes];
    RANDOM.nextBytes(out);
    return Base64Url.text(out);
  }

  static int below(int bound) {
    return RANDOM.nextInt(bound);
  }

  /** Seals something of this definition. */
  String seal(String purpose, byte[] content) {
    return keys.get().seal(purpose + " " + identity, content);
  }

  Optional<byte[]> open(String purpose, String sealed) {
    return keys.get().open(purpose + " " + identity, sealed);
  }

  /** Returns the session of a request if it is valid now. */
  Optional<Held> find(Fields request) {
    Optional<String> value = cookies.session(request);
    if (value.isEmpty()) {
      return Optional.empty();
    }
    Optional<String> place = settings.inCache() ? value : Optional.empty();
    Optional<String> sealed = place.isEmpty() ? value
        : context.caller().cache().get(key(place.get())).map(bytes -> new String(bytes, StandardCharsets.US_ASCII));
    Instant now = context.clock().instant();
    return sealed.flatMap(text -> open("session", text)).flatMap(Session::read)
        .filter(session -> session.isAlive(now, settings.idle(), settings.absolute()) && !isRevoked(session))
        .map(session -> new Held(session, place));
  }

  private CacheKey key(String id) {
    return CacheKey.of("login session", identity, id);
  }

  /**
   * Stores a session and returns the {@code Set-Cookie} fields.
   *
   * @param place where it was; empty for a new one and for those in cookies
   */
  List<Field> keep(Session session, Optional<String> place, Fields request) throws Failure {
    String sealed = seal("session", session.bytes());
    if (!settings.inCache()) {
      return cookies.keep(sealed, request).orElseThrow(() -> new Failure.Internal(
          "the session is too long for cookies", "set `session.store: cache`, or keep fewer tokens"));
    }
    String id = place.orElseGet(() -> random(ID_BYTES));
    context.caller().cache().put(key(id), sealed.getBytes(StandardCharsets.US_ASCII), life(session));
    if (place.isPresent()) {
      return List.of();
    }
    if (context.caller().cache().get(key(id)).isEmpty()) {
      throw new Failure.Communication("the cache does not keep sessions now", false);
    }
    return cookies.keep(id, request).orElseThrow();
  }

  private Duration life(Session session) {
    Instant now = context.clock().instant();
    Duration left = Duration.between(now, session.created().plus(settings.absolute()));
    return left.compareTo(settings.idle()) < 0 ? left : settings.idle();
  }

  /** Ends a session, so that copies of its cookies are of no use either; returns the fields that remove it. */
  List<Field> end(Held held, Fields request) {
    revoke(context.logins(), List.of("id", held.session.id()));
    held.place.ifPresent(id -> context.caller().cache().put(key(id), new byte[] {'-'}, life(held.session)));
    return cookies.drop(request);
  }

  private boolean isRevoked(Session session) {
    List<List<String>> names = List.of(List.of("id", session.id()),
        List.of("sid", session.provider(), session.claim("sid").orElse("")),
        List.of("sub", session.provider(), session.claim("sub").orElse("")));
    if (!session.created().isAfter(context.logins().revoked().evicted())) {
      return true;
    }
    for (List<String> name : names) {
      Optional<Instant> time = revoked(name);
      if (time.filter(at -> !session.created().isAfter(at)).isPresent()) {
        return true;
      }
    }
    return context.logins().announced().time(revocation(names.get(1)))
        .filter(at -> !session.created().isAfter(at)).isPresent();
  }

  private CacheKey revocation(List<String> name) {
    List<String> parts = new ArrayList<>(name);
    parts.add(identity);
    return CacheKey.of(REVOKED, parts);
  }

  /** Returns when sessions were revoked by that name, here or by another instance with the same cache. */
  private Optional<Instant> revoked(List<String> name) {
    CacheKey key = revocation(name);
    Optional<Instant> own = context.logins().revoked().time(key);
    return own.isPresent() ? own
        : context.caller().cache().get(key).filter(bytes -> bytes.length == Long.BYTES)
            .map(bytes -> Instant.ofEpochMilli(ByteBuffer.wrap(bytes).getLong()));
  }

  /** Revokes the sessions by that name that have begun until now. */
  private void revoke(LoginState state, List<String> name) {
    CacheKey key = revocation(name);
    Instant now = context.clock().instant();
    state.revoked().add(key, now);
    context.caller().cache().put(key,
        ByteBuffer.allocate(Long.BYTES).putLong(now.toEpochMilli()).array(), settings.absolute());
  }

  /** Revokes what a provider has signed that it is over: a session, or all of a user. */
  void revoke(String provider, Optional<String> session, Optional<String> subject) {
    if (session.isPresent()) {
      revoke(context.logins(), List.of("sid", provider, session.get()));
    } else {
      subject.ifPresent(name -> revoke(context.logins(), List.of("sub", provider, name)));
    }
  }

  /** Revokes a session that somebody has named. */
  void announce(String provider, String session) {
    context.logins().announced().add(revocation(List.of("sid", provider, session)), context.clock().instant());
  }
}
