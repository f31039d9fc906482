package portcullis.lang.value;

import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * An object of the program that templates and expressions can read, as the request: it has members ({@code URL}) and
 * functions ({@code Header}). Immutable, or confined to one request's thread and caching what it computes.
 */
public non-sealed interface HostObject extends Value {
  /** Returns its name in messages, as {@code Request}. */
  String name();

  /** Returns the names of its members. */
  Set<String> members();

  /** Returns the names of its functions. */
  default Set<String> functions() {
    return Set.of();
  }

  /** Returns the member with this name; empty exactly if it is not one of {@link #members}. */
  Optional<Value> member(String name);

  /** Returns the entries of an object that is also a map, as the query, where a missing member is not an error. */
  default Optional<Value.Dict> entries() {
    return Optional.empty();
  }

  /** Calls one of {@link #functions}. */
  default Value call(String function, List<Value> arguments) throws ValueException {
    throw new ValueException(name() + " has no functions");
  }

  /** Returns whether another object of its kind may have more members, as a subject with principals. */
  default boolean isOpen() {
    return false;
  }

  /** Returns whether it represents a missing object, which is false. */
  default boolean isNothing() {
    return false;
  }

  /** Returns how it is printed in a template. */
  String text();
}
