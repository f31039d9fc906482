package portcullis.serve.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import portcullis.fixture.Await;
import portcullis.http.grpc.GrpcException;
import portcullis.http.message.Response;
import portcullis.http.server.Descriptors;

/** Work for calls whose clients wait for so long only. */
class CallDeadlinesTest {
  private final AtomicReference<Boolean> interrupted = new AtomicReference<>();
  private final AtomicReference<String> outcome = new AtomicReference<>("");

  /** Does the work within that time for a real request; how it ended, and whether its thread is interrupted then. */
  private void does(Duration time, CallDeadlines.Work work) throws IOException {
    DeciderSetup setup = new DeciderSetup(null, "authenticators: [{id: a, type: anonymous}]",
        "- {id: a, match: {routes: [{path: /a}]}, execute: [{authenticator: a}]}\n");
    try (CallDeadlines deadlines = new CallDeadlines()) {
      Listener listener = Listener.start("test", ListenerSettings.plain("127.0.0.1", 0), Optional.empty(),
          transaction -> {
            try {
              outcome.set(new String(deadlines.within(time, transaction, work)));
            } catch (GrpcException e) {
              outcome.set(e.code() + " " + e.getMessage() + "; " + transaction.error());
            }
            interrupted.set(Thread.currentThread().isInterrupted());
            transaction.answer(Response.of(204));
          }, TelemetrySinks.NONE, setup.log(), InstantSource.system(), new Descriptors());
      assertEquals(204, OneRequest.status(OneRequest.receivedCalls(listener.port(), "GET", "/")));
      listener.stop(Duration.ofSeconds(5));
    }
  }

  private static byte[] waits() {
    try {
      new CountDownLatch(1).await();
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt(); // as who is interrupted leaves its thread
    }
    return "late".getBytes();
  }

  @Test
  void workInTimeHasItsResult() throws IOException {
    does(Duration.ofMinutes(1), "done"::getBytes);
    assertEquals("done", outcome.get());
    assertFalse(interrupted.get());
  }

  @Test
  void interruptsLateWorkButNotItsThreadAfterwards() throws IOException {
    does(Duration.ofMillis(50), CallDeadlinesTest::waits);
    String late = "the deadline of the call has passed";
    assertEquals("DEADLINE_EXCEEDED " + late + "; " + late, outcome.get());
    assertFalse(interrupted.get(), "what comes next on this thread has nothing to do with the deadline");
  }

  @Test
  void closingEndsTheThreadThatWatches() throws Exception {
    long before = watching();
    CallDeadlines deadlines = new CallDeadlines();
    assertEquals(before + 1, watching());
    deadlines.close();
    Await.until(() -> watching() == before);
    assertTrue(watching() == before);
  }

  private static long watching() {
    return Thread.getAllStackTraces().keySet().stream().filter(thread -> thread.getName().equals("call-watch")).count();
  }
}
