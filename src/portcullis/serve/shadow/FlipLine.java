package portcullis.serve.shadow;

import java.util.Optional;
import portcullis.http.message.Request;
import portcullis.observe.decisions.JsonLine;
import portcullis.policy.replay.Redecision;
import portcullis.policy.rule.Rule;

/** A line of the decision log: a request that the shadow rules decide otherwise. Without header fields and body. */
final class FlipLine {
  private FlipLine() {}

  static JsonLine of(DecidedRequest before, ShadowReport.Change change, Redecision.Result.Decided now) {
    JsonLine line = new JsonLine().add("time", before.time().toString());
    if (!before.id().isEmpty()) {
      line.add("id", before.id());
    }
    if (!before.trace().isEmpty()) {
      line.add("trace", before.trace());
    }
    line.add("shadow", change.key());
    Request request = before.request();
    line.object("request").add("method", request.method()).add("scheme", request.url().scheme())
        .add("host", request.url().host().toString()).add("path", request.path().spelling()).end();
    outcome(line, "before", before.allowed(), before.rule(), before.step(), before.error());
    outcome(line, "now", now.allowed(), now.rule(), now.step(), now.error());
    return line;
  }

  private static void outcome(JsonLine line, String name, boolean allowed, Optional<Rule> rule, String step,
      String error) {
    line.object(name).add("decision", allowed ? "allowed" : "denied");
    rule.ifPresent(found -> {
      line.object("rule").add("id", found.id()).add("rule_set", found.source());
      if (!found.origin().rule().isEmpty()) {
        line.add("at", found.origin().at()).add("sha256", found.origin().rule());
      }
      line.end();
    });
    if (!step.isEmpty()) {
      line.add("step", step);
    }
    if (!error.isEmpty()) {
      line.add("error", error);
    }
    line.end();
  }
}
