package portcullis.serve.service;

import java.time.Duration;
import portcullis.http.grpc.Code;
import portcullis.http.grpc.GrpcException;
import portcullis.http.wire.DeadlineTimer;

/** Ends calls that their clients wait for no longer: whatever they are waiting for is interrupted. Thread safe. */
final class CallDeadlines implements AutoCloseable {
  /** What has an end. */
  interface Work {
    byte[] result() throws GrpcException;
  }

  private final DeadlineTimer watch = new DeadlineTimer("call-watch");

  /** The work's result, unless it comes too late. Afterwards the thread is not interrupted by this any more. */
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

  /** Interrupts a thread, unless it has been disarmed; that takes back an interruption that came. */
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
