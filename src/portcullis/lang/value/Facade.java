package portcullis.lang.value;

import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * An object of the program that templates and expressions read by name, as the request: it has members ({@code URL})
 * and functions ({@code Header}). Immutable or safe for one request's thread; what it computes it keeps.
 */
public non-sealed interface Facade extends Value {
  /** What it is called in messages, as {@code Request}. */
  String name();

  /** The names of its members. */
  Set<String> members();

  /** The names of its functions. */
  Set<String> functions();

  /** The member of that name; empty exactly if there is none of that name. */
  Optional<Value> member(String name);

  /** What it holds, where it is a map with functions, as the query: a member that is missing is no fault there. */
  default Optional<Value.Dict> entries() {
    return Optional.empty();
  }

  /** What the function answers; called only with a name of {@link #functions}. */
  Value call(String function, List<Value> arguments) throws ValueFault;

  /** Whether it stands for an object that is not there, which counts as false. */
  default boolean isNothing() {
    return false;
  }

  /** How it prints in a template. */
  String text();
}
