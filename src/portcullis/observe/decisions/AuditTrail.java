package portcullis.observe.decisions;

import java.util.Optional;

/**
 * The record of everything that changes how requests are decided, besides the decisions: starts, reloads, key changes,
 * locks. Whoever changes something records it first, and only if that succeeds makes the change:
 *
 * <pre>{@code
 * audit.record(AuditEvent.of("lock", "management " + client).with("subject", hash).with("until", until.toString()));
 * locks.add(lock);
 * }</pre>
 *
 * <p>An {@link AuditException} is the reason why it is refused, in words for an operator. What is recorded is signed
 * and sent to the anchors at once; secrets are passed as keyed hashes. Services get it from their telemetry sinks.
 * Thread safe.
 */
@FunctionalInterface
public interface AuditTrail {
  /** Records nothing; for runs without an audit chain. */
  AuditTrail NONE = _ -> {};

  /** Records an event, within five seconds. @throws AuditException if it cannot, and such events are to be refused */
  void record(AuditEvent event) throws AuditException;

  /** Returns the last line of the chain; empty if there is none. */
  default Optional<ChainHead> head() {
    return Optional.empty();
  }

  /** Records the outcome of something that has happened, if it can; never throws. */
  default void note(AuditEvent event) {
    try {
      record(event);
    } catch (AuditException _) {
      // the log reports it
    }
  }
}
