package portcullis.config;

import java.util.Optional;
import java.util.regex.Pattern;

/** The message about an environment variable that a file needs and that is not set. */
final class UnsetVariable {
  /** Places of paths of files. */
  private static final Pattern FILE = Pattern.compile("(.*[._])?(path|file|keys?|store|state)(\\[\\d+])?");

  private UnsetVariable() {}

  /** Returns the variable that is the whole value; empty if the value is another. */
  static Optional<SubstitutedSource.Unset> of(Node node) {
    return node instanceof Node.Scalar scalar && scalar.located() instanceof ScalarText text ? text.unset()
        : Optional.empty();
  }

  /** Without backticks, between which values of secrets are hidden. */
  static String message(SubstitutedSource.Unset place) {
    return "environment variable " + Decoders.shortened(place.variable()) + " is not set";
  }

  /** Returns the hint for a part of a value: that of the path of a file is not to be empty. */
  static String hint(SubstitutedSource.Unset place, String path) {
    return FILE.matcher(path).matches() ? needed(place) : hint(place);
  }

  /** Returns the hint for a place where the variable may be empty. */
  static String hint(SubstitutedSource.Unset place) {
    return "write ${" + Decoders.shortened(place.variable()) + ":-} if it may be empty";
  }

  /** Returns the hint for a place that needs a value. */
  static String needed(SubstitutedSource.Unset place) {
    return "give it a value, or write ${" + Decoders.shortened(place.variable()) + ":-…} with a default";
  }
}
