package portcullis.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * Measures what the decision log and shadow rules cost the decision service for an anonymous request:
 * {@code Beside SECONDS ROUNDS COMMAND}. The services take turns, one at work at a time, at full load and then at half
 * of it; the figures are medians of rounds, and of the ratios to the service without either within a round. With
 * {@code latency} behind the command only the waits with shadow rules and without are compared, at a quarter of full
 * load, as p99 of one round is mostly chance.
 */
public final class Beside {
  private static final int CONNECTIONS = 32;
  private static final String PATH = "/open/1";
  private static final List<String> NAMES = List.of("neither", "decision log", "with hashes", "shadow rules");

  private final List<Candidate> services = new ArrayList<>();
  private final Duration each;
  private final int rounds;

  private Beside(Duration each, int rounds) {
    this.each = each;
    this.rounds = rounds;
  }

  public static void main(String[] words) throws IOException, InterruptedException {
    Path folder = Files.createTempDirectory("beside");
    Beside beside = new Beside(Duration.ofSeconds(Long.parseLong(words[0])), Integer.parseInt(words[1]));
    try {
      beside.start(List.of(words[2].split(" ")), folder);
      if (words.length > 3 && words[3].equals("latency")) {
        beside.compareWaits();
      } else {
        beside.measure();
      }
    } finally {
      beside.services.forEach(Candidate::close);
      try (Stream<Path> files = Files.walk(folder)) {
        for (Path file : files.sorted((a, b) -> b.compareTo(a)).toList()) {
          Files.delete(file);
        }
      }
    }
  }

  private static String rules(String steps) {
    return "  - { id: r, match: { routes: [ { path: \"/open/:id\" } ] }, execute: [ { authenticator: anon }, " + steps
        + "{ finalizer: nothing } ] }\n";
  }

  private void start(List<String> command, Path folder) throws IOException, InterruptedException {
    Path key = Files.writeString(folder.resolve("key"), "0b".repeat(32));
    Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("rw-------"));
    Path shadow = Files.writeString(folder.resolve("shadow.yaml"),
        "version: \"1alpha4\"\nrules:\n" + rules("{ finalizer: nothing }, "));
    String log = "decision_log: { file: { path: \"%s\", keep: 0 }%s }\n";
    List<String> sections = List.of("", log.formatted(folder.resolve("plain.log"), ""),
        log.formatted(folder.resolve("hashed.log"), ", hash_key: \"" + key + "\""), "");
    for (int i = 0; i < NAMES.size(); i++) {
      String provider = i < 3 ? "" : ", shadow: \"" + shadow + "\"";
      Path own = Files.createDirectory(folder.resolve("s" + i));
      services.add(new Candidate(command, "decision", rules(""), own, PATH, sections.get(i), provider));
    }
  }

  private void measure() throws IOException, InterruptedException {
    double[][] cpu = new double[NAMES.size()][rounds];
    double[][] p99 = new double[NAMES.size()][rounds];
    int rate = fullRate() / 2;
    for (int round = 0; round < rounds; round++) {
      for (int i = 0; i < NAMES.size(); i++) {
        int one = round % 2 == 0 ? i : NAMES.size() - 1 - i;
        Candidate service = services.get(one);
        double before = service.cpuSeconds();
        long good = new Load(service.port(), CONNECTIONS, _ -> PATH).run(Long.MAX_VALUE, each);
        cpu[one][round] = (service.cpuSeconds() - before) / good * 1e6;
        p99[one][round] = p99(waits(service, rate));
      }
    }
    System.out.printf("%n%-14s %12s %8s   %22s %8s%n", "", "CPU us", "ratio", "p99 us at " + rate + "/s", "ratio");
    for (int i = 0; i < NAMES.size(); i++) {
      System.out.printf("%-14s %12.2f %8.3f   %22.0f %8.3f%n", NAMES.get(i), median(cpu[i]), median(ratios(cpu, i)),
          median(p99[i]), median(ratios(p99, i)));
    }
  }

  private int fullRate() throws InterruptedException {
    double full = 0;
    for (Candidate service : services) {
      long begin = System.nanoTime();
      full = Math.max(full, new Load(service.port(), CONNECTIONS, _ -> PATH).run(Long.MAX_VALUE, each.multipliedBy(4))
          * 1e9 / (System.nanoTime() - begin));
    }
    return (int) full;
  }

  private long[] waits(Candidate service, int rate) throws IOException, InterruptedException {
    long[] took = new Pace(service.port(), CONNECTIONS, rate, PATH).run(each);
    if (took.length == 0) {
      throw new IOException("no request was answered");
    }
    return took;
  }

  /** Returns the 99th percentile of sorted times, in microseconds. */
  private static double p99(long[] took) {
    return took[(int) (took.length * 0.99)] / 1e3;
  }

  private void compareWaits() throws IOException, InterruptedException {
    int rate = fullRate() / 4;
    int shadow = NAMES.size() - 1;
    LongStream[] all = {LongStream.empty(), LongStream.empty()};
    double[] ratios = new double[rounds];
    for (int round = 0; round < rounds; round++) {
      double[] p99 = new double[2];
      for (int i = 0; i < 2; i++) {
        int one = (i + round) % 2;
        long[] took = waits(services.get(one * shadow), rate);
        p99[one] = p99(took);
        all[one] = LongStream.concat(all[one], Arrays.stream(took));
      }
      ratios[round] = p99[1] / p99[0];
    }
    double without = p99(all[0].sorted().toArray());
    double with = p99(all[1].sorted().toArray());
    Arrays.sort(ratios);
    // of the median, by the order of the rounds alone (sign test, 95 %)
    int outside = Math.max(0, (int) (rounds / 2.0 - 0.98 * Math.sqrt(rounds)));
    System.out.printf("%np99 at %d/s, all rounds: %.0f us without, %.0f with shadow rules (%.3f)%n", rate, without,
        with,
        with / without);
    System.out.printf("ratio within a round: median %.3f, %.3f to %.3f with a confidence of 95 %%%n", median(ratios),
        ratios[outside], ratios[rounds - 1 - outside]);
  }

  private static double[] ratios(double[][] all, int one) {
    double[] out = new double[all[one].length];
    Arrays.setAll(out, round -> all[one][round] / all[0][round]);
    return out;
  }

  private static double median(double[] values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    return (sorted[(sorted.length - 1) / 2] + sorted[sorted.length / 2]) / 2;
  }
}
