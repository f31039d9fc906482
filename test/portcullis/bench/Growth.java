package portcullis.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import portcullis.bench.Series.Point;

/**
 * Measures how costs grow, prints them, and draws them: {@code Growth PICTURE SECONDS NAME=COMMAND...}, where SECONDS
 * bound each point. Each program must take {@code serve MODE -c FILE --insecure}. With five seconds it takes two
 * minutes a program.
 */
public final class Growth {
  private static final int[] RULES = {100, 1_000, 10_000, 100_000};
  private static final long[] BYTES = {0, 1 << 10, 1 << 16, 1 << 20, 1 << 23, 1 << 26};
  private static final int[] CONNECTIONS = {1, 10, 100, 1_000, 4_000};
  private static final long REQUESTS = 200_000;
  private static final long VOLUME = 1L << 30;

  private static final List<String> TITLES = List.of("CPU by rules", "Memory by rules", "Start by rules",
      "CPU by size of the answer",
      "CPU by connections", "Memory by connections");

  private final Duration each;
  private final Map<String, List<Series>> measured = new LinkedHashMap<>();

  private Growth(Duration each) {
    this.each = each;
    TITLES.forEach(title -> measured.put(title, new ArrayList<>()));
  }

  public static void main(String[] words) throws IOException, InterruptedException {
    Growth growth = new Growth(Duration.ofSeconds(Long.parseLong(words[1])));
    for (String target : List.of(words).subList(2, words.length)) {
      growth.measure(target.substring(0, target.indexOf('=')),
          List.of(target.substring(target.indexOf('=') + 1).split(" ")));
    }
    Files.writeString(Path.of(words[0]), Chart.picture(growth.charts()));
    System.out.println("drawn: " + words[0]);
  }

  private void measure(String name, List<String> command) throws IOException, InterruptedException {
    Path folder = Files.createTempDirectory("growth");
    try {
      byRules(name, command, folder);
      byBytes(name, command, folder);
      byConnections(name, command, folder);
    } finally {
      for (String file : List.of("rules.yaml", "config.yaml", "")) {
        Files.deleteIfExists(folder.resolve(file));
      }
    }
  }

  private static String rule(int number, String path, String more) {
    return "  - { id: r" + number + ", match: { routes: [ { path: \"" + path + "\" } ] }, " + more
        + "execute: [ { authenticator: anon }, { finalizer: nothing } ] }\n";
  }

  private static String rules(int count) {
    StringBuilder out = new StringBuilder();
    for (int i = 0; i < count; i++) {
      out.append(rule(i, "/svc" + i % 100 + "/api" + i + "/:id/items/:item", ""));
    }
    return out.toString();
  }

  private void byRules(String name, List<String> command, Path folder) throws IOException, InterruptedException {
    List<Point> cpu = new ArrayList<>();
    List<Point> memory = new ArrayList<>();
    List<Point> start = new ArrayList<>();
    for (int count : RULES) {
      try (Candidate candidate = new Candidate(command, "decision", rules(count), folder, "/svc0/api0/1/items/9")) {
        Load load = new Load(candidate.port(), 16, i -> path(i * 7919 % count, i));
        cpu.add(new Point(count, candidate.cpuMicros(load, REQUESTS, each)));
        memory.add(new Point(count, candidate.megabytes()));
        start.add(new Point(count, candidate.start().toMillis()));
      }
    }
    add(name, "CPU by rules", cpu);
    add(name, "Memory by rules", memory);
    add(name, "Start by rules", start);
  }

  private static String path(long rule, long id) {
    return "/svc" + rule % 100 + "/api" + rule + "/" + id + "/items/9";
  }

  private void byBytes(String name, List<String> command, Path folder) throws IOException, InterruptedException {
    List<Point> cpu = new ArrayList<>();
    try (Upstream upstream = new Upstream()) {
      String rule = rule(0, "/body/:size", "forward_to: { host: \"127.0.0.1:" + upstream.port() + "\" }, ");
      try (Candidate candidate = new Candidate(command, "proxy", rule, folder, "/body/0")) {
        for (long bytes : BYTES) {
          long requests = Math.clamp(VOLUME / Math.max(bytes, 1), 4, REQUESTS / 2);
          cpu.add(new Point(bytes,
              candidate.cpuMicros(new Load(candidate.port(), 4, _ -> "/body/" + bytes), requests, each)));
        }
      }
    }
    add(name, "CPU by size of the answer", cpu);
  }

  private void byConnections(String name, List<String> command, Path folder) throws IOException, InterruptedException {
    List<Point> cpu = new ArrayList<>();
    List<Point> memory = new ArrayList<>();
    try (Candidate candidate = new Candidate(command, "decision", rules(100), folder, "/svc0/api0/1/items/9")) {
      for (int connections : CONNECTIONS) {
        Load load = new Load(candidate.port(), connections, i -> path(i % 100, i));
        cpu.add(new Point(connections, candidate.cpuMicros(load, REQUESTS, each)));
        memory.add(new Point(connections, candidate.megabytes()));
      }
    }
    add(name, "CPU by connections", cpu);
    add(name, "Memory by connections", memory);
  }

  private void add(String name, String title, List<Point> points) {
    measured.get(title).add(new Series(name, points));
    System.out.println(name + ", " + title + ": " + String.join(", ", points.stream()
        .map(p -> "%,.0f: %,.0f".formatted(p.x(), p.y())).toList()));
  }

  private List<Chart> charts() {
    return measured.entrySet().stream()
        .map(m -> new Chart(m.getKey(), across(m.getKey()), up(m.getKey()), m.getValue())).toList();
  }

  private static String across(String title) {
    return title.endsWith("rules") ? "rules" : title.endsWith("connections") ? "connections" : "bytes";
  }

  private static String up(String title) {
    return title.startsWith("CPU") ? "µs a request" : title.startsWith("Start") ? "ms" : "MB";
  }
}
