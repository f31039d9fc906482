package portcullis.background;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import portcullis.fixture.Await;

/** No error ends a background task, and each is reported. */
final class BackgroundTaskTest {
  private static final Duration LONG = Duration.ofSeconds(60);

  private final BlockingQueue<String> reports = new LinkedBlockingQueue<>();

  private Thread.Builder reporting(Thread.Builder.OfPlatform threads) {
    return threads.name("poller")
        .uncaughtExceptionHandler((thread, error) -> reports.add(thread.getName() + ": " + error));
  }

  private static void raise(String kind) throws Exception {
    switch (kind) {
      case "checked" -> throw new IOException("x");
      case "runtime" -> throw new IllegalStateException("x");
      case "memory" -> throw new OutOfMemoryError("x");
      case "stack" -> throw new StackOverflowError("x");
      case "interrupt" -> throw new InterruptedException("x");
      default -> throw new NoClassDefFoundError("x");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"checked", "runtime", "memory", "stack", "interrupt", "linkage"})
  void goesOnAfterAnyErrorAndReportsIt(String kind) throws Exception {
    AtomicInteger rounds = new AtomicInteger();
    BackgroundTask task = BackgroundTask.start(reporting(Thread.ofPlatform()), () -> {
      if (rounds.incrementAndGet() == 1) {
        raise(kind);
      }
      return false;
    });
    task.join(LONG);
    assertFalse(task.isAlive());
    assertEquals(2, rounds.get());
    assertTrue(reports.poll().startsWith("poller: java."));
    assertEquals(List.of(), List.copyOf(reports));
  }

  @Test
  void handlerThatFailsEndsNothing() {
    AtomicInteger rounds = new AtomicInteger();
    BackgroundTask task = BackgroundTask.start(Thread.ofPlatform().uncaughtExceptionHandler((_, _) -> {
      throw new IllegalStateException("no log");
    }), () -> {
      if (rounds.incrementAndGet() == 1) {
        throw new IllegalStateException("first");
      }
      return false;
    });
    task.join(LONG);
    assertEquals(2, rounds.get());
  }

  @Test
  void endsWhenItIsClosedInTheMiddleOfARound() throws Exception {
    CountDownLatch waits = new CountDownLatch(1);
    BackgroundTask task = BackgroundTask.start(reporting(Thread.ofPlatform()), () -> {
      waits.countDown();
      Await.pause(LONG);
      return true;
    });
    assertTrue(waits.await(60, TimeUnit.SECONDS));
    task.close();
    task.join(LONG);
    assertFalse(task.isAlive());
    assertEquals(List.of(), List.copyOf(reports));
  }

  @Test
  void endsWhenItIsClosedInAPauseAfterErrors() throws Exception {
    BackgroundTask task = BackgroundTask.start(reporting(Thread.ofPlatform()), () -> {
      throw new IllegalStateException("again");
    });
    for (int i = 0; i < 3; i++) {
      assertEquals("poller: java.lang.IllegalStateException: again", reports.poll(60, TimeUnit.SECONDS));
    }
    task.close();
    task.join(LONG);
    assertFalse(task.isAlive());
  }

  @Test
  void faultOfAGuardedPartLeavesTheRestOfTheRound() {
    AtomicInteger parts = new AtomicInteger();
    BackgroundTask task = BackgroundTask.start(reporting(Thread.ofPlatform()), () -> {
      BackgroundTask.guarded(() -> {
        throw new IllegalStateException("part");
      });
      parts.incrementAndGet();
      return false;
    });
    task.join(LONG);
    assertEquals(1, parts.get());
    assertEquals("poller: java.lang.IllegalStateException: part", reports.poll());
  }
}
