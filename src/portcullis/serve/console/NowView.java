package portcullis.serve.console;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import portcullis.lang.markup.Html;
import portcullis.lang.value.Value;

/** What the page *Now* shows of the traffic. */
record NowView(Traffic.Picture picture) {
  private static final int MOST_RULES = 200;
  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final Duration MOMENT = Duration.ofSeconds(10);
  private static final int SMOOTHED = 5;

  Html html() {
    return Html.of("{}<div class=\"charts\">{}{}</div>{}", cards(), requests(), latency(), rules());
  }

  private double rate(Duration time, Count count) {
    TrafficSample before = picture.before(time);
    return (count.of(picture.last()) - count.of(before)) / picture.last().seconds(before);
  }

  private interface Count {
    long of(TrafficSample sample);
  }

  private Html cards() {
    TrafficSample last = picture.last();
    TrafficSample minute = picture.before(MINUTE);
    return Html.of("""
        <dl class="cards">
        <div class="card"><dt>Requests</dt><dd>{}/s <small>{} since the start, {} in progress</small></dd></div>
        <div class="card"><dt>Allowed</dt><dd>{}/s <small>{} since the start</small></dd></div>
        <div class="card"><dt>Denied</dt><dd>{}/s <small>{} since the start, {}</small></dd></div>
        <div class="card"><dt>Latency, median</dt><dd>{} <small>last minute</small></dd></div>
        <div class="card"><dt>Latency, 99 %</dt><dd>{} <small>last minute</small></dd></div>
        <div class="card"><dt>Errors</dt><dd>{}/s <small>{} since the start: status 500 or more</small></dd></div>
        </dl>
        """, Figures.rate(rate(MOMENT, TrafficSample::requests)), Figures.count(last.requests()),
        Figures.count(last.active()), Figures.rate(rate(MOMENT, TrafficSample::allowed)),
        Figures.count(last.allowed()), Figures.rate(rate(MOMENT, TrafficSample::denied)), Figures.count(last.denied()),
        Figures.share(last.denied(), last.allowed() + last.denied()), Figures.duration(last.quantile(0.5, minute)),
        Figures.duration(last.quantile(0.99, minute)), Figures.rate(rate(MOMENT, TrafficSample::errors)),
        Figures.count(last.errors()));
  }

  private double[] rates(Count count) {
    List<TrafficSample> samples = picture.samples();
    double[] out = new double[samples.size() - 1];
    for (int i = 0; i < out.length; i++) {
      TrafficSample next = samples.get(i + 1);
      out[i] = (count.of(next) - count.of(samples.get(i))) / next.seconds(samples.get(i));
    }
    return out;
  }

  private double[] quantiles(double part) {
    List<TrafficSample> samples = picture.samples();
    double[] out = new double[samples.size() - 1];
    for (int i = 0; i < out.length; i++) {
      out[i] = samples.get(i + 1).quantile(part, samples.get(Math.max(0, i + 1 - SMOOTHED)));
    }
    return out;
  }

  private Html requests() {
    String summary = "Requests per second in the last five minutes: now %s allowed and %s denied"
        .formatted(Figures.rate(rate(MOMENT, TrafficSample::allowed)),
            Figures.rate(rate(MOMENT, TrafficSample::denied)));
    return new Chart("Decisions per second", summary,
        List.of(new Chart.Series("allowed", "allowed", rates(TrafficSample::allowed)),
            new Chart.Series("denied", "denied", rates(TrafficSample::denied))),
        true, Traffic.SAMPLES, Figures::rate).html();
  }

  private Html latency() {
    TrafficSample minute = picture.before(MINUTE);
    String summary = "Latency in the last five minutes: in the last minute the median is %s, 99 %% take at most %s"
        .formatted(Figures.duration(picture.last().quantile(0.5, minute)),
            Figures.duration(picture.last().quantile(0.99, minute)));
    return new Chart("Latency", summary, List.of(new Chart.Series("p50", "median", quantiles(0.5)),
        new Chart.Series("p99", "99 %", quantiles(0.99))), false, Traffic.SAMPLES, Figures::duration).html();
  }

  private Html rules() {
    List<RuleCounts> rules = picture.rules();
    if (rules.isEmpty()) {
      return Html.of("<h2>By rule</h2><p class=\"empty\">No request has been decided yet.</p>");
    }
    Html rows = Html.join(rules.stream().limit(MOST_RULES).map(this::row).toList());
    Html more = rules.size() <= MOST_RULES ? Html.NONE
        : Html.of("<p class=\"soft\">and {} more rules</p>", rules.size() - MOST_RULES);
    return Html.of("""
        <h2 id="by-rule">By rule</h2>
        <div class="scroll"><table class="stack" aria-labelledby="by-rule">
        <thead><tr><th scope="col">Rule</th><th scope="col">Rule set</th><th scope="col" class="number">Last minute</th>
        <th scope="col" class="number">Allowed</th><th scope="col" class="number">Denied</th></tr></thead>
        <tbody>{}</tbody></table></div>{}
        """, rows, more);
  }

  private Html row(RuleCounts counts) {
    Html rule = counts.rule().isEmpty() ? Html.of("<i>no rule</i>") : Html.of("{}", counts.rule());
    Html denied = counts.denied() == 0 || counts.rule().isEmpty() ? Figures.count(counts.denied())
        : Html.of(
            "<a id=\"denied-{}\" href=\"/console/refusals?rule={}\" aria-label=\"{} denied by {}: show them\">{}</a>",
            Integer.toHexString(counts.key().hashCode()), URLEncoder.encode(counts.rule(), StandardCharsets.UTF_8),
            "%,d".formatted(counts.denied()), counts.rule(),
            Figures.count(counts.denied()));
    return Html.of("""
        <tr><th scope="row">{}</th><td data-label="Rule set" class="soft">{}</td>
        <td data-label="Last minute" class="number">{}/s</td><td data-label="Allowed" class="number">{}</td>
        <td data-label="Denied" class="number">{}</td></tr>
        """, rule, counts.ruleSet(), Figures.rate(picture.rates().getOrDefault(counts.key(), 0.0)),
        Figures.count(counts.allowed()), denied);
  }

  /** Returns the same numbers as JSON. */
  Value.Dict document() {
    TrafficSample last = picture.last();
    TrafficSample minute = picture.before(MINUTE);
    Map<String, Value> out = new LinkedHashMap<>();
    out.put("time", Value.of(last.at().toString()));
    out.put("requests", counter(last.requests(), TrafficSample::requests));
    out.put("allowed", counter(last.allowed(), TrafficSample::allowed));
    out.put("denied", counter(last.denied(), TrafficSample::denied));
    out.put("errors", counter(last.errors(), TrafficSample::errors));
    out.put("active", Value.of(last.active()));
    out.put("p50_ms", millis(last.quantile(0.5, minute)));
    out.put("p99_ms", millis(last.quantile(0.99, minute)));
    out.put("rules", new Value.Array(picture.rules().stream().limit(MOST_RULES).map(this::document).toList()));
    return new Value.Dict(out);
  }

  private Value document(RuleCounts rule) {
    return new Value.Dict(Map.of("rule", Value.of(rule.rule()), "rule_set", Value.of(rule.ruleSet()),
        "allowed", Value.of(rule.allowed()), "denied", Value.of(rule.denied()),
        "per_second", Value.of(picture.rates().getOrDefault(rule.key(), 0.0))));
  }

  private Value counter(long total, Count count) {
    return new Value.Dict(Map.of("total", Value.of(total), "per_second", Value.of(rate(MOMENT, count))));
  }

  private static Value millis(double seconds) {
    return Double.isNaN(seconds) ? Value.NULL : Value.of(seconds * 1e3);
  }
}
