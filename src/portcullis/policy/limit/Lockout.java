package portcullis.policy.limit;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import portcullis.config.Decoder;
import portcullis.config.Decoders;
import portcullis.config.Key;

/**
 * When a credential is locked out for a network.
 *
 * @param attempts how many may fail
 * @param within the time in which they fail
 * @param time of the first lockout; each further one takes twice as long
 * @param most how long a lockout takes at most
 */
public record Lockout(int attempts, Duration within, Duration time, Duration most) {
  private static final Duration LONGEST = Duration.ofDays(31);
  private static final Key<Integer> ATTEMPTS = Key.withDefault("attempts", Decoders.number(1, 1000), 5,
      "failed attempts with a credential from a network before it is locked out");
  private static final Key<Duration> WITHIN = Key.withDefault("within", period(), Duration.ofMinutes(15),
      "the period in which they count");
  private static final Key<Duration> TIME = Key.withDefault("for", period(), Duration.ofMinutes(1),
      "the first lockout of the credential from this network; each further one is twice as long");
  private static final Key<Duration> MOST = Key.withDefault("at_most", period(), Duration.ofHours(1),
      "the longest lockout");

  /** Returns the key {@code lockout} of an authenticator. */
  public static Key<Optional<Lockout>> key() {
    return Key.optional("lockout", decoder(), "locks out credentials that fail too often, each for its network alone")
        .restricting();
  }

  private static Decoder<Lockout> decoder() {
    return Decoders.checked("a lockout", List.of(ATTEMPTS, WITHIN, TIME, MOST), (p, problems) -> {
      Lockout out = new Lockout(p.get(ATTEMPTS), p.get(WITHIN), p.get(TIME), p.get(MOST));
      if (out.most.compareTo(out.time) < 0) {
        Key<Duration> written = p.has(MOST) ? MOST : TIME;
        problems.error(p.at(written), p.path(written), "`at_most` is shorter than `for`",
            "`for` is 1m by default, `at_most` 1h");
        return Optional.empty();
      }
      return Optional.of(out);
    });
  }

  private static Decoder<Duration> period() {
    return Decoders.duration().then((time, node, problems) -> {
      if (!time.isPositive() || time.compareTo(LONGEST) > 0) {
        problems.error(node.at(), node.path(), time.isPositive() ? "is too long" : "must be more than 0s",
            "at most 744h, as `15m`");
        return Optional.empty();
      }
      return Optional.of(time);
    });
  }

  /** Returns how long a lockout takes. @param before how many there were before it */
  Duration time(int before) {
    Duration longer = time.multipliedBy(1L << Math.min(before, 20));
    return longer.compareTo(most) < 0 ? longer : most;
  }
}
