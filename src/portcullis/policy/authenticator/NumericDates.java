package portcullis.policy.authenticator;

import java.time.Instant;
import java.util.Optional;
import portcullis.lang.value.Value;

/** Reads times in claims (RFC 7519, 2: NumericDate). */
final class NumericDates {
  private static final long FARTHEST = 1L << 40;

  private NumericDates() {}

  /** Returns the time in whole seconds; empty if the claim is not a number or out of range. */
  static Optional<Instant> instant(Value.Dict claims, String name) {
    return switch (claims.get(name).orElse(Value.NULL)) {
      case Value.Int whole when Math.abs(whole.value()) < FARTHEST -> Optional.of(Instant.ofEpochSecond(whole.value()));
      case Value.Float fraction when Math.abs(fraction.value()) < FARTHEST ->
        Optional.of(Instant.ofEpochSecond((long) fraction.value()));
      case Value _ -> Optional.empty();
    };
  }
}
