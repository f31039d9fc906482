package portcullis.serve.runtime;

import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToLongFunction;
import portcullis.crypto.passwords.PasswordChecks;
import portcullis.observe.metrics.CertificateExpiry;
import portcullis.observe.metrics.Metric;
import portcullis.observe.metrics.Registry;
import portcullis.policy.endpoint.CircuitBreakers;
import portcullis.policy.endpoint.RemoteService;
import portcullis.policy.limit.Lockouts;
import portcullis.policy.limit.TokenBuckets;

/** The metrics of the program as a whole. */
record ProgramMetrics(Program program) {
  void measure(Registry registry, InstantSource clock) {
    CertificateExpiry.measure(registry, () -> new UsedCertificates(program).leaves(), clock);
    registry.observe("portcullis.reloads", "{reload}", "Loads of configuration and rule sets by outcome",
        Metric.Kind.COUNTER, this::reloads, "reload.kind", "reload.outcome");
    registry.observe("portcullis.breaker.open", "{service}",
        "Whether calls to a service are ended before they are made",
        Metric.Kind.GAUGE,
        () -> program.context().caller().breakers().states().stream().map(ProgramMetrics::breaker).toList(),
        "url.scheme", "server.address", "server.port");
    registry.observe("portcullis.keys.stale", "{fetch}",
        "Failed fetches of keys after which the last good ones stayed in use",
        Metric.Kind.COUNTER, () -> List.of(staleKeys()));
    registry.observe("portcullis.api_key.last_use", "s", "Time of the last use of an API key, in seconds since 1970",
        Metric.Kind.GAUGE, this::keyUses, "api_key.id");
    registry.observe("portcullis.passwords", "{password}",
        "Passwords of clients that were compared with a hash, or were not as there were too many at once",
        Metric.Kind.COUNTER, this::passwords, "outcome");
    registry.observe("portcullis.lockouts", "{attempt}",
        "Credentials that were locked out for a network, and attempts that were refused because of that",
        Metric.Kind.COUNTER, this::lockouts, "outcome");
    registry.observe("portcullis.rate_limits", "{request}", "Requests by rate limit and what it decided",
        Metric.Kind.COUNTER, this::rates, "limit", "outcome");
    registry.observe("portcullis.rate_limit.buckets", "{bucket}",
        "Buckets of rate limits in the memory of this process",
        Metric.Kind.GAUGE, () -> buckets(TokenBuckets::size));
    registry.observe("portcullis.rate_limit.dropped", "{bucket}",
        "Buckets of rate limits that were dropped before they were full, as there was no place",
        Metric.Kind.COUNTER, () -> buckets(TokenBuckets::dropped));
  }

  private Metric.Sample staleKeys() {
    return Registry.sample(new Metric.Whole(program.context().caller().bridged()));
  }

  private List<Metric.Sample> passwords() {
    PasswordChecks checks = program.context().limits().passwords();
    return List.of(Registry.sample(new Metric.Whole(checks.verified()), "outcome", "compared"),
        Registry.sample(new Metric.Whole(checks.refused()), "outcome", "busy"));
  }

  private List<Metric.Sample> lockouts() {
    Lockouts lockouts = program.context().limits().lockouts();
    return List.of(Registry.sample(new Metric.Whole(lockouts.locked()), "outcome", "locked"),
        Registry.sample(new Metric.Whole(lockouts.refused()), "outcome", "refused"));
  }

  private List<Metric.Sample> rates() {
    return program.context().limits().counts().all().stream()
        .map(count -> Registry.sample(new Metric.Whole(count.count()), "limit", count.limit(), "outcome",
            count.outcome().name().toLowerCase(Locale.ROOT)))
        .toList();
  }

  private List<Metric.Sample> buckets(ToLongFunction<TokenBuckets> value) {
    return program.context().limits().memory() instanceof TokenBuckets buckets
        ? List.of(Registry.sample(new Metric.Whole(value.applyAsLong(buckets))))
        : List.of();
  }

  private List<Metric.Sample> keyUses() {
    List<Metric.Sample> out = new ArrayList<>();
    program.context().apiKeys().lastUses()
        .forEach((id, at) -> out.add(Registry.sample(new Metric.Whole(at.getEpochSecond()), "api_key.id", id)));
    return out;
  }

  private List<Metric.Sample> reloads() {
    List<Metric.Sample> out = new ArrayList<>();
    program.loadHistory().counts()
        .forEach((outcome, count) -> out.add(Registry.sample(new Metric.Whole(count), "reload.kind", outcome.what(),
            "reload.outcome", outcome.applied() ? "applied" : "rejected")));
    return out;
  }

  private static Metric.Sample breaker(CircuitBreakers.State state) {
    RemoteService service = state.service();
    return Registry.sample(new Metric.Whole(state.openSince().isPresent() ? 1 : 0), "url.scheme", service.scheme(),
        "server.address", service.host().substring(service.host().lastIndexOf('@') + 1), "server.port", service.port());
  }
}
