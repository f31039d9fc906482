package portcullis.authenticator;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import portcullis.config.Decoder;
import portcullis.config.Decoders;
import portcullis.config.Key;
import portcullis.gjson.GjsonPath;
import portcullis.mechanism.Failure;
import portcullis.template.GoTime;
import portcullis.value.Value;

/**
 * Where the answer of an identity endpoint tells whether a session counts; what it does not tell is not checked.
 *
 * @param layout of times as Go writes it; empty for Unix seconds
 */
record SessionLifespan(Optional<String> active, Optional<String> issuedAt, Optional<String> notBefore,
    Optional<String> notAfter, String layout, Duration leeway) {
  private static final Duration STANDARD_LEEWAY = Duration.ofSeconds(10);

  static Decoder<SessionLifespan> decoder() {
    Key<Optional<String>> active = Key.optional("active", Decoders.nonEmpty(), "path that tells whether it counts at all");
    Key<Optional<String>> issued = Key.optional("issued_at", Decoders.nonEmpty(), "path of when it began");
    Key<Optional<String>> before = Key.optional("not_before", Decoders.nonEmpty(), "path of when it begins to count");
    Key<Optional<String>> after = Key.optional("not_after", Decoders.nonEmpty(), "path of when it ends");
    Key<String> layout = Key.standard("time_format", Decoders.text(), "", "how times are written, as Go has it; empty for Unix seconds");
    Key<Duration> leeway = Key.standard("validity_leeway", Decoders.duration(), Duration.ZERO, "by how much clocks may differ");
    return Decoders.object("a lifespan", List.of(active, issued, before, after, layout, leeway), p -> new SessionLifespan(
        p.get(active), p.get(issued), p.get(before), p.get(after), p.get(layout),
        p.get(leeway).isZero() ? STANDARD_LEEWAY : p.get(leeway)));
  }

  /** Fails where the session does not count now. */
  void check(Value document, Instant now) throws Failure {
    if (active.isPresent() && at(active.get(), document).filter(v -> !isTrue(v)).isPresent()) {
      throw invalid("not active");
    }
    Optional<Instant> begun = time(issuedAt, document, "issued_at");
    Optional<Instant> from = time(notBefore, document, "not_before");
    Optional<Instant> until = notAfter(document);
    if (from.filter(t -> now.plus(leeway).isBefore(t)).isPresent()) {
      throw invalid("not yet valid");
    }
    if (until.filter(t -> !now.minus(leeway).isBefore(t)).isPresent()) {
      throw invalid("expired");
    }
    if (begun.filter(t -> now.plus(leeway).isBefore(t)).isPresent()) {
      throw invalid("issued in the future");
    }
  }

  /** When the session ends. */
  Optional<Instant> notAfter(Value document) throws Failure {
    return time(notAfter, document, "not_after");
  }

  private static Failure invalid(String why) {
    return new Failure.Authentication("session validity error: " + why);
  }

  private static boolean isTrue(Value value) {
    return value instanceof Value.Bool b && b.value() || value instanceof Value.Int i && i.value() != 0
        || value instanceof Value.Text t && (t.value().equalsIgnoreCase("true") || t.value().equals("1") || t.value().equalsIgnoreCase("t"));
  }

  private static Optional<Value> at(String path, Value document) {
    return GjsonPath.parse(path).get(document);
  }

  private Optional<Instant> time(Optional<String> path, Value document, String field) throws Failure {
    Optional<Value> value = path.flatMap(p -> at(p, document)).filter(v -> !(v instanceof Value.Null));
    if (value.isEmpty()) {
      return Optional.empty();
    }
    Optional<Instant> time = layout.isEmpty() ? seconds(value.get()) : GoTime.parse(layout, GjsonPath.text(value.get()));
    return Optional.of(time.orElseThrow(() -> new Failure.Internal("failed parsing " + field + " field")));
  }

  private static Optional<Instant> seconds(Value value) {
    try {
      return Optional.of(Instant.ofEpochSecond(Long.parseLong(GjsonPath.text(value))));
    } catch (NumberFormatException | java.time.DateTimeException _) {
      return Optional.empty();
    }
  }
}
