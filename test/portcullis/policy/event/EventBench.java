package portcullis.policy.event;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import javax.net.ssl.SSLContext;
import portcullis.config.Enforcement;
import portcullis.config.Yaml;
import portcullis.crypto.keys.KeyRings;
import portcullis.http.client.ClientLimits;
import portcullis.http.client.WireClient;
import portcullis.lang.source.Problem;
import portcullis.lang.source.Problems;
import portcullis.lang.source.SourceFile;
import portcullis.lang.value.Value;
import portcullis.observe.decisions.AuditEvent;
import portcullis.observe.decisions.AuditException;
import portcullis.observe.telemetry.Level;
import portcullis.observe.telemetry.Log;
import portcullis.observe.telemetry.LogFormat;
import portcullis.observe.telemetry.LogWriter;
import portcullis.policy.cache.MemoryCache;
import portcullis.policy.cache.UsedOnce;
import portcullis.policy.endpoint.CallLimits;
import portcullis.policy.endpoint.ClientPool;
import portcullis.policy.endpoint.EndpointClient;
import portcullis.policy.lock.Lock;
import portcullis.policy.lock.LockTable;
import portcullis.policy.mechanism.Credential;
import portcullis.policy.mechanism.MechanismContext;
import portcullis.policy.mechanism.ProofMemory;
import portcullis.policy.mechanism.Subject;

/** What receives events in tests, and the locks that they make. */
final class EventBench implements AutoCloseable {
  private static final CallLimits LIMITS = new CallLimits(Duration.ofSeconds(1), Duration.ofSeconds(1),
      Duration.ofSeconds(2), 1 << 20);

  Instant now = Instant.parse("2030-01-01T00:00:00Z");
  final InstantSource clock = () -> now;
  final Transmitter transmitter = new Transmitter(clock);
  final LockTable locks = new LockTable(clock);
  final List<AuditEvent> audited = new ArrayList<>();
  boolean auditFails;
  boolean usedUnknown;
  private final ByteArrayOutputStream log = new ByteArrayOutputStream();
  private final LogWriter writer = new LogWriter(log);
  private final WireClient client;
  private final EventReceiver receiver;

  EventBench() {
    this("");
  }

  /** @param more settings of the issuer */
  EventBench(String more) {
    try {
      client = new WireClient(ClientLimits.DEFAULT, SSLContext.getDefault());
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
    Problems problems = new Problems();
    EventSettings settings = settings(yaml(transmitter.jwks(), more), problems)
        .orElseThrow(() -> new AssertionError(text(problems)));
    EndpointClient caller = new EndpointClient(ClientPool.of(() -> client), new MemoryCache(1 << 20, 0, clock),
        new KeyRings(clock), clock, LIMITS);
    receiver = new EventReceiver(settings, locks, this::audit,
        remembering(new MechanismContext(caller, new KeyRings(clock), Enforcement.NONE, clock, clock,
            new Log(Level.DEBUG, LogFormat.TEXT, writer, clock, ""))));
  }

  /** Returns a context that knows what was used before unless it is away. */
  private MechanismContext remembering(MechanismContext context) {
    UsedOnce used = (key, owner, time) -> {
      if (usedUnknown) {
        throw new UsedOnce.UnknownException("Redis is away", false);
      }
      return context.proofs().used().isFirst(key, owner, time);
    };
    return new MechanismContext(context.caller(), context.keys(), context.apiKeys(), context.trust(), context.logins(),
        ProofMemory.of(used), context.limits(), context.enforcement(), clock, clock, context.log(), false);
  }

  static String yaml(String jwks, String more) {
    return "issuers: [ { issuer: '" + Transmitter.ISSUER + "', audience: [ shop ], jwks_endpoint: { url: '" + jwks
        + "' }" + more + " } ]";
  }

  static Optional<EventSettings> settings(String yaml, Problems problems) {
    return Yaml.read(new SourceFile("f", yaml), problems)
        .flatMap(node -> EventSettings.decoder().decode(node, problems));
  }

  static String text(Problems problems) {
    return problems.sorted().stream().map(Problem::text).collect(Collectors.joining("; "));
  }

  private void audit(AuditEvent event) throws AuditException {
    if (auditFails) {
      throw new AuditException("the disk is full");
    }
    audited.add(event);
  }

  /** Returns the outcome, or the error and its message. */
  String receive(EventKind kind, String token) {
    try {
      return receiver.receive(kind, token).name();
    } catch (EventRefusal e) {
      return e.code() + ": " + e.getMessage();
    }
  }

  /** Returns what is locked. */
  List<String> locked() {
    return locks.all().stream().map(Lock::text).sorted().toList();
  }

  /** Returns a subject of an issuer that was authenticated that long ago. */
  Subject user(String issuer, String subject, String session, long secondsAgo) {
    return new Subject("any", Value.Dict.EMPTY).by(new Credential(issuer, subject, subject + "@a.example", session,
        "t1", Optional.of(now.minusSeconds(secondsAgo)), Optional.empty(), Duration.ZERO));
  }

  boolean isLocked(Subject subject) {
    return locks.ofSubject(subject).isPresent();
  }

  String logged() {
    writer.close();
    return log.toString(StandardCharsets.UTF_8);
  }

  @Override
  public void close() {
    client.close();
    transmitter.close();
    writer.close();
  }
}
