package portcullis.serve.runtime;

import java.io.OutputStream;
import java.net.http.HttpClient;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import portcullis.config.Enforcement;
import portcullis.config.Node;
import portcullis.config.PartialDecoding;
import portcullis.crypto.keys.KeyRings;
import portcullis.lang.source.Problem;
import portcullis.lang.source.Problems;
import portcullis.observe.telemetry.Level;
import portcullis.observe.telemetry.Log;
import portcullis.observe.telemetry.LogFormat;
import portcullis.observe.telemetry.LogWriter;
import portcullis.policy.cache.MemoryCache;
import portcullis.policy.catalogue.Catalogue;
import portcullis.policy.decision.ProtectedHeaders;
import portcullis.policy.decision.Snapshot;
import portcullis.policy.endpoint.EndpointClient;
import portcullis.policy.limit.Limits;
import portcullis.policy.limit.RateStore;
import portcullis.policy.mechanism.MechanismContext;
import portcullis.policy.pipeline.Pipeline;
import portcullis.policy.pipeline.RuleSetVersion;
import portcullis.policy.route.EncodedSlashes;
import portcullis.policy.route.RouteIndex;
import portcullis.policy.rule.AccessSteps;
import portcullis.policy.rule.ConfigurationDigests;
import portcullis.policy.rule.ReadingPolicy;
import portcullis.policy.rule.Rule;
import portcullis.policy.rule.RuleOrigin;
import portcullis.policy.rule.RuleReader;
import portcullis.serve.bundle.SignatureRequirement;
import portcullis.serve.provider.FileSystem;
import portcullis.serve.provider.Providers;
import portcullis.serve.service.ConsoleSettings;
import portcullis.serve.service.ListenerSettings;
import portcullis.serve.service.LoadHistory;

/**
 * The catalogue and the default rule of a configuration, from which rules are built. Immutable.
 *
 * @param digest of the configuration's text
 * @param parts which rules of a source are read
 * @param console the steps that decide who may use the console; empty if there is none
 */
record ConfigurationPlan(Catalogue catalogue, Optional<Pipeline> defaultPipeline, RuleReader reader,
    ReadingPolicy readings, RuleOrigin defaultOrigin, Providers providers,
    String digest, Function<String, RuleReader.Part> parts, Optional<Pipeline> console) {
  /** How often is decided again whether the reader of a live page may use the console. */
  private static final Duration OPERATORS_CHECKED = Duration.ofSeconds(15);

  /** @param proxy whether every rule needs an upstream */
  static ConfigurationPlan of(Settings settings, MechanismContext services, boolean proxy, Problems problems) {
    MechanismContext context = services.withStrictTemplates(settings.strictTemplates());
    KeyPurposes.check(settings.written(), problems);
    context.log().info("Loading mechanism catalogue");
    Catalogue catalogue = Catalogue.read(settings.mechanisms(), context, problems);
    context.log().info(settings.defaultRule().isPresent() ? "Loading default rule" : "No default rule configured");
    Optional<Pipeline> defaultPipeline = settings.defaultRule()
        .flatMap(node -> RuleReader.readDefaultRule(node, catalogue, problems));
    return of(settings, catalogue, settings.defaultRule(), defaultPipeline, proxy,
        console(settings.management(), catalogue, problems));
  }

  private static ConfigurationPlan of(Settings settings, Catalogue catalogue, Optional<Node> defaultRule,
      Optional<Pipeline> defaultPipeline, boolean proxy, Optional<Pipeline> console) {
    Optional<Pipeline> base = defaultRule.map(_ -> defaultPipeline
        .orElse(new Pipeline(List.of(), List.of(), List.of(), List.of(), catalogue.context().log())));
    RuleReader reader = new RuleReader(catalogue, base, proxy,
        settings.providers().files().filter(Providers.Files::substitutesVariables).map(_ -> settings.variables()));
    ReadingPolicy readings = settings.main().readings();
    ConfigurationDigests digests = ConfigurationDigests.of(settings.digest(), settings.written());
    RuleOrigin origin = defaultRule.filter(_ -> settings.origins())
        .map(node -> RuleOrigin.of(node, RuleSetVersion.ALPHA4, "", digests)).orElse(RuleOrigin.UNKNOWN);
    RuleReader read = reader.withReadings(readings);
    return new ConfigurationPlan(catalogue, defaultPipeline, read.withOrigins(digests, settings.origins()),
        readings, origin, settings.providers(), settings.digest(), _ -> RuleReader.Part.LIVE,
        console);
  }

  /**
   * Adds the problems of mechanisms, key files, rule sources and rules of a configuration that has errors already, so
   * that all are reported at once.
   *
   * @param completed adds to settings what is not in their file
   * @param rules which rules are checked too
   */
  static void check(Node root, Enforcement enforcement, UnaryOperator<Settings> completed, Optional<RuleCheck> rules,
      Problems problems) {
    if (!(root instanceof Node.Mapping settings)) {
      return;
    }
    InstantSource clock = InstantSource.system();
    try (LogWriter nowhere = new LogWriter(OutputStream.nullOutputStream())) {
      Log log = new Log(Level.DISABLED, LogFormat.TEXT, nowhere, clock, "");
      MechanismContext context = new MechanismContext(new EndpointClient(ConfigurationPlan::noClient,
          new MemoryCache(0, 0, clock)), new KeyRings(clock), enforcement,
          clock, clock, log)
          .with(Limits.of(clock, CacheSettings.mayBeInRedis(settings) ? Optional.of(RateStore.UNLIMITED)
              : Optional.empty()));
      Catalogue catalogue = Catalogue.read(settings.get("mechanisms"), context, problems);
      Optional<Node> rule = settings.get("default_rule");
      Optional<Pipeline> base = rule.flatMap(node -> RuleReader.readDefaultRule(node, catalogue, problems));
      Problems later = new Problems();
      PartialDecoding.decoded(root, problems, Settings.decoder(Enforcement.NONE)).map(completed).ifPresent(rest -> {
        Tls.of(rest, clock, later);
        Settings used = rules.map(one -> one.of(rest)).orElse(rest);
        Sources sources = Sources.of(used.providers(), context, later);
        rules.ifPresent(one -> new Reloader(of(used, catalogue, rule, base, one.proxy(), Optional.empty()),
            new LoadHistory(clock), log).begin(sources.load(later), later));
        sources.close();
      });
      later.sorted().stream().filter(Problem::isError).forEach(problems::add);
    }
  }

  private static HttpClient noClient() {
    throw new IllegalStateException("checking a configuration makes no calls");
  }

  /** Returns the default rule, if there is one. */
  Optional<Rule> defaultRule() {
    return defaultPipeline.map(pipeline -> Rule.defaultRule(pipeline, readings, defaultOrigin));
  }

  private static Optional<Pipeline> console(ListenerSettings management, Catalogue catalogue, Problems problems) {
    ConsoleSettings console = management.get(ListenerSettings.CONSOLE);
    return console.execute().filter(_ -> console.enabled())
        .flatMap(steps -> AccessSteps.read(steps, console.isOpen(management), catalogue, problems));
  }

  /** Returns what requests for the console are decided by: without steps none passes. */
  Snapshot console(long version) {
    return new Snapshot(version, catalogue, RouteIndex.empty(),
        console.map(steps -> new Rule("console", "management", steps, Optional.empty(), EncodedSlashes.OFF, readings,
            List.of(), RuleOrigin.UNKNOWN, Optional.of(OPERATORS_CHECKED))),
        ProtectedHeaders.of(console.stream().toList(), catalogue));
  }

  /** Returns what a bundle of a source must have; empty where rules are not signed. */
  Optional<SignatureRequirement> signature(String source) {
    return source.startsWith(FileSystem.KIND) ? providers.files().flatMap(Providers.Files::signature)
        : providers.remote().flatMap(Providers.Remote::signature);
  }

  /** Returns the reader for rule sets of a source; variables are substituted only in files. */
  RuleReader reader(String source) {
    RuleReader one = reader.of(parts.apply(source));
    return source.startsWith(FileSystem.KIND) ? one : one.withoutVariables();
  }

  /** Returns whether nothing says what variables in files of rules are. */
  boolean leavesVariables(String source) {
    return source.startsWith(FileSystem.KIND)
        && providers.files().filter(files -> files.environment().isEmpty()).isPresent();
  }

  /** Returns a copy that reads other rules of a source. */
  ConfigurationPlan reading(Function<String, RuleReader.Part> parts) {
    return new ConfigurationPlan(catalogue, defaultPipeline, reader, readings, defaultOrigin, providers, digest,
        parts, console);
  }
}
