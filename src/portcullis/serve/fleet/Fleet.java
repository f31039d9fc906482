package portcullis.serve.fleet;

import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import portcullis.background.BackgroundTask;
import portcullis.observe.telemetry.Log;
import portcullis.policy.lock.LockTable;
import portcullis.serve.redis.SharedRedis;

/**
 * This instance among others that share Redis. One thread writes and compares, another one receives messages; no other
 * thread waits for Redis. Thread safe.
 */
public final class Fleet implements AutoCloseable {
  /** Redis counts as away when nothing has succeeded for that long. */
  public static final Duration AWAY = Duration.ofSeconds(3);
  /** Reading 100,000 locks takes six seconds on a slow machine; a Redis that does not answer ends the wait earlier. */
  static final Duration FIRST = Duration.ofSeconds(20);

  /** At least as often, changes are looked for: where a message is lost, a lock holds within a second all the same. */
  private static final Duration ROUND = Duration.ofMillis(500);
  /** The pause before the next attempt while Redis cannot be used. */
  private static final Duration RETRY = Duration.ofMillis(200);
  private static final Duration LEAVING = Duration.ofSeconds(1);
  /** At least as often, all locks are compared. */
  private static final Duration COMPARISON = Duration.ofSeconds(60);
  private static final Duration PAUSE = Duration.ofMillis(500);
  /** How long whoever changes a lock waits for Redis. */
  private static final Duration SHARING = Duration.ofSeconds(1);
  private static final Duration POLL = Duration.ofMillis(5);
  private static final String PROBLEM = "fleet";
  private static final String MESSAGES = "fleet: messages";

  private final SharedRedis redis;
  private final LockLedger ledger;
  private final LockExchange exchange;
  private final Membership membership;
  private final ClockComparison clocks;
  private final Outage outage;
  private final LongSupplier nanos;
  private final Log log;
  private final BackgroundTask task = new BackgroundTask(Thread.ofVirtual().name("fleet"), this::round);
  private final BackgroundTask subscription = new BackgroundTask(Thread.ofVirtual().name("fleet messages"),
      this::listen);
  private final CountDownLatch first = new CountDownLatch(1);
  private final SharedRedis.Listener listener = new SharedRedis.Listener() {
    @Override
    public void begins() {
      isComparing = true; // what was announced before
      task.wake();
    }

    @Override
    public void lasts() {
      missed = 0;
      log.resolved(MESSAGES, "Changes of locks arrive at once again");
    }

    @Override
    public void changed(String id, SharedRedis.Found found) {
      exchange.received(id, found);
    }
  };
  private long compared;
  private long heartbeat;
  private volatile boolean isComparing = true;
  private volatile boolean isFailing;
  /** The number of subscriptions in a row that ended at once; for the thread that listens. */
  private int missed;
  private volatile long succeeded;
  private volatile boolean isClosed;

  /**
   * An instance of a fleet.
   *
   * @param digests returns what this instance decides by now
   */
  public Fleet(SharedRedis redis, Outage outage, String name, String version, Supplier<Member.Digests> digests,
      LockTable locks, InstantSource clock, Log log) {
    this.redis = redis;
    this.outage = outage;
    this.membership = new Membership(redis, name, version, digests, clock, log);
    this.nanos = System::nanoTime;
    this.clocks = new ClockComparison(redis, clock, nanos, log);
    this.log = log;
    this.ledger = new LockLedger(locks, clock, log, this::wake);
    this.exchange = new LockExchange(redis, ledger, name, clock, nanos, log);
    this.succeeded = nanos.getAsLong() - AWAY.toNanos();
  }

  /** Starts to share, and waits until the locks of others are known, or Redis has failed to answer. */
  public void start() {
    start(FIRST);
  }

  /** @param most for how long a Redis that answers is waited for */
  void start(Duration most) {
    ledger.start();
    task.start();
    subscription.start();
    try {
      first.await(most.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  private void wake() {
    task.wake();
  }

  private boolean round() {
    Duration pause = ROUND;
    try {
      long now = nanos.getAsLong();
      if (isComparing || now - compared > COMPARISON.toNanos()) {
        isComparing = false;
        exchange.compare();
        compared = now;
      } else {
        exchange.receive();
      }
      if (!exchange.send()) {
        pause = Duration.ZERO;
      }
      if (now - heartbeat > Membership.HEARTBEAT.toNanos() || isFirst()) {
        clocks.compare();
        membership.beat();
        heartbeat = now;
      }
      succeeded = nanos.getAsLong();
      isFailing = false;
      log.resolved(PROBLEM, "Redis of the fleet can be used again");
    } catch (SharedRedis.UnavailableException e) {
      isComparing = true;
      pause = RETRY;
      failed(e);
    }
    first.countDown();
    redis.check();
    LockSupport.parkNanos(this, pause.toNanos());
    return true;
  }

  private boolean isFirst() {
    return first.getCount() > 0;
  }

  private void failed(SharedRedis.UnavailableException e) {
    isFailing = true;
    log.ongoing().end(MESSAGES); // nothing arrives at all
    if (isClosed) {
      return;
    }
    if (e.isReadOnly()) {
      log.outage(PROBLEM, "Redis of the fleet takes no writes: changes of locks do not reach other instances", "_error",
          e.getMessage());
    } else {
      log.outage(PROBLEM, "Redis of the fleet cannot be used: locks of other instances are not known here", "_error",
          e.getMessage());
    }
  }

  private boolean listen() throws InterruptedException {
    boolean wasFailing = isFailing;
    try {
      redis.listen(LockExchange.LOCKS, listener);
    } catch (SharedRedis.UnavailableException e) {
      missed = wasFailing || isFailing ? 0 : missed + 1; // what began in an outage says nothing of the time after it
      if (missed > 1 && !isClosed) { // a single connection that was lost is replaced at once
        log.outage(MESSAGES, "Changes of locks arrive up to a second late: there is no subscription", "_error",
            e.getMessage());
      }
    }
    Thread.sleep(PAUSE);
    return true;
  }

  /** Returns whether Redis is away, so that locks of other instances may be unknown. */
  public boolean isAway() {
    return nanos.getAsLong() - succeeded > AWAY.toNanos();
  }

  /** Waits shortly until all changes are in Redis; returns whether they are, so that the others learn of them. */
  public boolean awaitShared() {
    long end = nanos.getAsLong() + SHARING.toNanos();
    while (ledger.pending() > 0 && !isFailing && end - nanos.getAsLong() > 0 && !isInterrupted()) {
      LockSupport.parkNanos(this, POLL.toNanos());
    }
    return ledger.pending() == 0;
  }

  private static boolean isInterrupted() {
    return Thread.currentThread().isInterrupted();
  }

  /** Returns the number of changes of locks that others do not know yet. */
  public int pending() {
    return ledger.pending();
  }

  /** Returns what this instance knows of the fleet. */
  public FleetStatus status() {
    return new FleetStatus(!isAway(), outage, ledger.pending(), exchange.rejected() + membership.rejected(),
        membership.own(), membership.others());
  }

  /** Leaves the fleet: others know that this instance has not been lost. */
  public void leave() {
    isClosed = true; // a call that this interrupts is no outage
    task.close();
    task.join(LEAVING);
    if (!isAway()) {
      try {
        membership.leave();
      } catch (SharedRedis.UnavailableException _) {
        // it is forgotten by itself
      }
    }
  }

  @Override
  public void close() {
    isClosed = true;
    task.close();
    subscription.close();
    redis.close();
  }
}
