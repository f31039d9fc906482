package portcullis.policy.authenticator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import javax.net.ssl.SSLContext;
import portcullis.config.Enforcement;
import portcullis.config.Node;
import portcullis.config.Yaml;
import portcullis.crypto.keys.KeyRings;
import portcullis.http.client.ClientLimits;
import portcullis.http.client.WireClient;
import portcullis.http.message.Authority;
import portcullis.http.message.Body;
import portcullis.http.message.Fields;
import portcullis.http.message.Request;
import portcullis.http.message.RequestPath;
import portcullis.http.message.ResponseStatusException;
import portcullis.lang.source.Problem;
import portcullis.lang.source.Problems;
import portcullis.lang.source.SourceFile;
import portcullis.observe.telemetry.Level;
import portcullis.observe.telemetry.Log;
import portcullis.observe.telemetry.LogFormat;
import portcullis.observe.telemetry.LogWriter;
import portcullis.policy.cache.Cache;
import portcullis.policy.cache.MemoryCache;
import portcullis.policy.cache.UsedOnce;
import portcullis.policy.endpoint.CallLimits;
import portcullis.policy.endpoint.ClientPool;
import portcullis.policy.endpoint.EndpointClient;
import portcullis.policy.limit.Limits;
import portcullis.policy.limit.Lockouts;
import portcullis.policy.mechanism.Failure;
import portcullis.policy.mechanism.Mechanism;
import portcullis.policy.mechanism.MechanismContext;
import portcullis.policy.mechanism.MechanismType;
import portcullis.policy.mechanism.PipelineState;
import portcullis.policy.mechanism.ProofMemory;
import portcullis.policy.mechanism.Subject;

/** What authenticators are made and tried with: real calls, a clock of its own, a log that can be read. */
final class Bench implements AutoCloseable {
  /** Answers have to come within a second. */
  private static final CallLimits LIMITS = new CallLimits(Duration.ofSeconds(1), Duration.ofSeconds(1),
      Duration.ofSeconds(2), 1 << 20);

  /** The wall clock. */
  final TestClock clock;
  /** The clock that only advances. */
  final TestClock steady;
  private final ByteArrayOutputStream log = new ByteArrayOutputStream();
  private final LogWriter writer = new LogWriter(log);
  private final WireClient client;
  private final EndpointClient caller;
  final KeyRings keys;
  /** Remembers used proofs instead of memory of each mechanism's own. */
  Optional<UsedOnce> used = Optional.empty();
  /** Counts failed attempts instead of counting anew for each context. */
  Optional<Lockouts> lockouts = Optional.empty();

  /** With one clock for both. */
  Bench() {
    this(new TestClock());
  }

  private Bench(TestClock clock) {
    this(clock, clock);
  }

  /** With a wall clock that may be set back. */
  Bench(TestClock clock, TestClock steady) {
    this.clock = clock;
    this.steady = steady;
    try {
      client = new WireClient(ClientLimits.DEFAULT, SSLContext.getDefault());
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
    Cache cache = new MemoryCache(64 << 20, 0, steady);
    keys = new KeyRings(clock);
    caller = new EndpointClient(ClientPool.of(() -> client), cache, keys, clock, LIMITS);
  }

  MechanismContext context(Enforcement enforcement) {
    Log shown = new Log(Level.DEBUG, LogFormat.TEXT, writer, clock, "");
    MechanismContext plain = new MechanismContext(caller, new KeyRings(clock), enforcement, clock, steady, shown);
    MechanismContext usual = lockouts
        .map(other -> plain.with(Limits.of(steady, Optional.empty(), other))).orElse(plain);
    return used.map(other -> new MechanismContext(caller, usual.keys(), usual.apiKeys(), usual.trust(), usual.logins(),
        ProofMemory.of(other), usual.limits(), enforcement, clock, steady, shown, false)).orElse(usual);
  }

  /** All that was logged; nothing is any more. */
  String logged() {
    writer.close();
    return log.toString(StandardCharsets.UTF_8);
  }

  /** A definition, with the settings that rules go on from. */
  record Made<C>(MechanismType<C, Mechanism.Authenticator> type, C config, Mechanism.Authenticator mechanism,
      Bench bench) {
    /** As a step with settings of its own uses it. */
    Made<C> refined(String yaml) {
      Problems problems = new Problems();
      C other = node(yaml, problems).flatMap(n -> type.refine().orElseThrow().apply(config).decode(n, problems))
          .orElseThrow(() -> new AssertionError(reported(problems)));
      return bench.made(type, other, Enforcement.NONE, problems)
          .orElseThrow(() -> new AssertionError(reported(problems)));
    }

    /** What is wrong with these settings of a step; empty where nothing is. */
    String refusal(String yaml) {
      Problems problems = new Problems();
      node(yaml, problems).flatMap(n -> type.refine().orElseThrow().apply(config).decode(n, problems));
      return reported(problems);
    }

    Subject accepts(Request request) {
      try {
        return mechanism.authenticate(PipelineState.of(request));
      } catch (Failure e) {
        throw new AssertionError(e.report(), e);
      }
    }

    Failure refuses(Request request) {
      return assertThrows(Failure.class, () -> mechanism.authenticate(PipelineState.of(request)));
    }

    /** Who is let in, or the failure's report. */
    String outcome(Request request) {
      try {
        return mechanism.authenticate(PipelineState.of(request)).id();
      } catch (Failure e) {
        return e.report();
      }
    }
  }

  <C> Made<C> make(MechanismType<C, Mechanism.Authenticator> type, String yaml) {
    Problems problems = new Problems();
    return defined(type, yaml, Enforcement.NONE, problems).orElseThrow(() -> new AssertionError(reported(problems)));
  }

  /** What is said of these settings; empty where nothing is to be said. */
  <C> String problems(MechanismType<C, Mechanism.Authenticator> type, String yaml, Enforcement enforcement) {
    Problems problems = new Problems();
    boolean made = defined(type, yaml, enforcement, problems).isPresent();
    assertEquals(made, !problems.hasErrors());
    return reported(problems);
  }

  private <C> Optional<Made<C>> defined(
      MechanismType<C, Mechanism.Authenticator> type, String yaml, Enforcement enforcement, Problems problems) {
    return node(yaml, problems).flatMap(n -> type.config().decode(n, problems))
        .flatMap(c -> made(type, c, enforcement, problems));
  }

  private <C> Optional<Made<C>> made(
      MechanismType<C, Mechanism.Authenticator> type, C config, Enforcement enforcement, Problems problems) {
    return type.maker().make(config, context(enforcement), problems).map(m -> new Made<>(type, config, m, this));
  }

  private static Optional<Node> node(String yaml, Problems problems) {
    return Yaml.read(new SourceFile("f", yaml), problems);
  }

  private static String reported(Problems problems) {
    return problems.sorted().stream().map(Problem::text).collect(Collectors.joining("; "));
  }

  /** A request with these header fields, names and values in turn. */
  static Request with(String... fields) {
    return request("/?", "", fields);
  }

  static Request bearer(String token) {
    return with("Authorization", "Bearer " + token);
  }

  /** @param target a path, a question mark and a query */
  static Request request(String target, String body, String... fields) {
    try {
      int mark = target.indexOf('?');
      Fields all = Fields.of(fields);
      return new Request("POST", "http", Authority.parse("gate.test").orElseThrow(),
          RequestPath.read(target.substring(0, mark)),
          target.substring(mark + 1), all, List.of("127.0.0.1"),
          Body.of(body.getBytes(StandardCharsets.UTF_8), all.first("Content-Type").orElse("")));
    } catch (ResponseStatusException e) {
      throw new IllegalArgumentException(e);
    }
  }

  @Override
  public void close() {
    client.close();
    writer.close();
  }
}
