package portcullis.policy.mechanism;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import portcullis.lang.value.HostObject;
import portcullis.lang.value.JsonText;
import portcullis.lang.value.Value;

/**
 * The subject of a request: an identifier and attributes, and where the rule set has principals, each of them by name.
 *
 * @param principals by name; empty where the rule set has none. Identifier and attributes are those of the default one
 * @param credential what identified it; templates and expressions cannot read it
 */
public record Subject(String id, Value.Dict attributes, SortedMap<String, Subject> principals, Credential credential)
    implements HostObject {
  /** The name of the principal that every rule has. */
  public static final String DEFAULT = "default";

  private static final Set<String> MEMBERS = Set.of("ID", "Attributes");

  /** Returns a subject without principals. */
  public Subject(String id, Value.Dict attributes) {
    this(id, attributes, Collections.emptySortedMap(), Credential.NONE);
  }

  /** Returns a copy that this credential identified. */
  public Subject by(Credential known) {
    return new Subject(id, attributes, principals, known);
  }

  /**
   * Refuses an identifier with control characters, line breaks among them: it could not be written into a header, and
   * would be shown as another one.
   */
  public static void check(String id) throws Failure.Authentication {
    for (int i = 0; i < id.length(); i++) {
      if (Character.isISOControl(id.charAt(i))) {
        throw new Failure.Authentication("the subject has a control character");
      }
    }
  }

  /**
   * Refuses also an identifier with blanks around it, which would be another one at the upstream: recipients remove
   * them from header fields (RFC 9110, 5.5). For identifiers that others choose.
   */
  public static void checkForeign(String id) throws Failure.Authentication {
    check(id);
    if (id.startsWith(" ") || id.endsWith(" ")) {
      throw new Failure.Authentication("the subject begins or ends with a blank");
    }
  }

  /** Returns the subjects whose credentials the request had: itself, or its principals. */
  public Collection<Subject> all() {
    return principals.isEmpty() ? List.of(this) : principals.values();
  }

  /** Returns the subject of these principals, of which one is the default. */
  public static Subject of(SortedMap<String, Subject> principals) {
    Subject main = principals.get(DEFAULT);
    return new Subject(main.id, main.attributes, Collections.unmodifiableSortedMap(new TreeMap<>(principals)),
        main.credential);
  }

  /** Returns everything about it, for cache keys. */
  public List<String> identity() {
    List<String> out = new ArrayList<>(List.of(id, JsonText.plain(attributes)));
    principals.forEach((name, principal) -> {
      if (!name.equals(DEFAULT)) {
        out.add(name);
        out.addAll(principal.identity());
      }
    });
    return out;
  }

  @Override
  public String name() {
    return "Subject";
  }

  @Override
  public Set<String> members() {
    return principals.isEmpty() ? MEMBERS : principals.keySet();
  }

  @Override
  public Optional<Value> member(String name) {
    return switch (name) {
      case "ID" -> Optional.of(Value.of(id));
      case "Attributes" -> Optional.of(attributes);
      default -> Optional.ofNullable(principals.get(name));
    };
  }

  @Override
  public String text() {
    return JsonText.plain(principals.isEmpty()
        ? new Value.Dict(Map.of("ID", Value.of(id), "Attributes", attributes))
        : new Value.Dict(Map.copyOf(principals)));
  }
}
