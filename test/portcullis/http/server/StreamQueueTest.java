package portcullis.http.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import portcullis.fixture.Await;

class StreamQueueTest {
  private static final int MOST_SCHEDULED = 4;
  private static final int MOST_WAITING = 16;

  private final ConcurrentLinkedDeque<Runnable> scheduled = new ConcurrentLinkedDeque<>();
  private final List<String> begun = new CopyOnWriteArrayList<>();
  private final AtomicInteger missing = new AtomicInteger();
  private final StreamQueue<String> queue = new StreamQueue<>(this::schedule, this::handle);

  private void schedule(Runnable task) {
    if (missing.getAndUpdate(n -> Math.max(0, n - 1)) > 0) {
      throw new OutOfMemoryError("no thread");
    }
    scheduled.add(task);
  }

  private void handle(String stream) {
    begun.add(stream);
    if (stream.equals("fails")) {
      throw new IllegalStateException("of this stream");
    }
  }

  private void add(String... streams) throws IOException {
    for (String stream : streams) {
      queue.add(stream);
    }
  }

  private void runOne() {
    scheduled.remove().run();
  }

  private void runAll() {
    while (!scheduled.isEmpty()) {
      runOne();
    }
  }

  @Test
  void aFewAtATimeAreScheduled() throws IOException {
    add("a", "b", "c", "d", "e", "f");
    for (int expected : new int[] {MOST_SCHEDULED, MOST_SCHEDULED, MOST_SCHEDULED, 3, 2, 1, 0}) {
      assertEquals(expected, scheduled.size());
      if (expected > 0) {
        runOne();
      }
    }
    assertEquals(List.of("a", "b", "c", "d", "e", "f"), begun);
    add("g");
    runAll();
    assertEquals("g", begun.getLast());
  }

  /** Others are scheduled before a handler runs, which may take long. */
  @Test
  void nextDoesNotWaitForTheEndOfAHandler() throws IOException {
    List<Integer> others = new ArrayList<>();
    StreamQueue<String> waits = new StreamQueue<>(this::schedule, _ -> others.add(scheduled.size()));
    for (int i = 0; i <= MOST_SCHEDULED; i++) {
      waits.add("a");
    }
    runAll();
    assertEquals(List.of(4, 3, 2, 1, 0), others);
  }

  @Test
  void whatIsTakenBackIsNotBegun() throws IOException {
    add("a", "b", "c");
    assertTrue(queue.remove("a"));
    assertFalse(queue.remove("a"));
    runOne();
    assertEquals(List.of("b"), begun);
    assertFalse(queue.remove("b"));
    assertEquals(List.of("c"), queue.clear());
    assertEquals(List.of(), queue.clear());
    runAll();
    assertEquals(List.of("b"), begun);
    add("d");
    runAll();
    assertEquals(List.of("b", "d"), begun);
  }

  /** The reader goes on once some have been begun. */
  @Test
  void readerWaitsWhileTooManyAreHeld() throws Exception {
    AtomicInteger added = new AtomicInteger();
    Thread reader = Thread.ofPlatform().daemon().start(() -> {
      try {
        while (true) {
          queue.add(Integer.toString(added.get()));
          added.incrementAndGet();
        }
      } catch (IOException e) {
        begun.add(e.getMessage());
      }
    });
    Await.until(() -> reader.getState() == Thread.State.WAITING && added.get() == MOST_WAITING - 1);
    for (int i = 1; i < MOST_SCHEDULED; i++) {
      runOne();
    }
    assertEquals(Thread.State.WAITING, reader.getState());
    runOne();
    Await.until(() -> reader.getState() == Thread.State.WAITING && added.get() == MOST_WAITING + MOST_SCHEDULED - 1);
    reader.interrupt();
    reader.join();
    assertEquals("interrupted between requests", begun.getLast());
  }

  @Test
  void oneThreadHandlesAllWhereThereIsNoMemoryForMore() throws IOException {
    add("a");
    Runnable only = scheduled.remove();
    missing.set(3);
    for (String stream : List.of("fails", "b", "c")) {
      assertThrows(OutOfMemoryError.class, () -> queue.add(stream));
    }
    missing.set(3);
    assertThrows(IllegalStateException.class, only::run);
    assertEquals(List.of("a", "fails", "b", "c"), begun);
    assertEquals(0, scheduled.size());
    add("d");
    runAll();
    assertEquals("d", begun.getLast());
  }

  @Test
  void withoutMemoryForTheFirstTheCallerLearnsOfIt() throws IOException {
    missing.set(1);
    assertThrows(OutOfMemoryError.class, () -> queue.add("a"));
    assertEquals(List.of("a"), queue.clear());
    add("b");
    runAll();
    assertEquals(List.of("b"), begun);
  }
}
