package portcullis.serve.service;

import java.io.ByteArrayOutputStream;
import java.net.http.HttpClient;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
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
import portcullis.policy.decision.Decider;
import portcullis.policy.decision.ProtectedHeaders;
import portcullis.policy.decision.Snapshot;
import portcullis.policy.endpoint.EndpointClient;
import portcullis.policy.mechanism.MechanismContext;
import portcullis.policy.pipeline.Pipeline;
import portcullis.policy.route.RouteIndex;
import portcullis.policy.route.RouteSet;
import portcullis.policy.rule.Catalogues;
import portcullis.policy.rule.ReadingPolicy;
import portcullis.policy.rule.Rule;
import portcullis.policy.rule.RuleOrigin;
import portcullis.policy.rule.RuleReader;

/** What requests are setup by in a test: a catalogue and rules of YAML texts, and the log that tells of it. */
final class DeciderSetup {
  private final ByteArrayOutputStream written = new ByteArrayOutputStream();
  private final LogWriter writer = new LogWriter(written);
  private final Log log;
  private final Snapshot snapshot;

  DeciderSetup(HttpClient client, String mechanisms, String rules) {
    this(client, mechanisms, rules, Level.ERROR);
  }

  /** One that logs in the text format. */
  DeciderSetup(HttpClient client, String mechanisms, String rules, Level level) {
    log = new Log(level, level == Level.ERROR ? LogFormat.GELF : LogFormat.TEXT, writer, InstantSource.system(),
        "test");
    Problems problems = new Problems();
    MechanismContext context = new MechanismContext(new EndpointClient(() -> client, Cache.none()),
        new KeyRings(InstantSource.system()),
        Enforcement.NONE,
        InstantSource.system(), InstantSource.system(), log);
    Catalogue catalogue = Catalogue.read(Catalogues.node(mechanisms, problems), context, problems);
    Optional<RouteSet<Rule>> set = new RuleReader(catalogue, Optional.empty(), false, Optional.empty())
        .read("test", new SourceFile("f", "version: 1alpha4\nrules:\n" + rules), problems).set();
    RouteIndex<Rule> index = set.flatMap(s -> RouteIndex.<Rule>empty().with(List.of(s), problems))
        .orElseThrow(() -> new AssertionError(Catalogues.reported(problems)));
    ProtectedHeaders protectedHeaders = ProtectedHeaders
        .of(set.get().entries().stream().map(e -> e.value().pipeline()).toList(), catalogue);
    snapshot = new Snapshot(1, catalogue, index, Optional.empty(), protectedHeaders);
  }

  Decider decider() {
    return new Decider(() -> snapshot, log);
  }

  /** One with a default rule that runs this pipeline. */
  Decider deciderWithDefaultRule(String pipeline) {
    Problems problems = new Problems();
    Pipeline steps = RuleReader
        .readDefaultRule(Catalogues.node(pipeline, problems).orElseThrow(), snapshot.catalogue(), problems)
        .orElseThrow(() -> new AssertionError(Catalogues.reported(problems)));
    Snapshot with = new Snapshot(1, snapshot.catalogue(), snapshot.index(),
        Optional.of(Rule.defaultRule(steps, ReadingPolicy.DEFAULT, RuleOrigin.UNKNOWN)),
        snapshot.protectedHeaders());
    return new Decider(() -> with, log);
  }

  Log log() {
    return log;
  }

  /** Ends the log; all that was told. */
  String shown() {
    writer.close();
    return written.toString(StandardCharsets.UTF_8);
  }
}
