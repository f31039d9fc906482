package portcullis.bench;

import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import portcullis.catalogue.Catalogue;
import portcullis.config.Enforcement;
import portcullis.route.Lookup;
import portcullis.route.RouteIndex;
import portcullis.route.RouteSet;
import portcullis.rule.Catalogues;
import portcullis.rule.Rule;
import portcullis.rule.RuleReader;
import portcullis.source.Problems;
import portcullis.source.SourceFile;

/**
 * Measures how long rule sets take to load and requests to find their rule, for more and more rules: {@code build.sh bench
 * routes}. Rules come from YAML texts, ten sets of them; requests ask for them in random order, so that the processor's caches
 * are of as little help as they may be.
 */
final class RoutesBench {
  private static final List<Integer> SIZES = List.of(100, 1_000, 10_000, 100_000);
  private static final int SETS = 10;
  private static final int LOOKUPS = 20_000;
  private static final int ROUNDS = 40;

  private final RuleReader reader;

  private RoutesBench() {
    Catalogue catalogue = Catalogues.of("""
        authenticators: [{id: anon, type: anonymous}]
        finalizers: [{id: noop, type: noop}]
        """, Enforcement.NONE, new Problems());
    reader = new RuleReader(catalogue, Optional.empty(), false, Optional.empty());
  }

  /** Prints a line for each number of rules, the best of some rounds. */
  static void run() {
    RoutesBench bench = new RoutesBench();
    lookup(bench.index(1_000), 1_000); // the compiler's first steps are not what is measured
    double few = 0;
    for (int rules : SIZES) {
      long start = cpu();
      RouteIndex<Rule> index = bench.index(rules);
      long loading = (cpu() - start) / 1_000_000;
      double each = lookup(index, rules);
      few = few == 0 ? each : few;
      System.out.printf("%,8d rules: loaded in %,6d ms, %,6.0f ns a lookup, %.1f times that of %d%n",
          rules, loading, each, each / few, SIZES.getFirst());
    }
  }

  private RouteIndex<Rule> index(int rules) {
    Problems problems = new Problems();
    List<RouteSet<Rule>> sets = new ArrayList<>();
    for (int set = 0; set < SETS; set++) {
      StringBuilder out = new StringBuilder("version: 1alpha4\nrules:\n");
      for (int i = set; i < rules; i += SETS) {
        rule(i, out);
      }
      reader.read("s" + set, new SourceFile("s" + set, out.toString()), problems).ifPresent(sets::add);
    }
    return RouteIndex.<Rule>empty().with(sets, problems).orElseThrow(() -> new IllegalStateException(Catalogues.said(problems)));
  }

  private static void rule(int i, StringBuilder out) {
    out.append("- id: r").append(i).append("\n  match:\n    methods: [GET, POST]\n");
    if (i % 3 == 0) {
      out.append("    hosts: [{type: exact, value: host-").append(i % 1000).append(".example.com}]\n");
    }
    out.append("    routes: [{path: \"").append(path(i, ":id", ":file", "**")).append("\"}]\n");
    out.append("  forward_to: {host: upstream.local}\n  execute: [{authenticator: anon}, {finalizer: noop}]\n");
  }

  private static String path(int i, String id, String file, String rest) {
    return switch (i % 4) {
      case 0 -> "/service-" + i + "/users/" + id + "/files/" + file;
      case 1 -> "/service-" + i + "/users/" + rest;
      case 2 -> "/tenants/" + i + "/orders/" + id;
      default -> "/static/page-" + i + ".html";
    };
  }

  /** Nanoseconds a lookup, in the best of the rounds, each of which asks for other rules. */
  private static double lookup(RouteIndex<Rule> index, int rules) {
    Random random = new Random(7);
    double best = Double.MAX_VALUE;
    for (int round = 0; round < ROUNDS; round++) {
      Lookup[] requests = new Lookup[LOOKUPS];
      for (int i = 0; i < LOOKUPS; i++) {
        int rule = random.nextInt(rules);
        requests[i] = new Lookup("https", "GET", "host-" + rule % 1000 + ".example.com", path(rule, "4711", "a.txt", "x/y/z"));
      }
      long start = cpu();
      int found = 0;
      for (Lookup request : requests) {
        found += index.find(request).isPresent() ? 1 : 0;
      }
      best = Math.min(best, (double) (cpu() - start) / LOOKUPS);
      if (found != LOOKUPS) {
        throw new IllegalStateException(found + " of " + LOOKUPS + " requests found a rule");
      }
    }
    return best;
  }

  /** What this thread has had of the processor, in nanoseconds: what others do beside it does not count. */
  private static long cpu() {
    return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
  }
}
