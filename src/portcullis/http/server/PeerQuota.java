package portcullis.http.server;

/**
 * Decides whether a peer may take one more place of a bounded pool: a peer alone gets a percentage of the pool; the
 * fewer places are free, the fewer it gets, so that there is room for new peers. Immutable.
 *
 * @param limit places of the pool, 0 for any number
 * @param percent of the pool for a peer that is alone, 0 for all of it
 */
public record PeerQuota(int limit, int percent) {
  /** Returns whether a place is free if that many are taken. */
  boolean hasRoom(int taken) {
    return limit == 0 || taken < limit;
  }

  /** Returns whether a peer that holds {@code own} of the taken places may take another; its first it always may. */
  public boolean allows(int taken, int own) {
    return limit == 0 || percent == 0 || own == 0
        || (own + 1L) * (100 - percent) <= (long) percent * (limit - taken - 1);
  }

  /** Returns how many places can be given away without counting for whom: two thirds of what one peer may hold. */
  int uncounted() {
    return limit == 0 ? Integer.MAX_VALUE : percent == 0 ? limit : (int) ((long) limit * percent * 2 / 300);
  }

  /** Returns the share in the counted places; a peer that holds all uncounted ones gets no more in total. */
  PeerQuota counted() {
    int rest = limit - uncounted();
    if (limit == 0 || percent == 0 || rest == 0) {
      return new PeerQuota(limit == 0 ? 0 : rest, 0);
    }
    long most = (long) limit * percent / 100 - uncounted();
    return new PeerQuota(rest, Math.clamp(100 * most / rest, 1, 100));
  }
}
