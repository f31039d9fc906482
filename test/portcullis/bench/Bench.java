package portcullis.bench;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import portcullis.serve.service.DecisionLogBench;
import portcullis.serve.service.FeedBench;

/** Runs the measurements of the names that it is given, else all. */
final class Bench {
  /** Prints lines of what it measured. */
  @FunctionalInterface
  interface Measurement {
    void run() throws Exception;
  }

  private Bench() {}

  private static Map<String, Measurement> all() {
    Map<String, Measurement> all = new LinkedHashMap<>();
    all.put("languages", LanguagesBench::run);
    all.put("routes", RoutesBench::run);
    all.put("feed", FeedBench::run);
    all.put("decisions", DecisionLogBench::run);
    return all;
  }

  public static void main(String[] names) throws Exception {
    Map<String, Measurement> all = all();
    for (String name : names.length == 0 ? List.copyOf(all.keySet()) : List.of(names)) {
      if (!all.containsKey(name)) {
        System.err.println("there is no measurement " + name + ", known: " + String.join(", ", all.keySet()));
        System.exit(2);
      }
      System.out.println(name + ":");
      all.get(name).run();
    }
  }
}
