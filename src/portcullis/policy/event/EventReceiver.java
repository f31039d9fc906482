package portcullis.policy.event;

import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.SequencedSet;
import portcullis.crypto.jwt.CompactToken;
import portcullis.crypto.jwt.TokenException;
import portcullis.lang.value.Value;
import portcullis.observe.decisions.AuditException;
import portcullis.observe.decisions.AuditTrail;
import portcullis.policy.cache.CacheKey;
import portcullis.policy.cache.UsedOnce;
import portcullis.policy.lock.Lock;
import portcullis.policy.lock.LockEvents;
import portcullis.policy.lock.LockTable;
import portcullis.policy.mechanism.Failure;
import portcullis.policy.mechanism.MechanismContext;

/**
 * Turns logout tokens and security events into locks. Whatever can be checked without the keys of the issuer is checked
 * first, so that only tokens that look right make us fetch them. Thread safe.
 */
public final class EventReceiver {
  private static final int MOST_UNFINISHED = 1000;

  private final EventSettings settings;
  private final LockTable locks;
  private final AuditTrail audit;
  private final MechanismContext context;
  /** Tokens whose locks could not be made: they may be sent again. */
  private final SequencedSet<CacheKey> unfinished = new LinkedHashSet<>();

  public EventReceiver(EventSettings settings, LockTable locks, AuditTrail audit, MechanismContext context) {
    this.settings = settings;
    this.locks = locks;
    this.audit = audit;
    this.context = context;
  }

  /** The outcome of a token. */
  public enum Outcome {
    LOCKED,
    /** It was received before. */
    REPEATED,
    /** Its events, or what they are about, have no consequence here. */
    IGNORED
  }

  /** Receives a token from any client. */
  public Outcome receive(EventKind kind, String token) throws EventRefusal {
    Instant now = context.clock().instant();
    Report report = verified(kind, token, now);
    if (report.named().isEmpty()) {
      context.log().info("Security event ignored", "_issuer", report.source().issuer().name(), "_id", report.id());
      return Outcome.IGNORED;
    }
    CacheKey id = CacheKey.of("security event", report.source().issuer().name(), report.id());
    if (!isUnfinished(id) && !isFirst(id, report, now)) {
      return Outcome.REPEATED;
    }
    try {
      lock(report, now);
      return Outcome.LOCKED;
    } catch (EventRefusal e) {
      postpone(id);
      throw e;
    }
  }

  private boolean isUnfinished(CacheKey id) {
    synchronized (unfinished) {
      return unfinished.remove(id);
    }
  }

  private void postpone(CacheKey id) {
    synchronized (unfinished) {
      unfinished.add(id);
      if (unfinished.size() > MOST_UNFINISHED) {
        unfinished.removeFirst();
      }
    }
  }

  private Report verified(EventKind kind, String token, Instant now) throws EventRefusal {
    try {
      CompactToken parsed = CompactToken.parse(token);
      kind.checkType(parsed);
      EventSource source = source(parsed);
      if (!source.issuer().allows(parsed.algorithm())) {
        throw new EventRefusal(EventRefusal.Code.INVALID_KEY, parsed.algorithm().text() + " is not allowed");
      }
      Report.read(kind, source, parsed.unverifiedClaims(), now);
      return Report.read(kind, source, source.issuer().verified(token, context), now);
    } catch (TokenException e) {
      throw new EventRefusal(switch (e.kind()) {
        case MALFORMED -> EventRefusal.Code.INVALID_REQUEST;
        case UNKNOWN_KEY, REFUSED -> EventRefusal.Code.INVALID_KEY;
        case BAD_SIGNATURE -> EventRefusal.Code.AUTHENTICATION_FAILED;
      }, e.getMessage());
    } catch (Failure.Authentication e) {
      throw new EventRefusal(EventRefusal.Code.INVALID_KEY, e.getMessage());
    } catch (Failure e) {
      context.log().error("The keys for a security event cannot be fetched", "_error", e.report());
      throw new EventRefusal(EventRefusal.Code.UNAVAILABLE, "the keys of the issuer cannot be fetched");
    }
  }

  private EventSource source(CompactToken token) throws EventRefusal {
    Optional<EventSource> source = token.unverifiedClaims().get("iss")
        .orElse(Value.NULL) instanceof Value.Str(String name) ? settings.source(name) : Optional.empty();
    return source.orElseThrow(() -> new EventRefusal(EventRefusal.Code.INVALID_ISSUER,
        "the issuer is not one of those accepted here"));
  }

  /** Returns true as well if that is not known: a session that continues is worse than a duplicate lock. */
  private boolean isFirst(CacheKey id, Report report, Instant now) {
    Duration left = Duration.between(now, report.issued()
        .plus(report.kind().maxAge(report.source())).plus(report.source().issuer().leeway().multipliedBy(2)));
    try {
      return !left.isPositive() || context.proofs().used().isFirst(id, report.source().issuer().name(), left);
    } catch (UsedOnce.UnknownException e) {
      context.log().warn("A security event may be a repeated one", "_error", e.getMessage());
      return true;
    }
  }

  private void lock(Report report, Instant now) throws EventRefusal {
    List<Lock> all = report.locks(now);
    for (Lock lock : all) {
      try {
        audit.record(LockEvents.lock(report.kind().text() + " of " + lock.origin(), lock));
      } catch (AuditException e) {
        throw new EventRefusal(EventRefusal.Code.UNAVAILABLE, "the lock cannot be recorded now");
      }
      Optional<String> obstacle = locks.addTo(lock);
      if (obstacle.isPresent()) {
        context.log().error("A security event has no effect", "_error", obstacle.get());
        throw new EventRefusal(EventRefusal.Code.UNAVAILABLE, "the lock cannot be made now");
      }
      context.log().notice("Locked", "_lock", lock.id(), "_target", lock.text(), "_reason", lock.reason(), "_issuer",
          lock.origin());
    }
  }
}
