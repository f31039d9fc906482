package portcullis.observe.decisions;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Instant;
import org.junit.jupiter.api.Test;

class AuditEventTest {
  @Test
  void secretsAreRecordedAsTheyMayBeShown() {
    AuditEvent event = AuditEvent.of("lock", "management").withSecret("value", "ann").with("reason", "left");
    assertEquals("{\"time\":\"1970-01-01T00:00:00Z\",\"event\":\"lock\",\"by\":\"management\",\"reason\":\"left\","
        + "\"value\":\"hash of ann\"}", event.recorded(secret -> "hash of " + secret).line(Instant.EPOCH));
    assertEquals("{\"time\":\"1970-01-01T00:00:00Z\",\"event\":\"lock\",\"by\":\"management\",\"reason\":\"left\"}",
        event.line(Instant.EPOCH), "a secret that was not prepared is left out");
  }
}
