package portcullis.serve.lock;

import java.time.DateTimeException;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import portcullis.lang.value.Value;
import portcullis.policy.lock.Lock;

/** Locks as JSON objects. */
public final class LockDocument {
  /** The most characters of each text. */
  public static final int LONGEST_VALUE = 1024;
  private static final Set<String> STRINGS = Set.of("target", "value", "issuer", "reason", "origin");

  private LockDocument() {}

  public static Value.Dict of(Lock lock) {
    Map<String, Value> out = new LinkedHashMap<>();
    out.put("id", Value.of(lock.id()));
    out.put("target", Value.of(lock.target().text()));
    out.put("value", Value.of(lock.value()));
    out.put("issuer", Value.of(lock.issuer()));
    out.put("authenticated_until", time(lock.authenticatedUntil()));
    out.put("reason", Value.of(lock.reason()));
    out.put("origin", Value.of(lock.origin()));
    out.put("since", Value.of(lock.since().toString()));
    out.put("until", time(lock.until()));
    return new Value.Dict(out);
  }

  private static Value time(Optional<Instant> time) {
    return time.map(at -> Value.of(at.toString())).orElse(Value.NULL);
  }

  /** Returns the lock; empty if the object is not one. */
  public static Optional<Lock> read(Value.Dict object) {
    Optional<Lock.Target> target = Lock.Target.of(text(object, "target"));
    String value = text(object, "value");
    Optional<Optional<Instant>> since = time(object, "since");
    Optional<Optional<Instant>> until = time(object, "until");
    Optional<Optional<Instant>> before = time(object, "authenticated_until");
    boolean isWhole = target.isPresent() && !value.isEmpty() && since.filter(Optional::isPresent).isPresent()
        && until.isPresent() && before.isPresent();
    return isWhole && mistake(object).isEmpty()
        ? Optional.of(new Lock(target.get(), value, text(object, "issuer"), before.get(), text(object, "reason"),
            text(object, "origin"), since.get().get(), until.get()))
        : Optional.empty();
  }

  /** Returns what is wrong with a member that is there; empty if nothing is. */
  public static Optional<String> mistake(Value.Dict object) {
    for (Map.Entry<String, Value> member : object.members().entrySet()) {
      String name = member.getKey();
      if (STRINGS.contains(name) && !(member.getValue() instanceof Value.Str)) {
        return Optional.of("`" + name + "` is not a string");
      }
      if (text(object, name).length() > LONGEST_VALUE) {
        return Optional.of("`" + name + "` is longer than 1,024 characters");
      }
    }
    if (object.get("target").isPresent() && Lock.Target.of(text(object, "target")).isEmpty()) {
      return Optional.of("`target` is not one of subject, email, session, token and client");
    }
    return Stream.of("since", "until", "authenticated_until").filter(name -> time(object, name).isEmpty()).findFirst()
        .map(name -> "`" + name + "` is not a time as 2026-01-02T03:04:05Z");
  }

  private static String text(Value.Dict object, String name) {
    return object.get(name).orElse(Value.NULL) instanceof Value.Str text ? text.value() : "";
  }

  /** Returns an empty outer optional for what is not a time, and an empty inner one for none. */
  private static Optional<Optional<Instant>> time(Value.Dict object, String name) {
    try {
      return switch (object.get(name).orElse(Value.NULL)) {
        case Value.Null _ -> Optional.of(Optional.empty());
        case Value.Str text -> Optional.of(Optional.of(Instant.parse(text.value())));
        case Value _ -> Optional.empty();
      };
    } catch (DateTimeException _) {
      return Optional.empty();
    }
  }
}
