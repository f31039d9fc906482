package portcullis.policy.login;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import portcullis.crypto.keys.Base64Url;
import portcullis.crypto.keys.Jca;
import portcullis.lang.value.Json;
import portcullis.lang.value.JsonText;
import portcullis.lang.value.Value;
import portcullis.lang.value.ValueException;
import portcullis.policy.mechanism.Credential;
import portcullis.policy.mechanism.Subject;

/**
 * The session of a user; immutable.
 *
 * @param id random, made at the login
 * @param provider the id of the provider
 * @param created when the user logged in
 * @param seen when it was used last, to some accuracy
 * @param due when its tokens have to be refreshed; empty if they are not
 * @param claims of the ID token
 * @param nonce the hash of the nonce of the login; empty in sessions of earlier versions
 */
record Session(String id, String provider, Instant created, Instant seen, Optional<Instant> due, Tokens tokens,
    Value.Dict claims, Optional<String> nonce) {
  /** Claims that say nothing about the user. */
  private static final Set<String> OF_THE_TOKEN = Set.of("nonce", "at_hash", "c_hash", "s_hash");
  private static final String ACCESS = "access_token";
  private static final String IDENTITY = "id_token";
  private static final String REFRESH = "refresh_token";
  private static final String NONCE = "nonce";
  private static final int HASH_BYTES = 16;
  private static final long LATEST = 1L << 40;

  /** The tokens that are kept. */
  record Tokens(Optional<String> access, Optional<String> identity, Optional<String> refresh) {
    /** Without the tokens. */
    @Override
    public String toString() {
      return "tokens";
    }
  }

  /** Returns what a session keeps of the nonce of its login. */
  static String hash(String nonce) {
    return Base64Url.text(Arrays.copyOf(Jca.sha256().digest(nonce.getBytes(StandardCharsets.UTF_8)), HASH_BYTES));
  }

  /** Returns the claims without those that are about the token. */
  static Value.Dict kept(Value.Dict claims) {
    Map<String, Value> out = new LinkedHashMap<>(claims.members());
    out.keySet().removeAll(OF_THE_TOKEN);
    return new Value.Dict(out);
  }

  /** Returns the claims after a refresh; a session keeps its id, which refreshed ID tokens may omit. */
  static Value.Dict renewed(Value.Dict old, Value.Dict next) {
    Map<String, Value> out = new LinkedHashMap<>(next.members());
    old.get("sid").ifPresent(sid -> out.putIfAbsent("sid", sid));
    return new Value.Dict(out);
  }

  /** Returns a string claim; empty if there is none. */
  Optional<String> claim(String name) {
    return text(claims, name);
  }

  /** Returns when the provider issued the ID token, by its clock; empty if that does not say so. */
  Optional<Instant> issued() {
    return claims.get("iat").filter(Value.Int.class::isInstance)
        .map(value -> Instant.ofEpochSecond(Math.clamp(((Value.Int) value).value(), 0, LATEST)));
  }

  /** Returns the subject as rules see it: the claims, and the tokens that are kept for rules. */
  Subject subject(Set<LoginSettings.Token> shown) {
    Map<String, Value> attributes = new LinkedHashMap<>(claims.members());
    if (shown.contains(LoginSettings.Token.ACCESS_TOKEN)) {
      tokens.access.ifPresent(token -> attributes.put(ACCESS, Value.of(token)));
    }
    if (shown.contains(LoginSettings.Token.ID_TOKEN)) {
      tokens.identity.ifPresent(token -> attributes.put(IDENTITY, Value.of(token)));
    }
    return new Subject(claim("sub").orElse(""), new Value.Dict(attributes));
  }

  /**
   * Returns what locks and streams know of it. The tokens of a session may be renewed, so that not their age counts,
   * but that of the session.
   *
   * @param issuer of its provider
   * @param absolute after which it ends in any case
   */
  Credential credential(String issuer, Duration absolute) {
    return new Credential(issuer, claim("sub").orElse(""), claim("email").orElse(""), claim("sid").orElse(id),
        claim("jti").orElse(""),
        Optional.of(created), Optional.of(created.plus(absolute)), Duration.ZERO);
  }

  /** Returns whether it is within its times. */
  boolean isAlive(Instant now, Duration idle, Duration absolute) {
    return now.isBefore(created.plus(absolute)) && now.isBefore(seen.plus(idle));
  }

  Session seenAt(Instant now) {
    return new Session(id, provider, created, now, due, tokens, claims, nonce);
  }

  Session refreshed(Instant now, Optional<Instant> nextDue, Tokens newTokens, Value.Dict newClaims) {
    return new Session(id, provider, created, now, nextDue, newTokens, newClaims, nonce);
  }

  byte[] bytes() {
    Map<String, Value> out = new LinkedHashMap<>();
    out.put("id", Value.of(id));
    out.put("provider", Value.of(provider));
    out.put("created", Value.of(created.toEpochMilli()));
    out.put("seen", Value.of(seen.toEpochMilli()));
    due.ifPresent(time -> out.put("due", Value.of(time.toEpochMilli())));
    tokens.access.ifPresent(token -> out.put(ACCESS, Value.of(token)));
    tokens.identity.ifPresent(token -> out.put(IDENTITY, Value.of(token)));
    tokens.refresh.ifPresent(token -> out.put(REFRESH, Value.of(token)));
    nonce.ifPresent(hash -> out.put(NONCE, Value.of(hash)));
    out.put("claims", claims);
    return JsonText.plain(new Value.Dict(out)).getBytes(StandardCharsets.UTF_8);
  }

  /** Reads what {@link #bytes} has written; empty if it is something else, as of another version. */
  static Optional<Session> read(byte[] bytes) {
    try {
      if (!(Json.read(bytes) instanceof Value.Dict all)
          || !(all.get("claims").orElse(Value.NULL) instanceof Value.Dict c)
          || text(all, "id").isEmpty() || time(all, "created").isEmpty() || time(all, "seen").isEmpty()) {
        return Optional.empty();
      }
      return Optional.of(new Session(text(all, "id").get(), text(all, "provider").orElse(""),
          time(all, "created").get(), time(all, "seen").get(), time(all, "due"),
          new Tokens(text(all, ACCESS), text(all, IDENTITY), text(all, REFRESH)), c, text(all, NONCE)));
    } catch (ValueException _) {
      return Optional.empty();
    }
  }

  private static Optional<String> text(Value.Dict all, String name) {
    return all.get(name).filter(Value.Str.class::isInstance).map(value -> ((Value.Str) value).value());
  }

  private static Optional<Instant> time(Value.Dict all, String name) {
    return all.get(name).filter(Value.Int.class::isInstance)
        .map(value -> Instant.ofEpochMilli(((Value.Int) value).value()));
  }

  /** Without claims and tokens. */
  @Override
  public String toString() {
    return "a session of " + provider;
  }
}
