package portcullis.policy.event;

import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import portcullis.lang.value.Value;
import portcullis.policy.lock.Lock;

/**
 * Reads whom an event is about (RFC 9493; OpenID Shared Signals Framework 1.0, 3).
 *
 * @param source whose subjects those without an issuer of their own are
 */
record SubjectIdentifier(EventSource source) {
  private static final int MOST_ALIASES = 10;
  private static final int LONGEST = 512;

  /** Something that can be locked; the issuer is not empty. */
  record Named(Lock.Target target, String issuer, String value) {}

  /** Returns what an identifier names; empty if that is nothing that can be locked, as a device. */
  Set<Named> read(Value identifier) throws EventRefusal {
    if (!(identifier instanceof Value.Dict object)) {
      throw EventRefusal.invalid("`sub_id` is not an object");
    }
    return switch (text(object, "format").orElse("")) {
      case "aliases" -> aliases(object);
      case "complex" -> complex(object);
      // ids of sessions and of users look alike, and no session has the id of a user
      case "opaque" -> both(ofIssuers(Lock.Target.SESSION, needed(object, "id")),
          ofIssuers(Lock.Target.SUBJECT, needed(object, "id")));
      default -> simple(object);
    };
  }

  private Set<Named> simple(Value.Dict object) throws EventRefusal {
    return switch (text(object, "format").orElseThrow(() -> EventRefusal.invalid("`sub_id` has no `format`"))) {
      case "iss_sub" -> Set.of(new Named(Lock.Target.SUBJECT, issuer(object), needed(object, "sub")));
      case "email" -> ofIssuers(Lock.Target.EMAIL, needed(object, "email"));
      case "jwt_id" -> Set.of(new Named(Lock.Target.TOKEN, issuer(object), needed(object, "jti")));
      default -> Set.of();
    };
  }

  private Set<Named> aliases(Value.Dict object) throws EventRefusal {
    if (!(object.get("identifiers").orElse(Value.NULL) instanceof Value.Array all) || all.items().isEmpty()
        || all.items().size() > MOST_ALIASES) {
      throw EventRefusal.invalid("`identifiers` of aliases are a list of 1 to " + MOST_ALIASES);
    }
    Set<Named> out = new LinkedHashSet<>();
    for (Value one : all.items()) {
      if (!(one instanceof Value.Dict alias) || text(alias, "format").filter("aliases"::equals).isPresent()) {
        throw EventRefusal.invalid("an alias is not a subject identifier");
      }
      out.addAll(read(alias));
    }
    return out;
  }

  /** A session is enough, as it is that of the user; else all sessions of the user until now, on any device. */
  private Set<Named> complex(Value.Dict object) throws EventRefusal {
    Optional<Value> session = object.get("session");
    if (session.isPresent()) {
      return part(session.get(), "session", Lock.Target.SESSION);
    }
    Optional<Value> user = object.get("user");
    return user.isPresent() ? part(user.get(), "user", Lock.Target.SUBJECT) : Set.of();
  }

  private Set<Named> part(Value value, String name, Lock.Target ofOpaque) throws EventRefusal {
    if (!(value instanceof Value.Dict part) || text(part, "format").filter("complex"::equals).isPresent()) {
      throw EventRefusal.invalid("`" + name + "` is not a simple subject identifier");
    }
    return text(part, "format").filter("opaque"::equals).isPresent() ? ofIssuers(ofOpaque, needed(part, "id"))
        : read(part);
  }

  /** Returns this value for each issuer whose subjects the source reports. */
  Set<Named> ofIssuers(Lock.Target target, String value) {
    Set<Named> out = new LinkedHashSet<>();
    source.subjectIssuers().forEach(issuer -> out.add(new Named(target, issuer, value)));
    return out;
  }

  private static Set<Named> both(Set<Named> one, Set<Named> other) {
    Set<Named> out = new LinkedHashSet<>(one);
    out.addAll(other);
    return out;
  }

  private String issuer(Value.Dict object) throws EventRefusal {
    String issuer = needed(object, "iss");
    if (!source.subjectIssuers().contains(issuer)) {
      throw EventRefusal.invalid("the subject is of an issuer that is not among `subject_issuers`");
    }
    return issuer;
  }

  private static String needed(Value.Dict object, String name) throws EventRefusal {
    return text(object, name)
        .orElseThrow(() -> EventRefusal.invalid("`" + name + "` of the subject identifier is missing"));
  }

  /** Returns a string that is neither empty nor too long for a lock; empty if it is missing. */
  static Optional<String> text(Value.Dict object, String name) throws EventRefusal {
    Value value = object.get(name).orElse(Value.NULL);
    if (value instanceof Value.Null) {
      return Optional.empty();
    }
    if (!(value instanceof Value.Str text) || text.value().isEmpty() || text.value().length() > LONGEST) {
      throw EventRefusal.invalid("`" + name + "` is not a string of 1 to " + LONGEST + " characters");
    }
    return Optional.of(text.value());
  }
}
