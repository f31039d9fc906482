package portcullis.policy.endpoint;

import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import javax.net.ssl.SSLContext;
import portcullis.config.Node;
import portcullis.config.Yaml;
import portcullis.crypto.keys.KeyRings;
import portcullis.http.client.ClientLimits;
import portcullis.http.client.WireClient;
import portcullis.lang.source.Problem;
import portcullis.lang.source.Problems;
import portcullis.lang.source.SourceFile;
import portcullis.lang.value.Value;
import portcullis.policy.cache.Cache;
import portcullis.policy.cache.MemoryCache;

/** Endpoints of YAML texts and somebody to call them, by a clock that stands until it is moved. */
final class Setup implements AutoCloseable {
  private static final Duration LONG = Duration.ofMinutes(1);
  /** No test that is about something else fails by a machine that is busy. */
  static final CallLimits PATIENT = new CallLimits(LONG, LONG, LONG, 100_000);
  static final Instant BEGIN = Instant.parse("2026-03-01T12:00:00Z");

  private final AtomicReference<Instant> now = new AtomicReference<>(BEGIN);
  private final WireClient client = new WireClient(ClientLimits.DEFAULT, tls());
  final InstantSource clock = now::get;
  final Cache cache = new MemoryCache(64 << 20, 0, clock);
  final ClientPool clients = new ClientPool(() -> client, UnaryOperator.identity(), clock);
  final KeyRings keys = new KeyRings(clock);
  final EndpointClient caller;

  Setup() {
    this(PATIENT);
  }

  Setup(CallLimits limits) {
    caller = caller(limits);
  }

  /** With limits of which one is short. */
  static CallLimits limits(Optional<Duration> head, Optional<Duration> pause, Optional<Duration> whole) {
    return new CallLimits(head.orElse(LONG), pause.orElse(LONG), whole.orElse(LONG), PATIENT.maxBytes());
  }

  private static SSLContext tls() {
    try {
      return SSLContext.getDefault();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Another one with all the same, as a reload of the configuration makes it. */
  EndpointClient caller() {
    return caller(PATIENT);
  }

  private EndpointClient caller(CallLimits limits) {
    return new EndpointClient(clients, cache, keys, clock, limits);
  }

  void later(Duration time) {
    now.updateAndGet(n -> n.plus(time));
  }

  /** Of a YAML text, which has to be good. */
  static Endpoint endpoint(String yaml) {
    Problems problems = new Problems();
    return read(yaml, problems).orElseThrow(() -> new AssertionError(reported(problems)));
  }

  static Optional<Endpoint> read(String yaml, Problems problems) {
    return node(yaml, problems).flatMap(node -> EndpointDecoder.decoder().decode(node, problems));
  }

  static Optional<Node> node(String yaml, Problems problems) {
    return Yaml.read(SourceFile.argument("f", yaml), problems);
  }

  /** What is wrong with that YAML text. */
  static String problems(String yaml) {
    Problems problems = new Problems();
    read(yaml, problems);
    return reported(problems);
  }

  static String reported(Problems problems) {
    return problems.sorted().stream().map(Problem::text).collect(Collectors.joining("; "));
  }

  EndpointResponse say(Endpoint endpoint) throws CallFailure {
    return endpoint.send(endpoint.request(Value.Dict.EMPTY), caller);
  }

  EndpointResponse say(String yaml) throws CallFailure {
    return say(endpoint(yaml));
  }

  @Override
  public void close() {
    clients.close();
    client.close();
  }
}
