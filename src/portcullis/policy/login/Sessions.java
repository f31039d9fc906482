package portcullis.policy.login;

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
import portcullis.policy.cache.Cache;
import portcullis.policy.cache.CacheException;
import portcullis.policy.cache.CacheKey;
import portcullis.policy.cache.LateWrites;
import portcullis.policy.mechanism.Failure;
import portcullis.policy.mechanism.MechanismContext;

/**
 * The sessions of a definition: sealed in cookies of the browser, or in the cache under a random id. Thread safe.
 */
final class Sessions {
  private static final SecureRandom RANDOM = new SecureRandom();
  private static final int ID_BYTES = 32;
  /** What a request has besides the cookies of a session: its URL, other fields, other cookies. */
  private static final int ROOM = 2048;
  /** By how much cookies that are too long may grow nevertheless: with their names. */
  private static final int GROWTH = 512;
  private static final String REVOKED = "revoked session";
  /** What the cache has in place of a session that has ended; a refresh under way may replace it. */
  private static final byte[] GONE = {'-'};

  private final LoginSettings.SessionSettings settings;
  private final Duration leeway;
  private final String identity;
  private final OwnCookies cookies;
  private final Supplier<SessionKeys> keys;
  private final MechanismContext context;

  Sessions(LoginSettings settings, Supplier<SessionKeys> keys, MechanismContext context) {
    this.settings = settings.session();
    this.leeway = settings.leeway();
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

  /**
   * Returns the session of a request if it is valid now.
   *
   * @throws Failure.Communication if the cache that has it cannot be used
   */
  Optional<Held> find(Fields request) throws Failure.Communication {
    Optional<String> value = cookies.session(request);
    if (value.isEmpty()) {
      return Optional.empty();
    }
    try {
      return settings.inCache() ? inCache(value.get()) : opened(value, Optional.empty());
    } catch (CacheException e) {
      throw new Failure.Communication("the session cannot be looked up", e.getMessage(), false);
    }
  }

  private Optional<Held> inCache(String place) throws CacheException {
    return context.logins().unread().has(placed(place)) ? Optional.empty()
        : opened(context.caller().cache().find(key(place)).map(bytes -> new String(bytes, StandardCharsets.US_ASCII)),
            Optional.of(place));
  }

  private Optional<Held> opened(Optional<String> sealed, Optional<String> place) throws CacheException {
    Instant now = context.clock().instant();
    Optional<Session> session = sealed.flatMap(text -> open("session", text)).flatMap(Session::read)
        .filter(one -> one.isAlive(now, settings.idle(), settings.absolute()));
    return session.isEmpty() || isRevoked(session.get(), place) ? Optional.empty()
        : Optional.of(new Held(session.get(), place));
  }

  private CacheKey key(String id) {
    return CacheKey.of("login session", identity, id);
  }

  /**
   * Stores a new session and returns the {@code Set-Cookie} fields.
   *
   * @throws Failure.Internal if its cookies would leave no room for the rest of a request
   */
  List<Field> begin(Session session, Fields request) throws Failure {
    List<Field> fields = keep(session, Optional.empty(), request);
    checkLength(fields, 0);
    return fields;
  }

  /**
   * Stores a session that has new tokens and returns the {@code Set-Cookie} fields.
   *
   * @throws Failure.Internal if its cookies have grown so that they leave no room for the rest of a request
   */
  List<Field> renew(Session session, Optional<String> place, Fields request) throws Failure {
    List<Field> fields = keep(session, place, request);
    checkLength(fields, cookies.session(request).map(String::length).orElse(0) + GROWTH);
    return fields;
  }

  /** @param usual the length of those that have come through */
  private void checkLength(List<Field> fields, int usual) throws Failure.Internal {
    int most = context.logins().head() - ROOM;
    if (OwnCookies.size(fields) > Math.max(most, usual)) {
      throw tooLong("they would have " + OwnCookies.size(fields) + " bytes, and `serve.buffer_limit.read` leaves room "
          + "for " + Math.max(0, most));
    }
  }

  private static Failure.Internal tooLong(String why) {
    return new Failure.Internal("the session is too long for cookies", why + (why.isEmpty() ? "" : ": ")
        + "set `session.store: cache`, or keep fewer tokens");
  }

  /**
   * Stores a session and returns the {@code Set-Cookie} fields.
   *
   * @param place where it was; empty for a new one and for those in cookies
   */
  List<Field> keep(Session session, Optional<String> place, Fields request) throws Failure {
    String sealed = seal("session", session.bytes());
    if (!settings.inCache()) {
      return cookies.keep(sealed, request).orElseThrow(() -> tooLong(""));
    }
    String id = place.orElseGet(() -> random(ID_BYTES));
    Cache cache = context.caller().cache();
    if (place.isPresent()) {
      cache.tryStore(key(id), sealed.getBytes(StandardCharsets.US_ASCII), life(session));
      return List.of();
    }
    try {
      cache.store(key(id), sealed.getBytes(StandardCharsets.US_ASCII), life(session));
      if (cache.find(key(id)).isPresent()) {
        return cookies.keep(id, request).orElseThrow();
      }
    } catch (CacheException e) {
      throw new Failure.Communication("the cache does not keep sessions now", e.getMessage(), false);
    }
    throw new Failure.Communication("the cache does not keep sessions now", false);
  }

  private Duration life(Session session) {
    Instant now = context.clock().instant();
    Duration left = Duration.between(now, session.created().plus(settings.absolute()));
    return left.compareTo(settings.idle()) < 0 ? left : settings.idle();
  }

  /**
   * An ended session.
   *
   * @param fields the fields that remove it from the browser
   * @param unshared why other instances do not know that yet; empty if they do
   */
  record Ended(List<Field> fields, Optional<Failure.Communication> unshared) {}

  /** Ends a session, so that copies of its cookies are of no use either. */
  Ended end(Held held, Fields request) {
    Optional<Failure.Communication> unshared = revoke(own(held.session, held.place), context.clock().instant());
    held.place.ifPresent(id -> context.caller().cache().tryStore(key(id), GONE, life(held.session)));
    return new Ended(cookies.drop(request), unshared);
  }

  /**
   * Ends a session that cannot be read, as the cache cannot be used; returns the fields that remove it. Empty if too
   * many have ended so: it cannot be known which of them there were.
   */
  Optional<List<Field>> endUnread(Fields request) {
    Optional<String> place = cookies.session(request);
    place.ifPresent(id -> shared(context.logins().unread(), placed(id), context.clock().instant()));
    return place.filter(id -> context.logins().unread().has(placed(id))).map(_ -> cookies.drop(request));
  }

  /** Stores a revocation, which other instances have to know, now or later. Returns why it is later. */
  private Optional<Failure.Communication> shared(LateWrites late, CacheKey key, Instant time) {
    try {
      late.store(context.caller().cache(), key, time, settings.absolute(), context.clock().instant());
      return Optional.empty();
    } catch (CacheException e) {
      return Optional.of(new Failure.Communication("the end of a session cannot be stored", e.getMessage(), false));
    }
  }

  private boolean isRevoked(Session session, Optional<String> place) throws CacheException {
    List<String> sid = List.of("sid", session.provider(), session.claim("sid").orElse(""));
    List<List<String>> names = List.of(own(session, place), sid,
        List.of("sub", session.provider(), session.claim("sub").orElse("")));
    if (!session.created().isAfter(context.logins().revoked().evicted())) {
      return true;
    }
    for (List<String> name : names) {
      if (isRevoked(session, revocation(name))) {
        return true;
      }
    }
    return context.logins().announced().time(revocation(sid)).filter(at -> !session.created().isAfter(at)).isPresent();
  }

  /** An instance may know of an earlier revocation than the cache does, which has those of all instances. */
  private boolean isRevoked(Session session, CacheKey key) throws CacheException {
    return covers(context.logins().revoked().time(key), session) || covers(known(key), session);
  }

  /**
   * Returns whether a session began before it was revoked: by the own clock, or by that of the provider, which may be
   * behind by more than the leeway; its logouts are stored with that added.
   */
  private boolean covers(Optional<Instant> revoked, Session session) {
    return revoked.filter(time -> !session.created().isAfter(time)
        || session.issued().filter(issued -> !issued.isAfter(time.minus(leeway))).isPresent()).isPresent();
  }

  /** Returns the name of one session: by its place in the cache, which is known when the session cannot be read. */
  private static List<String> own(Session session, Optional<String> place) {
    return place.map(id -> List.of("place", id)).orElseGet(() -> List.of("id", session.id()));
  }

  private CacheKey placed(String place) {
    return revocation(List.of("place", place));
  }

  private CacheKey revocation(List<String> name) {
    List<String> parts = new ArrayList<>(name);
    parts.add(identity);
    return CacheKey.of(REVOKED, parts);
  }

  /** Returns when sessions were revoked by that name. Sessions in cookies go on while the cache cannot be used. */
  private Optional<Instant> known(CacheKey key) throws CacheException {
    Cache cache = context.caller().cache();
    return settings.inCache() ? LateWrites.find(cache, key) : LateWrites.tryFind(cache, key);
  }

  /** Revokes the sessions by that name that have begun until then. Returns why others do not know that yet. */
  private Optional<Failure.Communication> revoke(List<String> name, Instant until) {
    CacheKey key = revocation(name);
    Instant last = context.logins().revoked().time(key).filter(until::isBefore).orElse(until);
    context.logins().revoked().add(key, last);
    return shared(context.logins().unshared(), key, last);
  }

  /**
   * Revokes what a provider has signed that it is over: a session, or all of a user.
   *
   * @param until sessions that have begun later go on
   * @return why other instances do not know that yet; empty if they do
   */
  Optional<Failure.Communication> revoke(String provider, Optional<String> session, Optional<String> subject,
      Instant until) {
    Instant now = context.clock().instant();
    List<String> name = session.map(id -> List.of("sid", provider, id))
        .orElseGet(() -> List.of("sub", provider, subject.orElse("")));
    return revoke(name, until.isBefore(now) ? until : now);
  }

  /** Revokes a session that somebody has named. */
  void announce(String provider, String session) {
    context.logins().announced().add(revocation(List.of("sid", provider, session)), context.clock().instant());
  }
}
