package portcullis.mutation;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;

/**
 * Changes random lines, one at a time, and prints which changes no unit test notices: {@code build.sh mutate [COUNT
 * [SEED [PLACE...]]]}, where a place is {@code FILE}, or {@code FILE:LINE} for every change of that line. Ends with 1
 * where fewer than 95 of 100 are noticed. {@code build.sh mutate uncovered} prints the lines that no unit test runs.
 */
public final class Mutate {
  private static final List<String> PACKAGES = List.of("policy/authenticator", "policy/decision", "http/message",
      "policy/route", "crypto/jwt", "crypto/keys",
      "serve/service", "policy/cache");
  private static final Path REVIEWED = Path.of("test/data/mutation/reviewed.txt");
  private static final Path FOLDER = Path.of("build/mutation");
  private static final String JARS = System.getProperty("mutation.jars");
  private static final double WANTED = 0.95;
  /** How many changes are tried at a time on a processor: most tests wait most of their time. */
  private static final int LANES = 2;

  private final Program program;
  private final Random random;
  private final Reviewed reviewed;
  private final PrintStream out;
  private final Map<Path, String> sources = new TreeMap<>();
  private int noticed;
  private int unnoticed;
  private int same;

  private Mutate(Program program, Random random, Reviewed reviewed, PrintStream out) {
    this.program = program;
    this.random = random;
    this.reviewed = reviewed;
    this.out = out;
  }

  public static void main(String... words) throws Exception {
    if (words.length > 0 && words[0].equals("uncovered")) {
      new Mutate(program(), new Random(0), Reviewed.read(REVIEWED), System.out).printUncovered();
      return;
    }
    int count = words.length > 0 ? Integer.parseInt(words[0]) : 200;
    long seed = words.length > 1 ? Long.parseLong(words[1]) : System.nanoTime();
    List<String> places = words.length > 2 ? List.of(words).subList(2, words.length) : List.of();
    System.out.printf("%s, seed %d%n", places.isEmpty() ? count + " lines" : String.join(" ", places), seed);
    boolean enough = new Mutate(program(), new Random(seed), Reviewed.read(REVIEWED), System.out).run(count, places);
    System.exit(enough ? 0 : 1);
  }

  private static Program program() throws IOException {
    return new Program(Files.createDirectories(FOLDER), JARS);
  }

  private boolean run(int count, List<String> places) throws Exception {
    reviewed.check(Program.SOURCES);
    List<List<Mutation>> lines = lines(places);
    if (lines.isEmpty()) {
      throw new IllegalArgumentException("no line to change at " + String.join(" ", places) + ": write FILE.java:LINE");
    }
    Coverage coverage = program.coverage(PACKAGES);
    Collections.shuffle(lines, random);
    boolean every = places.stream().anyMatch(place -> place.contains(":"));
    lines.forEach(line -> Collections.shuffle(line, random));
    Queue<List<Mutation>> waiting = new ConcurrentLinkedQueue<>(every ? lines.stream().flatMap(List::stream)
        .map(List::of).toList() : lines);
    AtomicInteger left = new AtomicInteger(every ? Integer.MAX_VALUE : count);
    List<Callable<Void>> work = new ArrayList<>();
    for (int i = 0; i < LANES * Runtime.getRuntime().availableProcessors(); i++) {
      Path folder = FOLDER.resolve("trial-" + i);
      work.add(() -> {
        try (Trial trial = new Trial(folder, JARS)) {
          while (left.getAndDecrement() > 0 && attempt(waiting, trial, coverage)) {
            // the next
          }
        }
        return null;
      });
    }
    InParallel.run(work);
    int all = noticed + unnoticed;
    out.printf(Locale.ROOT, "%d changes, %d noticed (%.1f %%), %d not; %d reviewed ones make no difference%n", all,
        noticed,
        all == 0 ? 0 : 100.0 * noticed / all, unnoticed, same);
    return all > 0 && noticed >= WANTED * all;
  }

  /** Prints the lines whose changes no test can notice, as no test class runs them. */
  private void printUncovered() throws IOException, InterruptedException {
    List<List<Mutation>> lines = lines(List.of());
    Coverage coverage = program.coverage(PACKAGES);
    int none = 0;
    for (List<Mutation> line : lines) {
      Mutation first = line.getFirst();
      String source = sources.get(first.file());
      if (coverage.tests(first.file().toString(), first.line(), first.lastLine(source)).isEmpty()) {
        out.println(first.file() + ":" + first.line() + ": "
            + source.lines().skip(first.line() - 1L).findFirst().orElse("").strip());
        none++;
      }
    }
    out.printf("%d of %d lines are run by no test%n", none, lines.size());
  }

  /** The changes of each line that has any. */
  private List<List<Mutation>> lines(List<String> places) throws IOException {
    List<List<Mutation>> out = new ArrayList<>();
    for (String name : PACKAGES) {
      try (var files = Files.list(Program.SOURCES.resolve("portcullis", name))) {
        for (Path file : files.filter(f -> f.toString().endsWith(".java")).sorted().toList()) {
          Path path = Program.SOURCES.relativize(file);
          String source = Files.readString(file);
          sources.put(path, source);
          out.addAll(Mutator.of(path, source).stream().filter(m -> isWanted(m, places))
              .collect(Collectors.groupingBy(Mutation::line, TreeMap::new, Collectors.toCollection(ArrayList::new)))
              .values());
        }
      }
    }
    return out;
  }

  private static boolean isWanted(Mutation mutation, List<String> places) {
    String file = mutation.file().toString();
    return places.isEmpty()
        || places.stream().anyMatch(place -> (file + ":" + mutation.line()).endsWith(place) || file.endsWith(place));
  }

  /** Tries a change of the first of these lines that has one to be counted; false where none has. */
  private boolean attempt(Queue<List<Mutation>> lines, Trial trial, Coverage coverage)
      throws IOException, InterruptedException {
    for (List<Mutation> line = lines.poll(); line != null; line = lines.poll()) {
      for (Mutation mutation : line) {
        if (attempt(mutation, trial, coverage)) {
          return true;
        }
      }
    }
    return false;
  }

  /** False where the change is none to be counted, as it does not compile or makes no difference. */
  private boolean attempt(Mutation mutation, Trial trial, Coverage coverage) throws IOException, InterruptedException {
    String source = sources.get(mutation.file());
    if (reviewed.reason(mutation, source).isPresent()) {
      count(() -> same++);
      return false;
    }
    if (!trial.compiles(mutation, source)) {
      return false;
    }
    List<String> tests = coverage.tests(mutation.file().toString(), mutation.line(), mutation.lastLine(source));
    Optional<String> test = trial.notices(tests, coverage::millis);
    count(test.isPresent() ? () -> noticed++ : () -> unnoticed++);
    out.println((test.isPresent() ? "noticed   " : "UNNOTICED ") + mutation + test.map(name -> ", by " + name)
        .orElse(", " + tests.size() + " test classes run it"));
    return true;
  }

  private synchronized void count(Runnable counter) {
    counter.run();
  }
}
