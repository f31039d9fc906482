package portcullis.policy.endpoint;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import portcullis.http.message.Grammar;

/**
 * The freshness of a response for a private cache (RFC 9111, 3 and 4.2), without heuristics.
 *
 * @param storable whether it may be stored
 * @param age at the time it was received
 * @param lifetime the age up to which it may be used without revalidation
 */
record Freshness(boolean storable, Duration age, Duration lifetime) {
  /** Statuses of responses that are worth storing; refusals are requested again. */
  private static final Set<Integer> GOOD = Set.of(200, 203, 204);
  private static final Freshness NEVER = new Freshness(false, Duration.ZERO, Duration.ZERO);

  /**
   * Computes the freshness of a response.
   *
   * @param requested when the call was made
   * @param answered when the response was received
   * @param defaultLifetime the lifetime of a response that does not specify one; only responses to {@code GET} and
   *     {@code HEAD} are cached
   */
  static Freshness of(String method, EndpointResponse reply, Instant requested, Instant answered,
      Optional<Duration> defaultLifetime) {
    CacheControl control = CacheControl.of(reply.headers().allValues("Cache-Control"));
    boolean varies = reply.headers().allValues("Vary").stream().anyMatch(v -> Grammar.list(v).contains("*"));
    if (!GOOD.contains(reply.status()) || control.has("no-store") || varies) {
      return NEVER;
    }
    Instant date = first(reply, "Date").flatMap(d -> HttpDate.parse(d, answered)).orElse(answered);
    Optional<Duration> explicit = explicit(reply, control, date, answered);
    if (explicit.isEmpty() && !isSafe(method)) {
      return NEVER;
    }
    Duration lifetime = control.has("no-cache") ? Duration.ZERO
        : explicit.or(() -> defaultLifetime).orElse(Duration.ZERO);
    return new Freshness(true, age(reply, date, requested, answered), lifetime);
  }

  static boolean isSafe(String method) {
    return method.equals("GET") || method.equals("HEAD");
  }

  private static Optional<String> first(EndpointResponse reply, String name) {
    return reply.headers().firstValue(name);
  }

  private static Optional<Duration> explicit(EndpointResponse reply, CacheControl control, Instant date, Instant now) {
    Optional<String> expires = first(reply, "Expires");
    return control.seconds("max-age")
        .or(() -> expires.map(e -> HttpDate.parse(e, now).map(end -> Duration.between(date, end))
            .orElse(Duration.ZERO)));
  }

  /** {@code corrected_initial_age} (RFC 9111, 4.2.3). */
  private static Duration age(EndpointResponse reply, Instant date, Instant requested, Instant answered) {
    List<String> ages = reply.headers().allValues("Age").stream().flatMap(v -> Grammar.list(v).stream()).toList();
    Duration explicit = ages.stream().findFirst().map(a -> a.split(";", 2)[0]).flatMap(CacheControl::delta)
        .orElse(Duration.ZERO);
    Duration corrected = explicit.plus(Duration.between(requested, answered));
    Duration apparent = Duration.between(date, answered);
    return apparent.compareTo(corrected) > 0 ? apparent : corrected;
  }

  /** Returns how long it may still be used when it comes; negative where it came too late. */
  Duration left() {
    return lifetime.minus(age);
  }
}
