package portcullis.floors;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * No test depends on how fast the machine is: what is to happen is waited for by {@code Await.until}, and time that is
 * part of a scenario passes by {@code Await.pause}.
 */
class WaitsTest {
  private static final Path TESTS = Path.of("test/portcullis");
  private static final Pattern SLEEP = Pattern.compile("\\b(Thread|[A-Z]+S)\\s*(\\.|::)\\s*sleep\\b");

  private static final Set<String> MAY = Set.of("fixture/Await.java",
      // a thread that sleeps is its subject, and how long a start takes
      "observe/profiling/ProfilerTest.java", "bench/Candidate.java");

  @Test
  void noTestSleeps() throws IOException {
    try (var files = Files.walk(TESTS)) {
      assertEquals(List.of(), files.filter(file -> file.toString().endsWith(".java")).filter(WaitsTest::sleeps)
          .map(file -> TESTS.relativize(file).toString()).filter(file -> !MAY.contains(file)).sorted().toList(),
          "use fixture.Await: until(CONDITION) for what is to happen, pause(TIME) for a part of the scenario");
    }
  }

  private static boolean sleeps(Path file) {
    try {
      return sleeps(Files.readString(file));
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private static boolean sleeps(String text) {
    return SLEEP.matcher(text).find();
  }

  /** Written in parts, so that this file has none. */
  @ParameterizedTest
  @CsvSource({"Thread., sleep(10);, true", "Thread . , sleep(time);, true", "Thread::, sleep, true",
    "TimeUnit.SECONDS., sleep(1);, true", "Await., pause(10);, false", "time., sleep(3), false",
    "Thread., sleeping(), false"})
  void aSleepIsSeen(String owner, String call, boolean is) {
    assertEquals(is, sleeps(owner + call));
  }
}
