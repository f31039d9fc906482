package portcullis.serve.feed;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/**
 * Somebody who reads decisions as they are made. Entries wait in a bounded queue; those for which there is no room are
 * counted instead. Thread safe, for one reader.
 */
public final class FeedFollower implements AutoCloseable {
  private static final int LONGEST_QUEUE = 256;

  private final BlockingQueue<FeedEntry> queue = new ArrayBlockingQueue<>(LONGEST_QUEUE);
  private final AtomicLong missed = new AtomicLong();
  private final FeedFilter filter;
  private final Consumer<FeedFollower> ended;

  FeedFollower(FeedFilter filter, Consumer<FeedFollower> ended) {
    this.filter = filter;
    this.ended = ended;
  }

  boolean wantsAllowed() {
    return !filter.denied();
  }

  void offer(FeedEntry entry) {
    if (filter.takes(entry) && !queue.offer(entry)) {
      missed.incrementAndGet();
    }
  }

  /** Returns the next entry; empty if none comes in this time. */
  public Optional<FeedEntry> next(Duration wait) throws InterruptedException {
    return Optional.ofNullable(queue.poll(wait.toNanos(), TimeUnit.NANOSECONDS));
  }

  /** Returns the number of entries for which there was no room since the last call. */
  public long missed() {
    return missed.getAndSet(0);
  }

  @Override
  public void close() {
    ended.accept(this);
  }
}
