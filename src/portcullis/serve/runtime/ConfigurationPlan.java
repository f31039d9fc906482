package portcullis.serve.runtime;

import java.io.OutputStream;
import java.net.http.HttpClient;
import java.time.InstantSource;
import java.util.Optional;
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
import portcullis.policy.cache.Cache;
import portcullis.policy.catalogue.Catalogue;
import portcullis.policy.endpoint.EndpointClient;
import portcullis.policy.mechanism.MechanismContext;
import portcullis.policy.pipeline.Pipeline;
import portcullis.policy.rule.ReadingPolicy;
import portcullis.policy.rule.Rule;
import portcullis.policy.rule.RuleReader;
import portcullis.serve.provider.FileSystem;
import portcullis.serve.provider.Providers;

/** What a configuration makes rules with: its catalogue and default rule; immutable. */
record ConfigurationPlan(Catalogue catalogue, Optional<Pipeline> standard, RuleReader reader, ReadingPolicy readings) {
  /** @param proxy whether every rule needs an upstream */
  static ConfigurationPlan of(Settings settings, MechanismContext tools, boolean proxy, Problems problems) {
    tools.log().info("Loading mechanism catalogue");
    Catalogue catalogue = Catalogue.read(settings.mechanisms(), tools, problems);
    tools.log().info(settings.defaultRule().isPresent() ? "Loading default rule" : "No default rule configured");
    Optional<Pipeline> standard = settings.defaultRule()
        .flatMap(node -> RuleReader.standard(node, catalogue, problems));
    RuleReader reader = new RuleReader(catalogue, standard, proxy,
        settings.providers().files().filter(Providers.Files::environment).map(_ -> System.getenv()));
    ReadingPolicy readings = settings.main().readings();
    return new ConfigurationPlan(catalogue, standard, reader.withReadings(readings), readings);
  }

  /** Adds what else is wrong with a configuration that has faults, so that all show at once. */
  static void check(Node root, Enforcement enforcement, Problems problems) {
    if (!(root instanceof Node.Mapping settings)) {
      return;
    }
    InstantSource clock = InstantSource.system();
    try (LogWriter nowhere = new LogWriter(OutputStream.nullOutputStream())) {
      Log log = new Log(Level.DISABLED, LogFormat.TEXT, nowhere, clock, "");
      MechanismContext tools = new MechanismContext(new EndpointClient(ConfigurationPlan::nobody, Cache.none()),
          new KeyRings(clock), enforcement,
          clock, clock, log);
      Catalogue catalogue = Catalogue.read(settings.get("mechanisms"), tools, problems);
      settings.get("default_rule").ifPresent(node -> RuleReader.standard(node, catalogue, problems));
      Problems later = new Problems();
      PartialDecoding.decoded(root, problems, Settings.decoder(Enforcement.NONE)).ifPresent(rest -> {
        Tls.of(rest, clock, later);
        Sources.of(rest.providers(), tools, later);
      });
      later.sorted().stream().filter(Problem::isError).forEach(problems::add);
    }
  }

  private static HttpClient nobody() {
    throw new IllegalStateException("checking calls nobody");
  }

  /** The rule for requests that no other is for, if there is one. */
  Optional<Rule> defaultRule() {
    return standard.map(pipeline -> Rule.standard(pipeline, readings));
  }

  /** Who reads the rule sets of that source: variables are filled in to files only. */
  RuleReader reader(String source) {
    return source.startsWith(FileSystem.KIND) ? reader : reader.withoutVariables();
  }
}
