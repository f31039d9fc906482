package portcullis.migration;

import java.util.List;
import portcullis.config.Node;

/** Finds the documented differences from heimdall that touch a configuration and its rule sets. */
public final class MigrationCheck {
  private MigrationCheck() {}

  /** Returns the findings, those of the configuration first, each document from top to bottom. */
  public static List<MigrationFinding> of(Node configuration, List<Node> ruleSets) {
    Findings findings = new Findings();
    ConfigurationChecks.check(configuration, findings);
    ruleSets.forEach(ruleSet -> RuleChecks.check(ruleSet, findings));
    return findings.all();
  }
}
