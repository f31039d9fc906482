package portcullis.http.server;

/**
 * Decides whether a peer may take one more place of a bounded pool: alone it gets a percentage of the pool, beside
 * others less the less is free, so that room is left for whoever comes next. Immutable.
 *
 * @param limit places of the pool, 0 for any number
 * @param percent of the pool for a peer that is alone, 0 for all of it
 */
record PeerShare(int limit, int percent) {
  /** Whether somebody can be let in where that many places are taken. */
  boolean hasRoom(int taken) {
    return limit == 0 || taken < limit;
  }

  /** Whether a peer that holds that many of the taken places may have another; its first one it always may. */
  boolean allows(int taken, int own) {
    return limit == 0 || percent == 0 || own == 0
        || (own + 1L) * (100 - percent) <= (long) percent * (limit - taken - 1);
  }

  /** Returns how many places can be given away without counting for whom: two thirds of what one peer may hold. */
  int uncounted() {
    return limit == 0 ? Integer.MAX_VALUE : percent == 0 ? limit : (int) ((long) limit * percent * 2 / 300);
  }

  /** The share in the places behind the uncounted ones by which nobody who holds all those gets more than before. */
  PeerShare counted() {
    int rest = limit - uncounted();
    if (limit == 0 || percent == 0 || rest == 0) {
      return new PeerShare(limit == 0 ? 0 : rest, 0);
    }
    long most = (long) limit * percent / 100 - uncounted();
    return new PeerShare(rest, Math.clamp(100 * most / rest, 1, 100));
  }
}
