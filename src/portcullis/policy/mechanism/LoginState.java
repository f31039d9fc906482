package portcullis.policy.mechanism;

import java.time.Duration;
import java.time.Instant;
import portcullis.crypto.keys.LiveFiles;
import portcullis.crypto.session.SessionKeys;
import portcullis.policy.cache.Cache;
import portcullis.policy.cache.LateWrites;
import portcullis.policy.cache.RecentKeys;

/**
 * What all logins of this process have in common, whatever configuration is in use. Thread safe.
 *
 * @param keys the files of session keys in use
 * @param used the logins that have ended: none is completed twice
 * @param revoked the sessions that users and providers have ended
 * @param announced the sessions that a front-channel logout has named; as anyone can name some, they are kept apart
 * @param unshared ended sessions that the cache does not know of yet
 * @param unread sessions that users have ended while they could not be read; kept apart for the same reason
 * @param head how many bytes the head of a request may have
 */
public record LoginState(LiveFiles<SessionKeys> keys, RecentKeys used, RecentKeys revoked, RecentKeys announced,
    LateWrites unshared, LateWrites unread, int head) {
  /** The maximum lifetime of sessions, for which revocations are kept. */
  public static final Duration LONGEST_SESSION = Duration.ofDays(30);

  private static final int MOST = 50_000;
  private static final int MOST_UNSHARED = 10_000;

  /** @param head how many bytes the head of a request may have */
  public LoginState(int head) {
    this(new LiveFiles<>(SessionKeys::read), new RecentKeys(MOST, Duration.ofHours(1)),
        new RecentKeys(MOST, LONGEST_SESSION),
        new RecentKeys(MOST, LONGEST_SESSION), new LateWrites(MOST_UNSHARED), new LateWrites(MOST_UNSHARED),
        head);
  }

  /** Returns a copy that reads its key files again. */
  public LoginState withKeysReadAgain() {
    return new LoginState(new LiveFiles<>(SessionKeys::read), used, revoked, announced, unshared, unread, head);
  }

  /** Lets the cache know which sessions have ended while it could not be used. */
  public void share(Cache cache, Instant now) {
    unshared.share(cache, now);
    unread.share(cache, now);
  }
}
