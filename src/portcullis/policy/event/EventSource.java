package portcullis.policy.event;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import portcullis.config.Decoder;
import portcullis.config.Decoders;
import portcullis.config.Key;
import portcullis.policy.authenticator.TrustedIssuer;

/**
 * An issuer that may report the end of sessions.
 *
 * @param subjectIssuers whose subjects and sessions it reports; by default its own
 * @param lockFor how long what it names is locked
 * @param maxAge the maximum age of its security events
 */
public record EventSource(TrustedIssuer issuer, List<String> subjectIssuers, Duration lockFor, Duration maxAge) {
  private static final Duration DAY = Duration.ofDays(1);

  static Decoder<EventSource> decoder() {
    TrustedIssuer.Keys issuer = new TrustedIssuer.Keys();
    Key<List<String>> subjects = Key.withDefault("subject_issuers", Decoders.list(Decoders.nonEmpty()), List.of(),
        "the issuers of the subjects and sessions that it reports; by default itself");
    Key<Duration> lockFor = Key.withDefault("lock_for", positive(), DAY,
        "how long a lock lasts; choose more than the lifetime of tokens and sessions");
    Key<Duration> maxAge = Key.withDefault("max_age", positive(), DAY,
        "the maximum age of security events, which may be delivered late; logout tokens may be 10 minutes old");
    List<Key<?>> keys = new ArrayList<>(issuer.all());
    keys.addAll(List.of(subjects, lockFor, maxAge));
    return Decoders.checked("an issuer of security events", keys, (p, problems) -> issuer.read(p, problems)
        .map(found -> new EventSource(found,
            p.get(subjects).isEmpty() ? List.of(found.name()) : p.get(subjects), p.get(lockFor), p.get(maxAge))));
  }

  private static Decoder<Duration> positive() {
    return Decoders.duration().then((time, node, problems) -> {
      if (time.isZero()) {
        problems.error(node.at(), node.path(), "a time of zero has no effect", "as `24h`");
        return Optional.empty();
      }
      return Optional.of(time);
    });
  }
}
