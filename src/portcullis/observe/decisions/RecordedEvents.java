package portcullis.observe.decisions;

import java.io.IOException;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import portcullis.background.BackgroundTask;
import portcullis.observe.telemetry.Log;

/**
 * The events of an audit chain, and its checkpoints that are due after a time. An event that cannot be written is
 * refused or counted, as configured. Thread safe.
 */
final class RecordedEvents implements AuditTrail, AutoCloseable {
  private static final String PROBLEM = "audit chain";

  private final AuditChain chain;
  private final AuditSettings settings;
  private final UnaryOperator<String> shown;
  private final Consumer<String> others;
  private final Consumer<String> lost;
  private final InstantSource clock;
  private final Log log;
  private final BackgroundTask task;

  /**
   * @param shown what is recorded of a secret
   * @param others gets the line of each event, for outputs that are not chained
   * @param lost gets the reason why an event is not recorded, to be counted in the chain as soon as it can be written
   */
  RecordedEvents(AuditChain chain, AuditSettings settings, UnaryOperator<String> shown, Consumer<String> others,
      Consumer<String> lost, InstantSource clock, Log log) {
    this.chain = chain;
    this.shown = shown;
    this.settings = settings;
    this.others = others;
    this.lost = lost;
    this.clock = clock;
    this.log = log;
    this.task = BackgroundTask.start(Thread.ofVirtual().name("audit checkpoints"), this::round);
  }

  private boolean round() throws InterruptedException {
    Thread.sleep(settings.interval());
    try {
      chain.confirm();
    } catch (IOException _) {
      // the next write or the next round reports it, or writes the checkpoint
    }
    return true;
  }

  @Override
  public void record(AuditEvent whole) throws AuditException {
    AuditEvent event = whole.recorded(shown);
    try {
      chain.record(event);
      log.resolved(PROBLEM, "Audit log is written again");
    } catch (AuditException e) {
      log.problem(PROBLEM, settings.blocks() ? "Event refused, it cannot be recorded" : "Event is not recorded",
          "_event", event.kind(), "_error", e.getMessage());
      if (settings.blocks()) {
        throw e;
      }
      lost.accept(e.getMessage());
    }
    others.accept(event.line(clock.instant()));
  }

  @Override
  public Optional<ChainHead> head() {
    return chain.head();
  }

  @Override
  public void close() {
    task.close();
  }
}
