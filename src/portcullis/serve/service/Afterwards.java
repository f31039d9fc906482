package portcullis.serve.service;

import portcullis.background.BackgroundTask;
import portcullis.observe.telemetry.RequestId;

/**
 * What is to be done at the end of a request that outlasts its handler, as a tunnel does: until then nothing else of it
 * is kept. It is done once both the handler has returned and the request is over, by the later of the two threads, with
 * the id and the trace of the request.
 */
final class Afterwards implements Runnable {
  private static final End NOTHING = _ -> {};

  private final Runnable all = RequestId.kept(this);
  private End ends = NOTHING;
  private int awaited = 2;
  private String error = "";

  /** Something to be done at the end of a request. */
  interface End {
    /** @param error what went wrong with the request; empty if nothing did */
    void run(String error);
  }

  /** Adds what is to be done after all that was added before; for the handler's thread. */
  void add(End end) {
    End before = ends;
    ends = before == NOTHING ? end : error -> {
      BackgroundTask.guarded(() -> before.run(error));
      end.run(error);
    };
  }

  /** Records that the handler has returned, which adds nothing more. */
  void returned() {
    arrive();
  }

  /** Records that the request is over. @param why it did not come to its end; empty if it did */
  void over(String why) {
    error = why;
    arrive();
  }

  private void arrive() {
    if (isLast()) {
      all.run();
    }
  }

  private synchronized boolean isLast() {
    awaited--;
    return awaited == 0;
  }

  /** Does it all; for this class alone. */
  @Override
  public void run() {
    BackgroundTask.guarded(() -> ends.run(error));
  }
}
