package portcullis.policy.authenticator;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import portcullis.config.Decoder;
import portcullis.config.Decoders;
import portcullis.config.Key;
import portcullis.crypto.jwt.Leeway;
import portcullis.lang.gjson.GjsonPath;
import portcullis.lang.template.GoTime;
import portcullis.lang.value.Value;
import portcullis.policy.mechanism.Failure;

/**
 * Where the response of an identity endpoint contains the validity of a session; what it does not contain is not
 * checked.
 *
 * @param layout of times in Go's notation; empty for Unix seconds
 * @param leeway the accepted clock skew
 */
record SessionLifespan(Optional<GjsonPath> active, Optional<GjsonPath> issuedAt, Optional<GjsonPath> notBefore,
    Optional<GjsonPath> notAfter, String layout, Duration leeway) {
  private static final Duration STANDARD_LEEWAY = Duration.ofSeconds(10);

  static Decoder<SessionLifespan> decoder() {
    Decoder<GjsonPath> path = Decoders.nonEmpty().then((text, _, _) -> Optional.of(GjsonPath.parse(text)));
    Key<Optional<GjsonPath>> active = Key
        .optional("active", path, "the GJSON path of the value that is true while the session is active").restricting();
    Key<Optional<GjsonPath>> issued = Key.optional("issued_at", path, "the GJSON path of the time of issue")
        .restricting();
    Key<Optional<GjsonPath>> before = Key
        .optional("not_before", path, "the GJSON path of the time from which it is valid").restricting();
    Key<Optional<GjsonPath>> after = Key.optional("not_after", path, "the GJSON path of the time at which it expires")
        .restricting();
    Key<String> layout = Key.withDefault("time_format", Decoders.text(), "",
        "the format of times, as a layout of Go; by default Unix seconds");
    Key<Duration> leeway = Key.withDefault("validity_leeway", Leeway.unbounded(), STANDARD_LEEWAY,
        "the accepted clock skew");
    return Decoders.object("a lifespan", List.of(active, issued, before, after, layout, leeway),
        p -> new SessionLifespan(
            p.get(active), p.get(issued), p.get(before), p.get(after), p.get(layout),
            p.get(leeway).isZero() ? STANDARD_LEEWAY : p.get(leeway)));
  }

  /**
   * Checks the session.
   *
   * @throws Failure if it is not valid now
   */
  void check(Value document, Instant now) throws Failure {
    if (active.flatMap(path -> path.get(document)).filter(value -> !GjsonPath.isTrue(value)).isPresent()) {
      throw invalid("not active");
    }
    Instant latest = now.plus(leeway);
    if (time(notBefore, document, "not_before").filter(latest::isBefore).isPresent()) {
      throw invalid("not yet valid");
    }
    if (notAfter(document).filter(end -> !end.isAfter(now.minus(leeway))).isPresent()) {
      throw invalid("expired");
    }
    if (time(issuedAt, document, "issued_at").filter(latest::isBefore).isPresent()) {
      throw invalid("issued in the future");
    }
  }

  /** Returns when the session ends. */
  Optional<Instant> notAfter(Value document) throws Failure {
    return time(notAfter, document, "not_after");
  }

  private static Failure invalid(String why) {
    return new Failure.Authentication("session validity error: " + why);
  }

  private Optional<Instant> time(Optional<GjsonPath> path, Value document, String field) throws Failure {
    Optional<String> text = path.flatMap(p -> p.get(document)).map(GjsonPath::text);
    if (text.isEmpty()) {
      return Optional.empty();
    }
    Optional<Instant> time = layout.isEmpty() ? seconds(text.get()) : GoTime.parse(layout, text.get());
    return Optional.of(time.orElseThrow(
        () -> new Failure.Internal("session lifespan parse error: failed parsing " + field + " field")));
  }

  private static Optional<Instant> seconds(String text) {
    try {
      return Optional.of(Instant.ofEpochSecond(Long.parseLong(text)));
    } catch (NumberFormatException | DateTimeException _) {
      return Optional.empty();
    }
  }
}
