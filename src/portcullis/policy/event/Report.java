package portcullis.policy.event;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import portcullis.crypto.jwt.ClaimsValidator;
import portcullis.lang.value.Value;
import portcullis.policy.lock.Lock;

/**
 * The content of a logout token or a security event; immutable.
 *
 * @param id of the token
 * @param issued when the token was
 * @param ended until when sessions that have begun are over
 * @param named what is locked; empty if the event has no consequence here
 * @param reason in words of the issuer; empty if it has none
 */
record Report(EventKind kind, EventSource source, String id, Instant issued, Instant ended,
    Set<SubjectIdentifier.Named> named, String reason) {
  private static final int LONGEST_REASON = 200;
  /** Times are whole seconds: what began within the same one is over. */
  private static final Duration SECOND = Duration.ofMillis(999);

  /** Reads claims; they need not be verified yet. */
  static Report read(EventKind kind, EventSource source, Value.Dict claims, Instant now) throws EventRefusal {
    checkClaims(source, claims, now);
    String id = SubjectIdentifier.text(claims, "jti").orElseThrow(() -> EventRefusal.invalid("`jti` is missing"));
    Instant issued = time(claims, "iat").orElseThrow(() -> EventRefusal.invalid("`iat` is missing"));
    if (issued.isBefore(now.minus(kind.maxAge(source)).minus(source.issuer().leeway()))) {
      throw EventRefusal.invalid("the " + kind.text() + " is too old");
    }
    Optional<Value.Dict> event = kind.event(claims);
    Set<SubjectIdentifier.Named> named = event.isEmpty() ? Set.of()
        : kind == EventKind.LOGOUT ? ofLogout(source, claims) : ofEvent(source, claims);
    Optional<Instant> at = event.isEmpty() ? Optional.empty() : time(event.get(), "event_timestamp");
    if (at.filter(time -> time.isAfter(issued.plus(source.issuer().leeway()))).isPresent()) {
      throw EventRefusal.invalid("`event_timestamp` is later than `iat`");
    }
    return new Report(kind, source, id, issued, at.orElse(issued).plus(SECOND), named,
        event.map(Report::reason).orElse(""));
  }

  private static void checkClaims(EventSource source, Value.Dict claims, Instant now) throws EventRefusal {
    try {
      source.issuer().checkClaims(claims, now);
    } catch (ClaimsValidator.InvalidClaimException e) {
      throw EventRefusal.invalid(e.getMessage());
    }
    try {
      source.issuer().checkAudience(claims, now);
    } catch (ClaimsValidator.InvalidClaimException e) {
      throw new EventRefusal(EventRefusal.Code.INVALID_AUDIENCE, e.getMessage());
    }
  }

  /** A session id names the session, a subject alone all sessions of the user. */
  private static Set<SubjectIdentifier.Named> ofLogout(EventSource source, Value.Dict claims) throws EventRefusal {
    Optional<String> session = SubjectIdentifier.text(claims, "sid");
    Optional<String> subject = SubjectIdentifier.text(claims, "sub");
    SubjectIdentifier identifier = new SubjectIdentifier(source);
    if (session.isPresent()) {
      return identifier.ofIssuers(Lock.Target.SESSION, session.get());
    }
    return identifier.ofIssuers(Lock.Target.SUBJECT,
        subject.orElseThrow(() -> EventRefusal.invalid("`sub` and `sid` are both missing")));
  }

  private static Set<SubjectIdentifier.Named> ofEvent(EventSource source, Value.Dict claims) throws EventRefusal {
    Optional<Value> identifier = claims.get("sub_id").filter(value -> !(value instanceof Value.Null));
    Optional<String> session = SubjectIdentifier.text(claims, "sid");
    Optional<String> subject = SubjectIdentifier.text(claims, "sub");
    SubjectIdentifier reader = new SubjectIdentifier(source);
    if (identifier.isPresent() && (session.isPresent() || subject.isPresent())) {
      throw EventRefusal.invalid("`sub_id` excludes `sub` and `sid`");
    }
    if (identifier.isPresent()) {
      return reader.read(identifier.get());
    }
    if (session.isPresent()) {
      return reader.ofIssuers(Lock.Target.SESSION, session.get());
    }
    return reader.ofIssuers(Lock.Target.SUBJECT,
        subject.orElseThrow(() -> EventRefusal.invalid("`sub_id` is missing")));
  }

  /** Returns the reason for administrators, in English or in whatever language there is. */
  private static String reason(Value.Dict event) {
    Value reason = event.get("reason_admin").orElse(Value.NULL);
    Value text = reason instanceof Value.Dict languages
        ? languages.get("en").or(() -> languages.members().values().stream().findFirst()).orElse(Value.NULL)
        : reason;
    String words = text instanceof Value.Str(String some) ? some.replaceAll("\\p{Cntrl}", " ").strip() : "";
    return words.length() <= LONGEST_REASON ? words : words.substring(0, LONGEST_REASON) + "…";
  }

  private static Optional<Instant> time(Value.Dict claims, String name) throws EventRefusal {
    try {
      return switch (claims.get(name).orElse(Value.NULL)) {
        case Value.Null _ -> Optional.empty();
        case Value.Int whole -> Optional.of(Instant.ofEpochSecond(whole.value()));
        case Value.Float fraction -> Optional.of(Instant.ofEpochSecond((long) fraction.value()));
        case Value _ -> throw EventRefusal.invalid("`" + name + "` is not a number");
      };
    } catch (DateTimeException _) {
      throw EventRefusal.invalid("`" + name + "` is not a time");
    }
  }

  /** Returns the locks that it makes. */
  List<Lock> locks(Instant now) {
    List<Lock> out = new ArrayList<>();
    for (SubjectIdentifier.Named one : named) {
      boolean isUser = one.target() == Lock.Target.SUBJECT || one.target() == Lock.Target.EMAIL;
      out.add(new Lock(one.target(), one.value(), one.issuer(), isUser ? Optional.of(ended) : Optional.empty(),
          kind.text() + " " + id + (reason.isEmpty() ? "" : ": " + reason), source.issuer().name(), now,
          Optional.of(now.plus(source.lockFor()))));
    }
    return out;
  }
}
