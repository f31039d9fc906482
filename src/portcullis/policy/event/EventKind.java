package portcullis.policy.event;

import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import portcullis.crypto.jwt.CompactToken;
import portcullis.lang.value.Value;

/** The kinds of tokens that report the end of sessions. */
public enum EventKind {
  /** Logout tokens (OpenID Connect Back-Channel Logout 1.0, 2.4). Older providers type them as any other token. */
  LOGOUT("logout token", Set.of("logout+jwt", "jwt", "")),
  /** Security event tokens (RFC 8417), which have to be typed (OpenID Shared Signals Framework 1.0, 4.1.6). */
  EVENT("security event token", Set.of("secevent+jwt"));

  static final String LOGOUT_EVENT = "http://schemas.openid.net/event/backchannel-logout";
  static final String SESSION_REVOKED = "https://schemas.openid.net/secevent/caep/event-type/session-revoked";
  private static final Duration LONGEST_LOGOUT = Duration.ofMinutes(10);
  private static final String MEDIA_TYPE = "application/";

  private final String text;
  private final Set<String> types;

  EventKind(String text, Set<String> types) {
    this.text = text;
    this.types = types;
  }

  /** Returns its name, for messages. */
  String text() {
    return text;
  }

  /** Checks that a token is not one of another kind (RFC 8725, 3.11). */
  void checkType(CompactToken token) throws EventRefusal {
    Value type = token.header().get("typ").orElse(Value.EMPTY_STRING);
    String name = type instanceof Value.Str(String word) ? word.toLowerCase(Locale.ROOT) : "?";
    if (!types.contains(name.startsWith(MEDIA_TYPE) ? name.substring(MEDIA_TYPE.length()) : name)) {
      throw EventRefusal.invalid("the type of the token is not that of a " + text);
    }
  }

  /** Returns the maximum age of a token. */
  Duration maxAge(EventSource source) {
    return switch (this) {
      case LOGOUT -> LONGEST_LOGOUT;
      case EVENT -> source.maxAge();
    };
  }

  /** Returns the payload of the event that ends sessions; empty if the token has only events of no consequence. */
  Optional<Value.Dict> event(Value.Dict claims) throws EventRefusal {
    if (!(claims.get("events").orElse(Value.NULL) instanceof Value.Dict events) || events.members().isEmpty()
        || !events.members().values().stream().allMatch(Value.Dict.class::isInstance)) {
      throw EventRefusal.invalid("`events` is not an object of events");
    }
    Optional<Value.Dict> found = events.get(this == LOGOUT ? LOGOUT_EVENT : SESSION_REVOKED)
        .map(Value.Dict.class::cast);
    if (this == LOGOUT && found.isEmpty()) {
      throw EventRefusal.invalid("the events are not a logout");
    }
    if (this == LOGOUT && claims.get("nonce").isPresent()) {
      throw EventRefusal.invalid("a logout token has no nonce");
    }
    return found;
  }
}
