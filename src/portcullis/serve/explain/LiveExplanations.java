package portcullis.serve.explain;

import java.net.InetAddress;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import portcullis.crypto.keys.SymmetricKey;
import portcullis.http.message.Request;
import portcullis.lang.value.JsonText;
import portcullis.lang.value.Value;
import portcullis.observe.telemetry.Log;
import portcullis.observe.telemetry.RequestId;
import portcullis.observe.tracing.Trace;
import portcullis.policy.pipeline.StepReport;
import portcullis.policy.route.Match;
import portcullis.policy.rule.Rule;
import portcullis.serve.debug.DebugToken;
import portcullis.serve.debug.ExplanationStore;
import portcullis.serve.service.DryRun;
import portcullis.serve.service.RequestExplainer;

/** Explains requests of a running service as {@code portcullis explain} does, and keeps that. Thread safe. */
public final class LiveExplanations implements RequestExplainer {
  private final SymmetricKey key;
  private final ExplanationStore store;
  private final InstantSource clock;
  private final Log log;

  /** @param key which signs debug tokens */
  public LiveExplanations(SymmetricKey key, ExplanationStore store, InstantSource clock, Log log) {
    this.key = key;
    this.store = store;
    this.clock = clock;
    this.log = log;
  }

  @Override
  public Optional<DebugToken> token(String text) {
    return DebugToken.read(text, key, clock.instant());
  }

  @Override
  public Optional<String> explained(DryRun.Outcome outcome, Optional<Match<Rule>> match, List<StepReport> steps) {
    Request request = outcome.request().orElseThrow();
    DryRun.Draft draft = new DryRun.Draft(request.method(), request.url().text(), request.fields(),
        InetAddress.getLoopbackAddress(), new byte[0]);
    Explanation explanation = new Explanation(draft, outcome, match, List.of(), steps, LiveExplanations::place,
        SecretMask.of(draft));
    Map<String, Value> document = new LinkedHashMap<>(explanation.document().members());
    document.put("time", Value.of(clock.instant().toString()));
    document.put("client", Value.Array.ofStrings(request.clients()));
    RequestId.text().ifPresent(id -> document.put("request_id", Value.of(id)));
    Trace.current().ifPresent(trace -> document.put("trace_id", Value.of(trace.server().traceId())));
    Optional<String> id = store.add(JsonText.plain(new Value.Dict(document)), explanation.text());
    id.ifPresent(name -> log.info("Request explained", "_explanation", name));
    return id;
  }

  /** Returns the file and line of a rule, or else its source. */
  public static String place(Rule rule) {
    return rule.origin().at().isEmpty() ? rule.source() : rule.origin().at();
  }
}
