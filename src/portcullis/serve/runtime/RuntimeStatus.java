package portcullis.serve.runtime;

import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Supplier;
import portcullis.crypto.keys.CryptoProvider;
import portcullis.crypto.keys.KeyEntry;
import portcullis.crypto.keys.ServerTls;
import portcullis.lang.source.SourceFile;
import portcullis.observe.telemetry.OngoingProblem;
import portcullis.policy.endpoint.RemoteService;
import portcullis.policy.mechanism.MechanismContext;
import portcullis.policy.rule.RuleOrigin;
import portcullis.serve.service.ListenerSettings;
import portcullis.serve.service.StatusReport;
import portcullis.serve.service.StatusSource;

/** The current status of the running program. Thread safe. */
final class RuntimeStatus implements StatusSource {
  private final Program program;
  private final Instant started;
  private final Supplier<StatusReport.Live> live;
  private volatile String obstacle = "the main service does not listen yet";

  /** @param live returns what is in progress */
  RuntimeStatus(Program program, Instant started, Supplier<StatusReport.Live> live) {
    this.live = live;
    this.program = program;
    this.started = started;
  }

  /** Marks the program as accepting requests. */
  void listens() {
    obstacle = "";
  }

  /** Marks the program as shutting down. */
  void stops() {
    obstacle = "the service is shutting down";
  }

  @Override
  public List<String> unreadyReasons() {
    List<String> out = new ArrayList<>();
    if (program.reloader().snapshot().version() == 0) {
      out.add("the rules are not loaded");
    }
    if (program.begins()) {
      out.add("rule sets are being fetched");
    }
    if (!obstacle.isEmpty()) {
      out.add(obstacle);
    }
    return out;
  }

  @Override
  public StatusReport report() {
    MechanismContext context = program.context();
    StatusReport.Reading first = new StatusReport.Reading(started, true, List.of());
    List<StatusReport.Breaker> breakers = context.caller().breakers().states().stream()
        .map(state -> new StatusReport.Breaker(name(state.service()), state.failuresInARow(), state.openSince()))
        .toList();
    List<StatusReport.Cache> caches = context.caller().cache().load().stream()
        .map(load -> new StatusReport.Cache(load.type(), load.entries(), load.bytes())).toList();
    return new StatusReport(Version.current(), started, CryptoProvider.await(),
        program.loadHistory().configuration().orElse(first),
        program.reloader().snapshot().defaultRule().isPresent(), ruleSets(),
        program.shadow().flatMap(ShadowRules::status), keyStores(context),
        breakers,
        caches, live.get(), problems(context));
  }

  private List<StatusReport.RuleSet> ruleSets() {
    Map<String, SourceFile> texts = program.reloader().applied();
    return program.loadHistory().ruleSets().stream().map(set -> Optional.ofNullable(texts.get(set.source()))
        .map(text -> set.withDigest(RuleOrigin.digest(text.text()))).orElse(set)).toList();
  }

  /** Returns what lasts; loads that were refused come first. */
  private List<OngoingProblem> problems(MechanismContext context) {
    List<OngoingProblem> out = new ArrayList<>(program.loadHistory().problems());
    out.addAll(context.log().problems());
    return out;
  }

  /** Returns the name of a service without user information, which may contain a password. */
  private static String name(RemoteService service) {
    return new RemoteService(service.scheme(), service.host().substring(service.host().lastIndexOf('@') + 1),
        service.port())
        .toString();
  }

  private List<StatusReport.KeyStore> keyStores(MechanismContext context) {
    Map<String, List<KeyEntry>> stores = new TreeMap<>();
    context.keys().rings().forEach((file, ring) -> stores.put(file.toString(), ring.entries()));
    add(program.settings().main(), program.tls().main(), stores);
    add(program.settings().management(), program.tls().management(), stores);
    return stores.entrySet().stream().map(one -> new StatusReport.KeyStore(one.getKey(), one.getValue().stream()
        .map(key -> new StatusReport.Key(key.id(), key.algorithm().text(), key.expiry())).toList())).toList();
  }

  /** Adds the keys that a listener uses; its key store may contain others. */
  private static void add(ListenerSettings settings, Optional<ServerTls> tls, Map<String, List<KeyEntry>> stores) {
    tls.ifPresent(used -> {
      Path file = settings.tls().orElseThrow().keyStore().files().keys();
      stores.putIfAbsent(file.toString(), used.keys());
    });
  }
}
