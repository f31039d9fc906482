package portcullis.policy.lock;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import portcullis.observe.decisions.AuditEvent;

class LockEventsTest {
  private static Lock lock(Lock.Target target, String value, Optional<Instant> until) {
    return new Lock(target, value, "", Optional.empty(), "left", "command", Instant.EPOCH, until);
  }

  @Test
  void subjectsAreSecretAndNetworksAreNot() {
    Lock ann = lock(Lock.Target.SUBJECT, "ann", Optional.of(Instant.EPOCH));
    assertEquals(
        AuditEvent.of("lock", "ops").with("lock", ann.id()).with("target", "subject").withSecret("value", "ann")
            .with("until", "1970-01-01T00:00:00Z").with("reason", "left"),
        LockEvents.lock("ops", ann));
    Lock office = lock(Lock.Target.CLIENT, "10.0.0.0/8", Optional.empty());
    assertEquals(AuditEvent.of("unlock", "ops").with("lock", office.id()).with("target", "client")
        .with("value", "10.0.0.0/8"), LockEvents.unlock("ops", office));
  }
}
