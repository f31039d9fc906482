package portcullis.policy.login;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import portcullis.crypto.keys.Base64Url;
import portcullis.crypto.keys.Jca;
import portcullis.http.message.Field;
import portcullis.http.message.Fields;
import portcullis.lang.value.Json;
import portcullis.lang.value.JsonText;
import portcullis.lang.value.Value;
import portcullis.lang.value.ValueException;

/**
 * A login until its callback. The server keeps nothing of it: one half is in a cookie of the browser, the other in the
 * parameter {@code state}.
 *
 * @param slot of its cookie
 * @param redirect the URL of the callback
 */
record PendingLogin(int slot, String id, String provider, String verifier, String nonce, String redirect,
    Instant started) {
  /** How long a user may take at the provider. */
  static final Duration LIFE = Duration.ofMinutes(15);

  private static final String COOKIE = "login";
  private static final String STATE = "login state";
  private static final int ID_BYTES = 16;
  private static final int VERIFIER_BYTES = 32;

  /**
   * What {@code state} has.
   *
   * @param returnTo where the browser goes after the login
   */
  record State(int slot, String id, String provider, String returnTo, Instant started) {
    boolean isExpired(Instant now) {
      return now.isAfter(started.plus(LIFE));
    }
  }

  /** Starts a login in a slot that is free in this browser. */
  static PendingLogin start(Sessions sessions, Fields request, String provider, String redirect, Instant now) {
    List<Integer> free = sessions.cookies().freeSlots(request);
    int slot = free.get(Sessions.below(free.size()));
    return new PendingLogin(slot, Sessions.random(ID_BYTES), provider, Sessions.random(VERIFIER_BYTES),
        Sessions.random(ID_BYTES), redirect, now);
  }

  /** Returns the challenge of PKCE by S256 (RFC 7636, 4.2). */
  String challenge() {
    return Base64Url.text(Jca.sha256().digest(verifier.getBytes(StandardCharsets.US_ASCII)));
  }

  Field cookie(Sessions sessions) {
    Map<String, String> content = Map.of("id", id, "provider", provider, "verifier", verifier, "nonce", nonce,
        "redirect", redirect, "started", Long.toString(started.toEpochMilli()));
    return sessions.cookies().keepLogin(slot, sessions.seal(COOKIE, bytes(content)), LIFE);
  }

  String state(Sessions sessions, String returnTo) {
    return sessions.seal(STATE, bytes(Map.of("slot", Integer.toString(slot), "id", id, "provider", provider, "return",
        returnTo, "started", Long.toString(started.toEpochMilli()))));
  }

  /** Reads {@code state}; empty if it is not one of this login. */
  static Optional<State> readState(Sessions sessions, String text) {
    return sessions.open(STATE, text).flatMap(PendingLogin::read)
        .map(all -> new State(Integer.parseInt(text(all, "slot")), text(all, "id"), text(all, "provider"),
            text(all, "return"), Instant.ofEpochMilli(Long.parseLong(text(all, "started")))));
  }

  /** Returns the login that this browser has started with that state; empty if it has not. */
  static Optional<PendingLogin> find(Sessions sessions, State state, Fields request) {
    return sessions.cookies().login(state.slot, request).flatMap(value -> sessions.open(COOKIE, value))
        .flatMap(PendingLogin::read)
        .filter(all -> same(text(all, "id"), state.id) && same(text(all, "provider"), state.provider))
        .map(all -> new PendingLogin(state.slot, state.id, state.provider, text(all, "verifier"), text(all, "nonce"),
            text(all, "redirect"), Instant.ofEpochMilli(Long.parseLong(text(all, "started")))));
  }

  private static boolean same(String one, String other) {
    return MessageDigest.isEqual(one.getBytes(StandardCharsets.UTF_8), other.getBytes(StandardCharsets.UTF_8));
  }

  private static byte[] bytes(Map<String, String> content) {
    return JsonText.plain(Value.Dict.ofStrings(content)).getBytes(StandardCharsets.UTF_8);
  }

  private static Optional<Value.Dict> read(byte[] bytes) {
    try {
      return Optional.of(Json.read(bytes)).filter(Value.Dict.class::isInstance).map(Value.Dict.class::cast);
    } catch (ValueException _) {
      return Optional.empty();
    }
  }

  private static String text(Value.Dict all, String name) {
    return all.get(name).orElse(Value.NULL) instanceof Value.Str(String text) ? text : "0";
  }

  /** Without verifier and nonce. */
  @Override
  public String toString() {
    return "a login at " + provider;
  }
}
