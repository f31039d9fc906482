package portcullis.serve.feed;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.stream.LongStream;

/**
 * The most recent refusals, and followers who see every decision while they follow. Whoever adds an entry never waits.
 * Thread safe; its size is bounded.
 */
public final class DecisionFeed {
  /** The number of refusals that are kept. */
  public static final int KEPT = 200;

  private final AtomicReferenceArray<FeedEntry> refusals = new AtomicReferenceArray<>(KEPT);
  private final AtomicLong last = new AtomicLong();
  private final List<FeedFollower> followers = new CopyOnWriteArrayList<>();

  /** Returns whether an entry would be seen: refusals always, what is allowed only by followers. */
  public boolean takes(boolean allowed) {
    return !allowed || !followers.isEmpty() && followers.stream().anyMatch(FeedFollower::wantsAllowed);
  }

  public void add(FeedEntry entry) {
    FeedEntry numbered = entry;
    if (!entry.allowed()) {
      long number = last.incrementAndGet();
      numbered = entry.numbered(number);
      refusals.setRelease((int) (number % KEPT), numbered);
    }
    for (FeedFollower follower : followers) {
      follower.offer(numbered);
    }
  }

  /** Returns the refusals that are kept and taken by a filter, the newest first. */
  public List<FeedEntry> refusals(FeedFilter filter) {
    long newest = last.get();
    return LongStream.range(0, Math.min(newest, KEPT)).mapToObj(age -> find(newest - age)).flatMap(Optional::stream)
        .filter(filter::takes).toList();
  }

  /** Returns the refusal of a number; empty if it is no longer kept. */
  public Optional<FeedEntry> find(long number) {
    return number < 1 ? Optional.empty()
        : Optional.ofNullable(refusals.getAcquire((int) (number % KEPT))).filter(entry -> entry.number() == number);
  }

  /** Returns the number of refusals since the start. */
  public long count() {
    return last.get();
  }

  /** Returns a follower of what comes from now on, which its user closes. */
  public FeedFollower follow(FeedFilter filter) {
    FeedFollower follower = new FeedFollower(filter, followers::remove);
    followers.add(follower);
    return follower;
  }
}
