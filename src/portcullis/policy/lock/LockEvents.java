package portcullis.policy.lock;

import portcullis.observe.decisions.AuditEvent;

/** What the audit chain records of locks: whom they concern as a keyed hash, but for networks, which are no secret. */
public final class LockEvents {
  private LockEvents() {}

  /** @param by who has made or removed it */
  public static AuditEvent lock(String by, Lock lock) {
    return event("lock", by, lock).with("reason", lock.reason());
  }

  /** @param by who has removed it */
  public static AuditEvent unlock(String by, Lock lock) {
    return event("unlock", by, lock);
  }

  /**
   * @param by who has ended them
   * @param network whose lockouts after failed attempts were ended
   */
  public static AuditEvent endOfLockouts(String by, String network) {
    return AuditEvent.of("unlock", by).with("target", "lockout").with("value", network);
  }

  private static AuditEvent event(String kind, String by, Lock lock) {
    AuditEvent event = AuditEvent.of(kind, by).with("lock", lock.id()).with("target", lock.target().text());
    AuditEvent named = lock.target() == Lock.Target.CLIENT ? event.with("value", lock.value())
        : event.withSecret("value", lock.value());
    return lock.until().map(end -> named.with("until", end.toString())).orElse(named);
  }
}
