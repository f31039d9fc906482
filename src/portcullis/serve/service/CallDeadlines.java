package portcullis.serve.service;

import java.time.Duration;
import portcullis.http.grpc.Code;
import portcullis.http.grpc.GrpcException;
import portcullis.http.wire.DeadlineTimer;

/** Interrupts gRPC calls whose deadline has passed. Thread safe. */
final class CallDeadlines implements AutoCloseable {
  /** Work with a deadline. */
  interface Work {
    byte[] result() throws GrpcException;
  }

  private final DeadlineTimer watch = new DeadlineTimer("call-watch");

  /**
   * Returns the result of the work if it ends in time; the thread is not interrupted after this method has returned.
   */
  byte[] within(Duration time, Transaction transaction, Work work) throws GrpcException {
    Alarm alarm = new Alarm(Thread.currentThread());
    long end = System.nanoTime() + time.toNanos();
    try (DeadlineTimer.Deadline deadline = watch.deadline(alarm::ring)) {
      deadline.until(end);
      byte[] result = work.result();
      if (System.nanoTime() - end < 0) {
        return result;
      }
    } finally {
      alarm.disarm();
    }
    transaction.markDenied("the deadline of the call has passed");
    throw new GrpcException(Code.DEADLINE_EXCEEDED, "the deadline of the call has passed");
  }

  @Override
  public void close() {
    watch.close();
  }

  /** Interrupts a thread unless it is disarmed; disarming clears an interrupt that it has caused. */
  private static final class Alarm {
    private final Thread thread;
    private boolean armed = true;
    private boolean rung;

    Alarm(Thread thread) {
      this.thread = thread;
    }

    synchronized void ring() {
      if (armed) {
        rung = true;
        thread.interrupt();
      }
    }

    synchronized void disarm() {
      armed = false;
      if (rung) {
        Thread.interrupted();
      }
    }
  }
}
