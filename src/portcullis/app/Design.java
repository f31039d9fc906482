package portcullis.app;

import java.util.Optional;
import portcullis.catalogue.Catalogue;
import portcullis.mechanism.Tools;
import portcullis.pipeline.Pipeline;
import portcullis.provider.FileSystem;
import portcullis.provider.Providers;
import portcullis.rule.RuleReader;
import portcullis.source.Problems;

/** What a configuration makes rules with: its catalogue and default rule; immutable. */
record Design(Catalogue catalogue, Optional<Pipeline> standard, RuleReader reader) {
  /** @param proxy whether every rule needs an upstream */
  static Design of(Settings settings, Tools tools, boolean proxy, Problems problems) {
    tools.log().info("Loading mechanism catalogue");
    Catalogue catalogue = Catalogue.read(settings.mechanisms(), tools, problems);
    tools.log().info(settings.defaultRule().isPresent() ? "Loading default rule" : "No default rule configured");
    Optional<Pipeline> standard = settings.defaultRule().flatMap(node -> RuleReader.standard(node, catalogue, problems));
    RuleReader reader = new RuleReader(catalogue, standard, proxy,
        settings.providers().files().filter(Providers.Files::environment).map(_ -> System.getenv()));
    return new Design(catalogue, standard, reader);
  }

  /** Who reads the rule sets of that source: variables are filled in to files only. */
  RuleReader reader(String source) {
    return source.startsWith(FileSystem.KIND) ? reader : reader.withoutVariables();
  }
}
