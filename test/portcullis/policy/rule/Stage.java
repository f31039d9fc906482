package portcullis.policy.rule;

import java.io.ByteArrayOutputStream;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import portcullis.config.Enforcement;
import portcullis.crypto.keys.KeyRings;
import portcullis.fixture.StubService;
import portcullis.http.client.ClientLimits;
import portcullis.http.client.WireClient;
import portcullis.http.message.Request;
import portcullis.lang.source.Problems;
import portcullis.observe.telemetry.Level;
import portcullis.observe.telemetry.Log;
import portcullis.observe.telemetry.LogFormat;
import portcullis.observe.telemetry.LogWriter;
import portcullis.policy.cache.MemoryCache;
import portcullis.policy.catalogue.Catalogue;
import portcullis.policy.endpoint.CallLimits;
import portcullis.policy.endpoint.ClientPool;
import portcullis.policy.endpoint.EndpointClient;
import portcullis.policy.limit.Limits;
import portcullis.policy.mechanism.MechanismContext;
import portcullis.policy.pipeline.AccessGuard;
import portcullis.policy.pipeline.Observer;
import portcullis.policy.pipeline.PipelineResult;

/**
 * Steps on requests with a scripted remote party, whose URL is written {@code URL/}; answers are kept over all of them.
 */
public final class Stage implements AutoCloseable {
  private final AtomicReference<Instant> now = new AtomicReference<>(Instant.parse("2026-06-01T12:00:00Z"));
  private final WireClient client = new WireClient(ClientLimits.DEFAULT);
  private final StubService stub;
  private MechanismContext context;

  public Stage(Function<StubService.ReceivedRequest, String> answer) {
    InstantSource clock = now::get;
    Log log = new Log(Level.DISABLED, LogFormat.TEXT, new LogWriter(new ByteArrayOutputStream()), clock, "");
    stub = new StubService(answer);
    KeyRings keys = new KeyRings(clock);
    EndpointClient caller = new EndpointClient(ClientPool.of(() -> client), new MemoryCache(1 << 20, 0, clock), keys,
        clock,
        CallLimits.DEFAULT);
    context = new MechanismContext(caller, keys, Enforcement.NONE, clock, clock, log);
  }

  /** Forgets keys as a start of the program does; what is kept in the cache stays. */
  public void restart() {
    KeyRings keys = new KeyRings(now::get);
    EndpointClient caller = new EndpointClient(ClientPool.of(() -> client), context.caller().cache(), keys, now::get,
        CallLimits.DEFAULT);
    context = new MechanismContext(caller, keys, Enforcement.NONE, now::get, now::get, context.log());
  }

  /** Uses these limits from now on. */
  public void use(Limits limits) {
    context = context.with(limits);
  }

  public void later(Duration time) {
    now.updateAndGet(n -> n.plus(time));
  }

  /** What it was asked so far. */
  public List<StubService.ReceivedRequest> receivedCalls() {
    return stub.receivedCalls();
  }

  /** What becomes of that request in a rule of these steps; all of the settings has to be good. */
  public PipelineResult result(String mechanisms, String steps, Request request) {
    Problems problems = new Problems();
    PipelineResult result = Rules.pipeline(catalogue(mechanisms, problems), "execute: [" + steps + "]", problems)
        .run(request, AccessGuard.OPEN, Observer.NONE);
    if (problems.hasErrors()) {
      throw new AssertionError(Catalogues.reported(problems));
    }
    return result;
  }

  /** The same in words. */
  public String run(String mechanisms, String steps, Request request) {
    return Rules.outcome(result(mechanisms, steps, request));
  }

  /** What is wrong with these steps or their mechanisms. */
  public String wrong(String mechanisms, String steps) {
    Problems problems = new Problems();
    Catalogue catalogue = catalogue(mechanisms, problems);
    try {
      Rules.pipeline(catalogue, "execute: [" + steps + "]", problems);
    } catch (AssertionError _) {
      // the problems say why
    }
    return Catalogues.reported(problems);
  }

  private Catalogue catalogue(String mechanisms, Problems problems) {
    return Catalogue.read(
        Optional.of(Catalogues.node(mechanisms.replace("URL/", stub.url("/")), problems).orElseThrow()), context,
        problems);
  }

  @Override
  public void close() {
    client.close();
    stub.close();
  }
}
