package portcullis.serve.console;

import java.util.ArrayList;
import java.util.List;
import portcullis.lang.markup.Html;
import portcullis.lang.value.JsonText;
import portcullis.lang.value.Value;

/** Shows how a request was decided. */
final class ExplanationView {
  private ExplanationView() {}

  static Html of(RequestTrial.Result result) {
    Value.Dict document = result.explanation().document();
    boolean isAllowed = document.get("allowed").orElse(Value.FALSE).equals(Value.TRUE);
    List<Html> facts = new ArrayList<>();
    Value.Dict rule = document.get("rule").orElse(Value.NULL) instanceof Value.Dict found ? found : Value.Dict.EMPTY;
    fact("Rule", text(rule, "id").isEmpty() ? "none" : text(rule, "id"), facts);
    fact("Written at", text(rule, "place"), facts);
    fact("Why", text(rule, "why"), facts);
    fact("Reason", text(document, "reason"), facts);
    fact("Subject", text(document, "subject"), facts);
    if (document.get("upstream").orElse(Value.NULL) instanceof Value.Dict upstream) {
      fact("Would go to", text(upstream, "method") + " " + text(upstream, "url"), facts);
    }
    if (document.get("adds").orElse(Value.NULL) instanceof Value.Array adds) {
      adds.items().forEach(one -> fact("Adds", text((Value.Dict) one, "name") + ": " + text((Value.Dict) one, "value"),
          facts));
    }
    fact("Redirect", text(document, "redirect"), facts);
    Html decision = isAllowed ? Html.of("<span class=\"status good\">allowed</span>")
        : Html.of("<span class=\"status bad\">denied with {}</span>", text(document, "status"));
    Html unanswered = Html.join(result.unanswered().stream().map(call -> Html.of(
        "<p class=\"note warn\">No answer was given to {}, so that this call failed.</p>", call)).toList());
    return Html.of("<section aria-label=\"Result\" role=\"status\"><h2>Result: {}</h2>{}<div class=\"card\">"
        + "<dl class=\"facts\">{}</dl></div>{}</section><h2>The request</h2>", decision, unanswered, Html.join(facts),
        steps(document));
  }

  private static void fact(String name, String value, List<Html> facts) {
    if (!value.isEmpty()) {
      facts.add(Html.of("<dt>{}</dt><dd>{}</dd>", name, value));
    }
  }

  private static Html steps(Value.Dict document) {
    if (!(document.get("steps").orElse(Value.NULL) instanceof Value.Array steps) || steps.items().isEmpty()) {
      return Html.NONE;
    }
    return Html.of("""
        <h3 id="steps">Steps</h3><div class="scroll" role="region" aria-labelledby="steps" tabindex="0">
        <table class="stack"><thead><tr><th scope="col">Step</th><th scope="col">Type</th><th scope="col">Outcome</th>
        <th scope="col" class="number">Time</th><th scope="col">Reason</th></tr></thead><tbody>{}</tbody></table></div>
        """, Html.join(steps.items().stream().map(step -> row((Value.Dict) step)).toList()));
  }

  private static Html row(Value.Dict step) {
    String outcome = text(step, "outcome");
    String tone = switch (outcome) {
      case "passed" -> "good";
      case "failed", "broken" -> "bad";
      default -> "soft";
    };
    return Html.of("""
        <tr><th scope="row">{}</th><td data-label="Type">{}</td>
        <td class="brief" data-label="Outcome"><span class="{}">{}</span></td>
        <td class="number" data-label="Time">{}</td><td data-label="Reason">{}{}</td></tr>
        """, text(step, "id"), text(step, "type"), tone, outcome, time(step), text(step, "reason"),
        expression(step));
  }

  private static String time(Value.Dict step) {
    return step.get("microseconds").orElse(Value.NULL) instanceof Value.Int whole
        ? Figures.duration(whole.value() / 1e6)
        : "";
  }

  private static Html expression(Value.Dict step) {
    if (text(step, "expression").isEmpty()) {
      return Html.NONE;
    }
    List<Html> values = new ArrayList<>();
    if (step.get("values").orElse(Value.NULL) instanceof Value.Dict read) {
      read.members().forEach((name, value) -> values.add(Html.of("<br><code>{} = {}</code>", name, text(value))));
    }
    return Html.of("<br>false: <code>{}</code>{}", text(step, "expression"), Html.join(values));
  }

  private static String text(Value.Dict object, String name) {
    return object.get(name).map(ExplanationView::text).orElse("");
  }

  private static String text(Value value) {
    return value instanceof Value.Str string ? string.value() : JsonText.plain(value);
  }
}
