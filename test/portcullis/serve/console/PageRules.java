package portcullis.serve.console;

import java.util.List;
import java.util.Optional;
import portcullis.config.Enforcement;
import portcullis.config.Node;
import portcullis.lang.source.Problems;
import portcullis.lang.source.SourceFile;
import portcullis.policy.catalogue.Catalogue;
import portcullis.policy.decision.ProtectedHeaders;
import portcullis.policy.decision.Snapshot;
import portcullis.policy.route.RouteIndex;
import portcullis.policy.rule.Catalogues;
import portcullis.policy.rule.ConfigurationDigests;
import portcullis.policy.rule.Rule;
import portcullis.policy.rule.RuleReader;

/** The rules that pages show in tests, in {@code shop.yaml}, whose places are known. */
final class PageRules {
  static final String RULES = """
      version: 1alpha4
      rules:
      - id: orders
        match: {routes: [{path: "/orders/:id"}], methods: [GET], hosts: [{type: exact, value: shop.example}]}
        forward_to: {host: "shop.internal:8080", rewrite: {strip_path_prefix: /orders}}
        execute: [{authenticator: staff}]
      - id: "<b>all</b>"
        match: {routes: [{path: "/**"}]}
        execute: [{authenticator: anon}]
      """;

  private PageRules() {}

  static Snapshot snapshot() {
    return snapshot(RULES);
  }

  static Snapshot snapshot(String rules) {
    Problems problems = new Problems();
    Catalogue catalogue = Catalogues.of(ConsoleSetup.MECHANISMS, Enforcement.NONE, problems);
    RouteIndex<Rule> index = new RuleReader(catalogue, Optional.empty(), false, Optional.empty())
        .withOrigins(ConfigurationDigests.of("digest",
            (Node.Mapping) Catalogues.node("{}", problems).orElseThrow()), true)
        .read("test:shop.yaml", new SourceFile("shop.yaml", rules), problems).set()
        .flatMap(set -> RouteIndex.<Rule>empty().with(List.of(set), problems))
        .orElseThrow(() -> new AssertionError(Catalogues.reported(problems)));
    return new Snapshot(1, catalogue, index, Optional.empty(), ProtectedHeaders.NONE);
  }
}
