package portcullis.fuzz;

import java.time.Duration;
import java.util.Random;
import portcullis.serve.runtime.TextFuzz;

/**
 * Tries random texts and random paths until its time is over: {@code build.sh fuzz [SECONDS [SEED]]}. Ends at the first
 * that goes wrong; with the seed that was printed it is found again.
 */
public final class Fuzz {
  private Fuzz() {}

  public static void main(String... words) throws Exception {
    Duration time = Duration.ofSeconds(words.length > 0 ? Long.parseLong(words[0]) : 60);
    long seed = words.length > 1 ? Long.parseLong(words[1]) : System.nanoTime();
    System.out.printf("%d seconds of random texts and paths, seed %d%n", time.toSeconds(), seed);
    Random random = new Random(seed);
    TextFuzz texts = new TextFuzz(random);
    PathFuzz paths = new PathFuzz(random);
    long end = System.nanoTime() + time.toNanos();
    long tried = 0;
    while (System.nanoTime() < end) {
      texts.once();
      for (int i = 0; i < 50; i++) {
        paths.once();
      }
      tried++;
    }
    System.out.printf("%,d texts, of which %,d were sound, and %,d paths, of which %,d found a rule: nothing went "
        + "wrong%n", tried,
        texts.sound(), 50 * tried, paths.passed());
  }
}
