package portcullis.http.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class StreamQueueTest {
  private final Queue<Runnable> scheduled = new ArrayDeque<>();
  private final List<String> begun = new ArrayList<>();
  private final AtomicInteger missing = new AtomicInteger();
  private final StreamQueue<String> queue = new StreamQueue<>(this::schedule, begun::add);

  private void schedule(Runnable task) {
    if (missing.getAndUpdate(n -> Math.max(0, n - 1)) > 0) {
      throw new OutOfMemoryError("no thread");
    }
    scheduled.add(task);
  }

  private void add(String... streams) {
    List.of(streams).forEach(queue::add);
  }

  private void runOne() {
    scheduled.remove().run();
  }

  @Test
  void oneAtATimeIsScheduled() {
    add("a", "b", "c");
    for (String all : List.of("a", "ab", "abc")) {
      assertEquals(1, scheduled.size());
      runOne();
      assertEquals(all, String.join("", begun));
    }
    assertEquals(0, scheduled.size());
    add("d");
    runOne();
    assertEquals(List.of("a", "b", "c", "d"), begun);
  }

  /** The next is scheduled before a handler runs, which may take long. */
  @Test
  void nextDoesNotWaitForTheEndOfAHandler() {
    List<Integer> others = new ArrayList<>();
    StreamQueue<String> waits = new StreamQueue<>(this::schedule, _ -> others.add(scheduled.size()));
    List.of("a", "b", "c").forEach(waits::add);
    runOne();
    runOne();
    runOne();
    assertEquals(List.of(1, 1, 0), others);
  }

  @Test
  void whatIsTakenBackIsNotBegun() {
    add("a", "b", "c");
    assertTrue(queue.remove("a"));
    assertFalse(queue.remove("a"));
    runOne();
    assertEquals(List.of("b"), begun);
    assertFalse(queue.remove("b"));
    assertEquals(List.of("c"), queue.clear());
    assertEquals(List.of(), queue.clear());
    runOne();
    assertEquals(List.of("b"), begun);
    add("d");
    runOne();
    assertEquals(List.of("b", "d"), begun);
    assertEquals(0, scheduled.size());
  }

  @Test
  void oneThreadHandlesAllWhereThereIsNoMemoryForMore() {
    StreamQueue<String> fails = new StreamQueue<>(this::schedule, stream -> {
      begun.add(stream);
      if (stream.equals("b")) {
        throw new IllegalStateException("of this stream");
      }
    });
    List.of("a", "b", "c", "d").forEach(fails::add);
    missing.set(2);
    Thread.UncaughtExceptionHandler before = Thread.currentThread().getUncaughtExceptionHandler();
    List<String> reported = new ArrayList<>();
    Thread.currentThread().setUncaughtExceptionHandler((_, error) -> reported.add(error.getMessage()));
    try {
      runOne();
    } finally {
      Thread.currentThread().setUncaughtExceptionHandler(before);
    }
    assertEquals(List.of("a", "b", "c"), begun);
    assertEquals(List.of("of this stream"), reported);
    runOne();
    assertEquals(List.of("a", "b", "c", "d"), begun);
  }

  @Test
  void withoutMemoryForTheFirstTheCallerLearnsOfIt() {
    missing.set(1);
    assertThrows(OutOfMemoryError.class, () -> queue.add("a"));
    assertEquals(List.of("a"), queue.clear());
    add("b");
    runOne();
    assertEquals(List.of("b"), begun);
  }
}
