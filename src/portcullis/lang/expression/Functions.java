package portcullis.lang.expression;

import java.util.Optional;

/** Finds what a name in {@link Signatures} does. */
final class Functions {
  private Functions() {}

  static Function find(String name) {
    Optional<Function> found = Order.find(name).or(() -> Arithmetic.find(name)).or(() -> Conversions.find(name))
        .or(() -> Strings.find(name)).or(() -> Lists.find(name)).or(() -> MathFunctions.find(name))
        .or(() -> Times.find(name)).or(() -> Regexes.find(name)).or(() -> Encodings.find(name))
        .or(() -> Networks.find(name)).or(() -> Format.find(name));
    return found.orElse(Members::call);
  }
}
