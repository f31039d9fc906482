package portcullis.background;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** A thread can take a low priority, and no other one gets it. */
final class LowPriorityTest {
  private static final Path STAT = Path.of("/proc/thread-self/stat");

  /** The nice value of the calling thread (proc_pid_stat(5)). */
  private static int nice() throws Exception {
    String stat = Files.readString(STAT);
    return Integer.parseInt(stat.substring(stat.lastIndexOf(')') + 2).split(" ")[16]);
  }

  @Test
  void onlyTheCallingThreadGetsIt() throws Exception {
    assumeTrue(Files.exists(STAT), "no " + STAT);
    int before = nice();
    FutureTask<Integer> other = new FutureTask<>(() -> {
      assertTrue(LowPriority.take());
      return nice();
    });
    Thread.ofPlatform().start(other);

    assertEquals(10, other.get(60, TimeUnit.SECONDS));
    assertEquals(before, nice());
  }
}
