package portcullis.serve.runtime;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.function.UnaryOperator;
import portcullis.config.DecodedMembers;
import portcullis.config.Decoder;
import portcullis.config.Decoders;
import portcullis.config.Enforcement;
import portcullis.config.Key;
import portcullis.config.Node;
import portcullis.config.Yaml;
import portcullis.lang.source.LocatedText;
import portcullis.lang.source.Origin;
import portcullis.lang.source.Problems;
import portcullis.lang.source.SourceFile;
import portcullis.observe.decisions.DecisionLogSettings;
import portcullis.observe.telemetry.Level;
import portcullis.observe.telemetry.LogFormat;
import portcullis.policy.catalogue.Catalogue;
import portcullis.policy.rule.RuleOrigin;
import portcullis.policy.rule.RuleReader;
import portcullis.serve.bundle.SignatureRequirement;
import portcullis.serve.fleet.FleetSettings;
import portcullis.serve.provider.Providers;
import portcullis.serve.service.ListenerSettings;

/**
 * The decoded configuration; mechanisms and the default rule are decoded later. Immutable.
 *
 * @param digest of the text of its file
 * @param origins whether rules know where they are written
 * @param variables of the environment, which rule files may refer to
 */
public record Settings(Logging log, Tracing tracing, boolean metrics, Profiling profiling, CacheSettings cache,
    Optional<Node> mechanisms, Optional<Node> defaultRule, Providers providers, ListenerSettings main,
    ListenerSettings management, boolean watch, boolean secretsReload, boolean strictTemplates,
    Optional<DecisionLogSettings> decisionLog, Optional<FleetSettings> fleet, String digest, boolean origins,
    Node.Mapping written, Map<String, String> variables) {
  /** Settings of the log. */
  public record Logging(Level level, LogFormat format, boolean accessLog) {
    static final Logging DEFAULT = new Logging(Level.ERROR, LogFormat.TEXT, true);
  }

  /** Settings of tracing: whether it is enabled, and whether each span is exported at once. */
  public record Tracing(boolean enabled, boolean simple) {
    static final Tracing DEFAULT = new Tracing(true, false);
  }

  /** Settings of the profiling endpoint. */
  public record Profiling(boolean enabled, String host, int port) {
    static final Profiling DEFAULT = new Profiling(false, "127.0.0.1", 10251);
  }

  /** Reads the settings of a file with environment overrides; empty exactly if an error was added. */
  public static Optional<Settings> read(SourceFile file, EnvironmentOverrides overrides, Enforcement enforcement,
      Problems problems) {
    return read(file, overrides, enforcement, Optional.empty(), problems);
  }

  /** @param rules which rules are checked too if there are errors */
  static Optional<Settings> read(SourceFile file, EnvironmentOverrides overrides, Enforcement enforcement,
      Optional<RuleCheck> rules, Problems problems) {
    long before = problems.errors();
    Decoder<Settings> decoder = decoder(enforcement);
    Optional<Node> root = overrides.substituted(file, problems).flatMap(text -> Yaml.read(text, problems));
    if (problems.errors() == before) {
      root = overrides.overlaid(root, decoder.shape(), problems);
    }
    if (root.isEmpty() && problems.errors() == before) {
      if (!file.name().equals(ConfigurationFile.BUILT_IN)) {
        problems.warning(new Origin.InFile(file, 1, 1, 1), "",
            "the file is empty: there are no rules, and all settings "
                + "have their defaults",
            "`portcullis init` writes a configuration to start from");
      }
      root = Yaml.read(new SourceFile(file.name(), "{}"), problems);
    }
    UnaryOperator<Settings> completed = read -> read.withDigest(RuleOrigin.digest(file.text()))
        .withVariables(overrides.variables());
    Optional<Settings> settings = root.flatMap(node -> decoder.decode(node, problems)).map(completed);
    settings.ifPresent(read -> {
      PortConflicts.check(read, overrides.variables(), problems);
      SeparateFiles.check(read.written(), problems);
    });
    if (problems.errors() == before) {
      return settings;
    }
    root.ifPresent(node -> ConfigurationPlan.check(node, enforcement, completed, rules, problems));
    return Optional.empty();
  }

  /** Returns a copy with another cache. */
  public Settings withCache(CacheSettings other) {
    return copy(other, providers, decisionLog, digest, origins);
  }

  /** Returns a copy with only the rule sets of this file or folder. */
  public Settings withRules(Path path) {
    Optional<Boolean> substituted = providers.files().map(Providers.Files::environment).orElse(Optional.of(false));
    Optional<SignatureRequirement> signature = providers.files().flatMap(Providers.Files::signature)
        .or(() -> providers.remote().flatMap(Providers.Remote::signature)).filter(_ -> BundleRules.isBundle(path));
    Providers files = new Providers(Optional.of(new Providers.Files(LocatedText.of("rules", path.toString()), false,
        substituted, signature, Optional.empty())), Optional.empty());
    return copy(cache, files, decisionLog, digest, origins);
  }

  /** Returns a copy whose rules know where they are written. */
  public Settings withOrigins() {
    return copy(cache, providers, decisionLog, digest, true);
  }

  /** Returns a copy that logs no decisions. */
  public Settings withoutDecisionLog() {
    return copy(cache, providers, Optional.empty(), digest, origins);
  }

  /** Returns whether a key store is named, whose keys are read before requests are served. */
  boolean namesKeyStore() {
    return names(written, "key_store");
  }

  private static boolean names(Node node, String member) {
    return node instanceof Node.Mapping mapping && mapping.members().entrySet().stream()
        .anyMatch(entry -> entry.getKey().equals(member) || names(entry.getValue().value(), member))
        || node instanceof Node.Sequence list && list.items().stream().anyMatch(item -> names(item, member));
  }

  private Settings withDigest(String text) {
    return copy(cache, providers, decisionLog, text, origins);
  }

  private Settings withVariables(Map<String, String> environment) {
    return new Settings(log, tracing, metrics, profiling, cache, mechanisms, defaultRule, providers, main, management,
        watch, secretsReload, strictTemplates, decisionLog, fleet, digest, origins, written, environment);
  }

  private Settings copy(CacheSettings caching, Providers sources, Optional<DecisionLogSettings> decisions, String text,
      boolean located) {
    return new Settings(log, tracing, metrics, profiling, caching, mechanisms, defaultRule, sources, main, management,
        watch, secretsReload, strictTemplates, decisions, fleet, text, located, written,
        variables);
  }

  /** Returns the decoder of the configuration's top level. */
  public static Decoder<Settings> decoder(Enforcement enforcement) {
    Key<Optional<String>> version = Key.optional("version", Decoders.anyScalar(),
        "the version of the configuration format; not evaluated");
    Key<Logging> log = Key.withDefault("log", logSection(), Logging.DEFAULT, "the log");
    Key<Tracing> tracing = Key.withDefault("tracing", tracingSection(), Tracing.DEFAULT, "traces");
    Key<Boolean> metrics = Key.withDefault("metrics", metricsSection(), true, "metrics");
    Key<Profiling> profiling = Key.withDefault("profiling", profilingSection(), Profiling.DEFAULT, "profiling data");
    Key<CacheSettings> cache = Key.withDefault("cache", CacheSettings.decoder(), CacheSettings.DEFAULT,
        "where responses of remote services are cached");
    Key<Optional<Node>> mechanisms = Key.optional("mechanisms", Catalogue.section(),
        "the mechanisms that rules refer to by id");
    Key<Optional<Node>> rule = Key.optional("default_rule", RuleReader.defaultRuleSection(),
        "the rule for requests that match no other rule");
    Key<Providers> providers = Key.withDefault("providers", Providers.decoder(enforcement), Providers.NONE,
        "the sources of rule sets");
    Key<ListenerSettings> main = Key.withDefault("serve",
        ListenerSettings.main(enforcement.ingressTls(), !enforcement.trustedProxies()),
        ListenerSettings.defaults(4456), "the main service");
    Key<ListenerSettings> management = Key.withDefault("management",
        ListenerSettings.management(enforcement.ingressTls()),
        ListenerSettings.defaults(4457), "the management service");
    Key<Boolean> watch = Key.withDefault("watch", Decoders.flag(), false,
        "whether changes of the configuration file are applied");
    Key<Boolean> secrets = Key.withDefault("secrets_reload_enabled", Decoders.flag(), false,
        "whether changes of key files are applied");
    Key<Boolean> strict = Key.withDefault("strict_templates", Decoders.flag(), false,
        "whether templates that write values of clients unquoted into JSON, HTML or forms are errors");
    Key<Optional<DecisionLogSettings>> decisions = Key.optional("decision_log", DecisionLogSettings.decoder(),
        "the decision log");
    Key<Optional<FleetSettings>> fleet = Key.optional("fleet", FleetSettings.decoder(),
        "other instances that share locks with this one");
    return Decoders.checked("the configuration",
        List.of(version, log, tracing, metrics, profiling, decisions, cache, fleet, mechanisms, rule,
            providers, main, management, watch, secrets, strict),
        (p, problems) -> {
          boolean secure = listens(p, main, enforcement, problems) & listens(p, management, enforcement, problems);
          return secure
              ? Optional.of(new Settings(p.get(log), p.get(tracing), p.get(metrics), p.get(profiling), p.get(cache),
                  p.get(mechanisms), p.get(rule), p.get(providers), p.get(main), p.get(management), p.get(watch),
                  p.get(secrets), p.get(strict), p.get(decisions), p.get(fleet), "",
                  p.get(decisions).isPresent() || p.get(providers).hasShadow() || showsRules(p.get(management)),
                  p.node(), Map.of()))
              : Optional.empty();
        });
  }

  private static boolean showsRules(ListenerSettings management) {
    return management.get(ListenerSettings.DEBUG).isPresent() || management.get(ListenerSettings.CONSOLE).enabled();
  }

  /** Requires TLS of listeners without a configured section too. */
  private static boolean listens(DecodedMembers parts, Key<ListenerSettings> section, Enforcement enforcement,
      Problems problems) {
    boolean missing = enforcement.ingressTls() && !parts.has(section);
    if (missing) {
      ListenerSettings.withoutTls(parts.node().at(), section.name(), problems);
    }
    return !missing;
  }

  private static Decoder<Logging> logSection() {
    SequencedMap<String, LogFormat> formats = new LinkedHashMap<>();
    formats.put("text", LogFormat.TEXT);
    formats.put("gelf", LogFormat.GELF);
    Key<Level> level = Key.withDefault("level", Decoders.choice(Level.byName()), Level.ERROR,
        "minimum severity logged");
    Key<LogFormat> format = Key.withDefault("format", Decoders.choice(formats), LogFormat.TEXT,
        "the format of log lines");
    Key<Boolean> access = Key.withDefault("access_log_enabled", Decoders.flag(), true, "whether requests are logged");
    return Decoders.object("logging", List.of(level, format, access),
        p -> new Logging(p.get(level), p.get(format), p.get(access)));
  }

  private static Decoder<Tracing> tracingSection() {
    Key<Boolean> enabled = Key.withDefault("enabled", Decoders.flag(), true, "whether requests are traced");
    Key<String> processor = Key.withDefault("span_processor", Decoders.oneOf("batch", "simple"), "batch",
        "whether spans are exported in batches or one by one");
    return Decoders.object("tracing", List.of(enabled, processor),
        p -> new Tracing(p.get(enabled), p.get(processor).equals("simple")));
  }

  private static Decoder<Boolean> metricsSection() {
    Key<Boolean> enabled = Key.withDefault("enabled", Decoders.flag(), true, "whether metrics are recorded");
    return Decoders.object("metrics", List.of(enabled), p -> p.get(enabled));
  }

  private static Decoder<Profiling> profilingSection() {
    Key<Boolean> enabled = Key.withDefault("enabled", Decoders.flag(), false, "whether profiling data is served");
    Key<String> host = Key.withDefault("host", ListenerSettings.hostDecoder(), "127.0.0.1", "the address");
    Key<Integer> port = Key.withDefault("port", Decoders.number(1, 65535), 10251, "the port");
    return Decoders.object("profiling", List.of(enabled, host, port),
        p -> new Profiling(p.get(enabled), p.get(host), p.get(port)));
  }
}
