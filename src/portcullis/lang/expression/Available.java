package portcullis.lang.expression;

import java.util.Set;

/**
 * What an expression can read at its place in a configuration, by which mistyped names are found before it is
 * evaluated.
 *
 * @param variables the names of the variables that have a value there
 * @param principals whether {@code Subject} may have principals, whose names are not known
 */
public record Available(Set<String> variables, boolean principals) {
  public Available {
    variables = Set.copyOf(variables);
  }

  public static Available of(String... variables) {
    return new Available(Set.of(variables), true);
  }

  /** Returns the same for a place where {@code Subject} has no principals. */
  public Available withoutPrincipals() {
    return new Available(variables, false);
  }
}
