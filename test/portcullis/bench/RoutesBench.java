package portcullis.bench;

import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import portcullis.config.Enforcement;
import portcullis.lang.source.Problems;
import portcullis.lang.source.SourceFile;
import portcullis.policy.catalogue.Catalogue;
import portcullis.policy.route.Lookup;
import portcullis.policy.route.Match;
import portcullis.policy.route.RouteIndex;
import portcullis.policy.route.RouteSet;
import portcullis.policy.rule.Catalogues;
import portcullis.policy.rule.Rule;
import portcullis.policy.rule.RuleReader;

/**
 * Measures how long rule sets take to load and requests to find their rule, for more and more rules:
 * {@code build.sh bench routes}. Rules come from YAML texts, ten sets of them. For each number of rules the requests
 * are the same in number, in the random order in which they come and in being made just before, as a server has just
 * read its own: what differs is the memory of the rules only. Whether each found its own rule is looked at outside of
 * the time that counts.
 */
final class RoutesBench {
  private static final List<Integer> SIZES = List.of(100, 1_000, 10_000, 100_000);
  private static final int SETS = 10;
  private static final int FEW = 1_000;
  private static final int MANY = 100_000;
  private static final int BATCH = 1_000;
  private static final int ROUNDS = 20;

  private final RuleReader reader;

  private RoutesBench() {
    Catalogue catalogue = Catalogues.of("""
        authenticators: [{id: anon, type: anonymous}]
        finalizers: [{id: noop, type: noop}]
        """, Enforcement.NONE, new Problems());
    reader = new RuleReader(catalogue, Optional.empty(), false, Optional.empty());
  }

  /** Prints what the figures are, and a line of them for each number of rules, the best of some rounds. */
  static void run() {
    RoutesBench bench = new RoutesBench();
    RouteIndex<Rule> warm = bench.index(1_000); // the compiler's first steps are not what is measured
    lookup(warm, 1_000, FEW);
    lookup(warm, 1_000, MANY);
    System.out.printf("ns a lookup of %,d requests in random order; how many times that of %d rules%n", MANY,
        SIZES.getFirst());
    System.out.printf("  few: %,d different ones, evenly spread over the rules: what they need may be in the "
        + "processor's caches%n", FEW);
    System.out.printf("  all: %,d different ones, evenly spread: of many rules next to nothing that they need is in "
        + "a near cache%n", MANY);
    double few = 0;
    double all = 0;
    for (int rules : SIZES) {
      long start = cpu();
      RouteIndex<Rule> index = bench.index(rules);
      long loading = (cpu() - start) / 1_000_000;
      System.gc(); // rules lie where they are going to lie for long
      double ofFew = lookup(index, rules, FEW);
      double ofAll = lookup(index, rules, MANY);
      few = few == 0 ? ofFew : few;
      all = all == 0 ? ofAll : all;
      System.out.printf("%,8d rules: loaded in %,6d ms; few %,6.0f ns, %.1f times; all %,6.0f ns, %.1f times%n",
          rules, loading, ofFew, ofFew / few, ofAll, ofAll / all);
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
      reader.read("s" + set, new SourceFile("s" + set, out.toString()), problems).set().ifPresent(sets::add);
    }
    return RouteIndex.<Rule>empty().with(sets, problems)
        .orElseThrow(() -> new IllegalStateException(Catalogues.reported(problems)));
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

  /** Nanoseconds a lookup, in the best of the rounds, each of which asks for all in another order. */
  private static double lookup(RouteIndex<Rule> index, int rules, int different) {
    int[] order = IntStream.range(0, MANY).map(i -> i % different).toArray();
    Random random = new Random(7);
    long best = Long.MAX_VALUE;
    for (int round = 0; round < ROUNDS; round++) {
      shuffle(order, random);
      long spent = 0;
      for (int from = 0; from < MANY; from += BATCH) {
        spent += batch(index, rules, different, Arrays.copyOfRange(order, from, from + BATCH));
      }
      best = Math.min(best, spent);
    }
    return (double) best / MANY;
  }

  private static void shuffle(int[] order, Random random) {
    for (int i = order.length - 1; i > 0; i--) {
      int other = random.nextInt(i + 1);
      int kept = order[i];
      order[i] = order[other];
      order[other] = kept;
    }
  }

  /** Makes these of the different requests and asks for them; gives the time of the second. */
  private static long batch(RouteIndex<Rule> index, int rules, int different, int[] numbers) {
    Lookup[] requests = IntStream.of(numbers).mapToObj(n -> request(n, rule(n, rules, different)))
        .toArray(Lookup[]::new);
    List<Optional<Match<Rule>>> found = new ArrayList<>(numbers.length);
    long start = cpu();
    for (Lookup request : requests) {
      found.add(index.find(request));
    }
    long spent = cpu() - start;
    for (int i = 0; i < numbers.length; i++) {
      String expected = "r" + rule(numbers[i], rules, different);
      if (!found.get(i).map(match -> match.value().id()).orElse("-").equals(expected)) {
        throw new IllegalStateException(requests[i] + " did not find " + expected);
      }
    }
    return spent;
  }

  /**
   * The rule that one of the different requests is for: all rules if there are as many requests, else some of every
   * kind.
   */
  private static int rule(int number, int rules, int different) {
    int step = Math.max(1, rules / different);
    return (int) ((long) number * rules / different) + number % step;
  }

  private static Lookup request(int number, int rule) {
    return Lookup.of("https", "GET", "host-" + rule % 1000 + ".example.com",
        path(rule, "n" + number, "a.txt", "x/y/z"));
  }

  /** What this thread has had of the processor, in nanoseconds: what others do beside it does not count. */
  private static long cpu() {
    return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
  }
}
