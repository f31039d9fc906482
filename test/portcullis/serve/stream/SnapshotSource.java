package portcullis.serve.stream;

import java.io.OutputStream;
import java.net.http.HttpClient;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import portcullis.config.Enforcement;
import portcullis.crypto.keys.KeyRings;
import portcullis.lang.source.Problems;
import portcullis.lang.source.SourceFile;
import portcullis.observe.telemetry.Level;
import portcullis.observe.telemetry.Log;
import portcullis.observe.telemetry.LogFormat;
import portcullis.observe.telemetry.LogWriter;
import portcullis.policy.cache.Cache;
import portcullis.policy.catalogue.Catalogue;
import portcullis.policy.decision.ProtectedHeaders;
import portcullis.policy.decision.Snapshot;
import portcullis.policy.endpoint.EndpointClient;
import portcullis.policy.mechanism.MechanismContext;
import portcullis.policy.route.RouteIndex;
import portcullis.policy.rule.Catalogues;
import portcullis.policy.rule.Rule;
import portcullis.policy.rule.RuleReader;

/** Snapshots with one rule, whose steps change. */
final class SnapshotSource implements Supplier<Snapshot> {
  private static final String MECHANISMS = """
      authenticators: [{id: anon, type: anonymous}, {id: other, type: anonymous, config: {subject: other}},
        {id: none, type: unauthorized}]
      authorizers: [{id: no, type: deny},
        {id: body, type: cel, config: {expressions: [{expression: 'Request.Body() == "yes"'}]}},
        {id: few, type: rate_limit, config: {key: all, rate: 1/1h}},
        {id: far, type: remote, config: {endpoint: {url: "%s"}, payload: x}}]
      """;

  private final Log log = new Log(Level.DISABLED, LogFormat.TEXT, new LogWriter(OutputStream.nullOutputStream()),
      InstantSource.system(), "");
  /** How often the remote service was asked, which fails once the gate is open. */
  final AtomicInteger calls = new AtomicInteger();
  volatile CountDownLatch gate = new CountDownLatch(0);
  /** Where the remote service is, which does not answer unless there is a client. */
  volatile String far = "http://far.test/";
  volatile Optional<HttpClient> client = Optional.empty();
  private volatile Snapshot current = snapshot(0, "[{authenticator: none}]");

  Log log() {
    return log;
  }

  /** Reloads the rule with these steps. */
  void use(String steps) {
    current = snapshot(current.version() + 1, steps);
  }

  /** Changes the rule without a new version, as where a remote service changes its mind. */
  void useSilently(String steps) {
    current = snapshot(current.version(), steps);
  }

  private Snapshot snapshot(long version, String steps) {
    Problems problems = new Problems();
    MechanismContext context = new MechanismContext(new EndpointClient(() -> {
      calls.incrementAndGet();
      try {
        gate.await();
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
      return client.orElseThrow(() -> new IllegalStateException("no calls"));
    }, Cache.none()), new KeyRings(InstantSource.system()), Enforcement.NONE, InstantSource.system(),
        InstantSource.system(), log);
    Catalogue catalogue = Catalogue.read(Catalogues.node(MECHANISMS.formatted(far), problems), context, problems);
    String text = "version: 1alpha4\nrules:\n- {id: r, match: {routes: [{path: /a}]}, execute: " + steps + "}\n";
    RouteIndex<Rule> index = new RuleReader(catalogue, Optional.empty(), false, Optional.empty())
        .read("test", new SourceFile("f", text), problems).set()
        .flatMap(set -> RouteIndex.<Rule>empty().with(List.of(set), problems))
        .orElseThrow(() -> new AssertionError(Catalogues.reported(problems)));
    return new Snapshot(version, catalogue, index, Optional.empty(), ProtectedHeaders.NONE);
  }

  @Override
  public Snapshot get() {
    return current;
  }
}
