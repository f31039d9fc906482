package portcullis.policy.mechanism;

import java.util.List;
import java.util.stream.Stream;
import portcullis.lang.expression.ErrorKind;

/**
 * What help and the reference pages show of a type of mechanism.
 *
 * @param purpose one or two sentences for the operator
 * @param errors the kinds of error with which its steps fail
 */
public record TypeDoc(String purpose, List<Cause> errors) {
  static final TypeDoc NONE = new TypeDoc("", List.of());

  /** A kind of error and when it occurs, as a clause in the present tense. */
  public record Cause(ErrorKind kind, String when) {}

  TypeDoc with(Cause cause) {
    return new TypeDoc(purpose, Stream.concat(errors.stream(), Stream.of(cause)).toList());
  }
}
