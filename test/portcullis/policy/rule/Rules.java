package portcullis.policy.rule;

import java.util.List;
import java.util.Optional;
import portcullis.config.Enforcement;
import portcullis.http.message.Authority;
import portcullis.http.message.Body;
import portcullis.http.message.Fields;
import portcullis.http.message.Request;
import portcullis.http.message.RequestPath;
import portcullis.http.message.ResponseStatusException;
import portcullis.lang.source.Problems;
import portcullis.lang.source.SourceFile;
import portcullis.lang.value.JsonText;
import portcullis.policy.catalogue.Catalogue;
import portcullis.policy.pipeline.Pipeline;
import portcullis.policy.pipeline.PipelineResult;
import portcullis.policy.route.RouteSet;

/** Pipelines for tests, of YAML texts, and requests to run through them. */
public final class Rules {
  private Rules() {}

  /** The pipeline of a rule with these steps, as {@code execute: [...]}; what is wrong with it fails the test. */
  public static Pipeline pipeline(String mechanisms, String steps) {
    Problems problems = new Problems();
    return pipeline(Catalogues.of(mechanisms, Enforcement.NONE, problems), steps, problems);
  }

  /** The same with mechanisms that are there. */
  public static Pipeline pipeline(Catalogue catalogue, String steps, Problems problems) {
    String file = "version: 1alpha4\nrules:\n- id: r\n  match: {routes: [{path: /}]}\n" + steps.indent(2);
    Optional<RouteSet<Rule>> set = new RuleReader(catalogue, Optional.empty(), false, Optional.empty()).read("test",
        new SourceFile("f", file), problems).set();
    return set.orElseThrow(() -> new AssertionError(Catalogues.reported(problems))).entries().getFirst().value()
        .pipeline();
  }

  /** A GET of that path and query with these names and values of fields. */
  public static Request request(String path, String query, String... fields) {
    try {
      return new Request("GET", "http", Authority.parse("shop.local").orElseThrow(), RequestPath.read(path), query,
          Fields.of(fields), List.of("192.0.2.1"), Body.none());
    } catch (ResponseStatusException e) {
      throw new AssertionError(e);
    }
  }

  /** What became of it: the subject and what the upstream is told, or the failure and what a handler answers. */
  public static String outcome(PipelineResult result) {
    return switch (result) {
      case PipelineResult.Passed(var state) -> "passed " + state.subject().map(s -> s.id()).orElse("nobody") + " "
          + state.additions().headers().stream().map(f -> f.name() + ": " + f.value()).toList()
          + (state.outputs().members().isEmpty() ? "" : " " + JsonText.plain(state.outputs()));
      case PipelineResult.Failed(var error, var answer) ->
        error.failure().report() + " @" + error.step() + "/" + error.source()
            + answer.map(a -> " answered " + a.answer().status()).orElse("");
    };
  }
}
