package portcullis.serve.stream;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import portcullis.http.message.Request;
import portcullis.observe.telemetry.RequestId;
import portcullis.policy.mechanism.Credential;
import portcullis.policy.mechanism.Subject;
import portcullis.policy.rule.Rule;

/**
 * A registered exchange with an upstream. It is opened by the thread of the exchange, closed by the one that ends the
 * exchange, and ended by any other.
 */
public final class LiveStream extends Wheel.Item implements AutoCloseable {
  private final Object gate = new Object();
  private final StreamRegistry registry;
  private final Instant started;
  private final Optional<RequestId> id = RequestId.current();
  private volatile Request request;
  private volatile Subject subject;
  private volatile Rule rule;
  private volatile StreamKind kind;
  private boolean isChecked;
  private volatile long checked;
  private volatile int failures;
  private StreamControl control;
  private volatile Optional<EndReason> ended = Optional.empty();
  private volatile long endedAt;
  private volatile boolean closed;
  private volatile boolean tunnel;

  /** @param now in nanoseconds of the registry's clock */
  LiveStream(StreamRegistry registry, StreamKind kind, Request request, Subject subject, Rule rule,
      StreamControl control, Instant started, long now) {
    this.registry = registry;
    this.kind = kind;
    this.request = request;
    this.subject = subject;
    this.rule = rule;
    this.control = control;
    this.started = started;
    this.checked = now;
  }

  /** Does something for it, so that lines in the log have the id of its request. */
  void during(Runnable action) {
    RequestId.during(id, action);
  }

  public Request request() {
    return request;
  }

  public Subject subject() {
    return subject;
  }

  /** Returns the rule that allowed it last. */
  public Rule rule() {
    return rule;
  }

  public StreamKind kind() {
    return kind;
  }

  public Instant started() {
    return started;
  }

  /** Returns why it was ended; empty if it was not. */
  public Optional<EndReason> ended() {
    return ended;
  }

  /** Returns when it was ended, in nanoseconds of the registry's clock. */
  long endedAt() {
    return endedAt;
  }

  /** Returns whether the service stops, which ends tunnels at once. */
  public boolean isStopping() {
    return registry.isStopping();
  }

  boolean isClosed() {
    return closed;
  }

  /** Sets the kind, once it is known. */
  public void becomes(StreamKind known) {
    if (known != kind) {
      kind = known;
      registry.schedule(this);
    }
  }

  /** Keeps no more than it needs, once it is known to last. */
  public void lasts() {
    request = request.lasting();
  }

  /** Sets the kind and the way to end it, once it is known to last after its request has been handled. */
  public void becomes(StreamKind known, StreamControl other) {
    kind = known;
    request = request.lasting();
    Optional<EndReason> reason;
    synchronized (gate) {
      control = other;
      reason = ended;
    }
    reason.ifPresent(other::end);
    tunnel = true;
    registry.schedule(this);
    registry.endIfStopping(this);
  }

  /** Returns whether it has become a tunnel, whose end is up to its sides. */
  boolean isTunnel() {
    return tunnel;
  }

  /** Ends it, and returns whether that is new. */
  boolean end(EndReason reason, long now) {
    if (ended.isPresent()) {
      return false;
    }
    synchronized (gate) {
      if (closed || ended.isPresent()) {
        return false;
      }
      endedAt = now;
      ended = Optional.of(reason);
    }
    act(true);
    return true;
  }

  /** Records that it has ended by itself, since nothing has passed for too long. */
  public void endedIdle() {
    registry.count(EndReason.IDLE);
  }

  /** Ends it at once. */
  void kill() {
    act(false);
  }

  /** Acts before {@link #close} returns or not at all, as the connection then serves other requests. */
  private void act(boolean gently) {
    Thread.ofVirtual().name("stream-end").start(() -> {
      synchronized (gate) {
        if (!closed && gently) {
          control.end(ended.orElseThrow());
        } else if (!closed) {
          control.kill();
        }
      }
    });
  }

  /** Records a decision that still allows it. */
  void allowed(Subject latest, Rule by) {
    subject = latest;
    rule = by;
    failures = 0;
  }

  /** Records that it could not be decided again, and returns how often in a row. */
  int failed() {
    failures++;
    return failures;
  }

  /** Begins to decide it again, and returns false if that is in progress. */
  boolean beginCheck() {
    synchronized (gate) {
      boolean begins = !isChecked;
      isChecked = true;
      return begins;
    }
  }

  boolean hasFailed() {
    return failures > 0;
  }

  void endCheck(long now) {
    synchronized (gate) {
      isChecked = false;
      checked = now; // last, as the next check may begin then
    }
  }

  /** Returns when it was decided last, in nanoseconds of the registry's clock. */
  long checked() {
    return checked;
  }

  /** Returns the interval at which it is decided again; shorter after failures. */
  Optional<Duration> interval(Duration retry) {
    return failures > 0 ? Optional.of(retry) : rule.revalidate();
  }

  /** Returns whether the same subjects were found. */
  boolean isOf(Subject other) {
    return ids(subject).equals(ids(other));
  }

  private static List<String> ids(Subject subject) {
    return subject.all().stream().map(Subject::id).toList();
  }

  /** Returns when it ends with the first of its credentials. */
  Optional<Instant> expiry() {
    Optional<Instant> first = Optional.empty();
    for (Subject one : subject.all()) {
      Optional<Instant> end = end(one.credential());
      first = first.isEmpty() || end.isPresent() && end.get().isBefore(first.get()) ? end : first;
    }
    Instant least = started.plus(kind.grace());
    return first.map(end -> end.isBefore(least) ? least : end);
  }

  /** A credential that had expired before, but was still accepted, counts for as long as it is accepted. */
  private Optional<Instant> end(Credential credential) {
    return credential.expires().map(end -> end.isAfter(started) ? end : end.plus(credential.leeway()));
  }

  @Override
  public void close() {
    synchronized (gate) {
      closed = true;
    }
    registry.remove(this);
  }
}
