package portcullis.serve.console;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Supplier;
import portcullis.lang.markup.Html;
import portcullis.observe.metrics.Registry;
import portcullis.policy.decision.Snapshot;
import portcullis.policy.route.ListedRoute;
import portcullis.policy.rule.Backend;
import portcullis.policy.rule.Rule;
import portcullis.serve.service.StatusSource;

/** The page of the rules in use: by host and path, where a request would go, and what shadow rules change. */
public final class RulesPage implements ConsolePage {
  private static final int MOST = 500;
  private static final String ANY_HOST = "*";

  private final Supplier<Snapshot> rules;
  private final StatusSource status;
  private final Registry registry;
  private final Optional<Path> coverage;

  /**
   * @param registry counts decisions by rule
   * @param coverage the file with what test cases have tried; empty for none
   */
  public RulesPage(Supplier<Snapshot> rules, StatusSource status, Registry registry, Optional<Path> coverage) {
    this.coverage = coverage;
    this.rules = rules;
    this.status = status;
    this.registry = registry;
  }

  @Override
  public String name() {
    return "rules";
  }

  @Override
  public String title() {
    return "Rules";
  }

  @Override
  public ConsoleContent render(ConsoleVisit visit) {
    if (!visit.rest().isEmpty()) {
      return ConsoleContent.missing("The console has no such page.");
    }
    Snapshot now = rules.get();
    Html found = visit.parameter("url")
        .map(url -> RouteFinder.of(now, visit.parameter("method").orElse("GET"), url).html()).orElse(Html.NONE);
    CoverageView tests = CoverageView.of(coverage);
    return ConsoleContent.page(title(), Html.of("<h1>Rules</h1>{}{}{}{}{}", finder(visit), found,
        tree(now, visit.parameter("filter").orElse(""), tests), byDefault(now, tests),
        ShadowView.of(status.report().shadow())));
  }

  private static Html finder(ConsoleVisit visit) {
    return Html.of("""
        <h2 id="find">Where would a request go?</h2>
        <form class="filter" method="get" action="/console/rules">
        <label class="short">Method<input name="method" value="{}" maxlength="32" spellcheck="false"></label>
        <label>URL<input name="url" type="url" value="{}" placeholder="https://app.example/orders/42"
         maxlength="4096" required></label>
        <button>Find the rule</button></form>
        """, visit.parameter("method").orElse("GET"), visit.parameter("url").orElse(""));
  }

  /** Returns routes by host; those of all hosts come last. */
  private Html tree(Snapshot now, String filter, CoverageView tests) {
    Map<String, List<ListedRoute<Rule>>> hosts = new TreeMap<>(
        Comparator.<String, Boolean>comparing(ANY_HOST::equals).thenComparing(Comparator.naturalOrder()));
    int left = MOST;
    int all = 0;
    for (ListedRoute<Rule> route : now.index().listed()) {
      if (fits(route, filter.toLowerCase(Locale.ROOT))) {
        all++;
        if (left-- > 0) {
          route.hosts().forEach(host -> hosts.computeIfAbsent(host, _ -> new ArrayList<>()).add(route));
        }
      }
    }
    Map<String, RuleCounts> counts = new HashMap<>();
    RuleCounts.of(registry).forEach(one -> counts.put(one.ruleSet() + "\n" + one.rule(), one));
    Facts facts = new Facts(counts, tests);
    List<Html> sections = new ArrayList<>();
    String others = hosts.size() == 1 ? "All hosts" : "All other hosts";
    hosts.forEach((host, routes) -> sections
        .add(section(sections.size(), host.equals(ANY_HOST) ? others : host, routes, facts)));
    Html many = all > MOST ? Html.of("<p class=\"note warn\">The first {} of {} routes: a filter shows others.</p>",
        MOST, all) : Html.NONE;
    Html none = all == 0 ? Html.of("<p class=\"empty\">{}</p>",
        filter.isEmpty() ? "No rule is in use." : "No rule has this in its id, host, path or file.") : Html.NONE;
    return Html.of("""
        <h2>Hosts and paths</h2>
        <form class="filter" method="get" action="/console/rules"><label>Filter<input name="filter" value="{}"
         maxlength="256" placeholder="rule, host, path or file"></label><button>Filter</button></form>{}{}{}{}
        """, filter, tests.source(), many, none, Html.join(sections));
  }

  private static boolean fits(ListedRoute<Rule> route, String filter) {
    Rule rule = route.value();
    return filter.isEmpty() || List.of(rule.id(), route.path(), String.join(" ", route.hosts()), place(rule)).stream()
        .anyMatch(text -> text.toLowerCase(Locale.ROOT).contains(filter));
  }

  /** What is known of rules besides what is written. */
  private record Facts(Map<String, RuleCounts> counts, CoverageView tests) {}

  private static Html section(int number, String host, List<ListedRoute<Rule>> routes, Facts facts) {
    List<Html> rows = routes.stream().sorted(Comparator.comparing(ListedRoute::path))
        .map(route -> row(route, facts)).toList();
    return Html.of("""
        <details open><summary><h3 id="host-{}">{}</h3> <span class="soft">{}</span></summary>
        <div class="scroll" role="region" aria-labelledby="host-{}" tabindex="0"><table class="stack">
        <thead><tr><th scope="col">Path</th><th scope="col">Methods</th><th scope="col">Rule</th>
        <th scope="col">Goes to</th>{}<th scope="col" class="number">Allowed</th>
        <th scope="col" class="number">Denied</th></tr></thead><tbody>{}</tbody></table></div></details>
        """, number, host,
        routes.size() == 1 ? "1 route" : routes.size() + " routes", number, facts.tests.head(),
        Html.join(rows));
  }

  private static Html row(ListedRoute<Rule> route, Facts facts) {
    Rule rule = route.value();
    Optional<RuleCounts> count = Optional.ofNullable(facts.counts.get(rule.source() + "\n" + rule.id()));
    String methods = (route.scheme().isEmpty() ? "" : route.scheme() + " ")
        + (route.methods().isEmpty() ? "all" : String.join(", ", route.methods()));
    return Html.of("""
        <tr><th scope="row"><code>{}</code></th><td data-label="Methods">{}</td>
        <td data-label="Rule">{}<br><span class="soft">{}</span></td><td data-label="Goes to">{}</td>{}
        <td class="number" data-label="Allowed">{}</td><td class="number" data-label="Denied">{}</td></tr>
        """, route.path(), methods, rule.id(), place(rule), goal(rule), facts.tests.cell(rule),
        count.map(RuleCounts::allowed).orElse(0L),
        count.map(RuleCounts::denied).orElse(0L));
  }

  private static Html byDefault(Snapshot now, CoverageView tests) {
    return now.defaultRule().isEmpty()
        ? Html.of("<p class=\"soft\">There is no default rule: a request without a rule is answered 404.</p>")
        : Html.of("<p class=\"soft\">A request without a rule is decided by the default rule{}.{}</p>",
            now.defaultRule().get().origin().at().isEmpty() ? ""
                : ", " + now.defaultRule().get().origin().at(),
            tests.sentence(now.defaultRule().get()));
  }

  /** Returns the file and line of a rule, or else its source. */
  static String place(Rule rule) {
    return rule.origin().at().isEmpty() ? rule.source() : rule.origin().at();
  }

  /** Returns where requests of a rule are forwarded. */
  static String goal(Rule rule) {
    if (rule.backend().isEmpty()) {
      return "answered only";
    }
    Backend backend = rule.backend().get();
    Backend.Rewrite rewrite = backend.rewrite();
    StringBuilder out = new StringBuilder(rewrite.scheme().map(scheme -> scheme + "://").orElse(""));
    out.append(backend.host()).append(rewrite.put());
    return rewrite.cut().isEmpty() ? out.toString() : out + " without " + rewrite.cut();
  }
}
