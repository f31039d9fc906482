package portcullis.verify;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What the lines of a chain say, wherever the rest of them is right. */
class AuditLineTest {
  private static final String START = "\"event\":\"chain\",\"by\":\"program\",";

  private static AuditLine line(String members) {
    String text = "{\"chain\":\"0123456789abcdef\",\"seq\":2,\"prev\":\"" + "0".repeat(64)
        + "\",\"time\":\"2026-01-02T03:04:05Z\"," + members + ",\"hash\":\"" + "0".repeat(64) + "\"}";
    return AuditLine.of("log:2", text.getBytes(StandardCharsets.UTF_8), false);
  }

  private static Optional<String> before(String members) {
    return line(START + members).before();
  }

  @Test
  void decisionsEventsAndLossesAreToldApart() {
    AuditLine decision = line("\"decision\":\"allowed\",\"event\":\"chain\",\"lost\":3");
    assertEquals(Optional.of(Instant.parse("2026-01-02T03:04:05Z")), decision.time());
    assertEquals(false, decision.isEvent());
    assertEquals(0, decision.lost());
    assertEquals(3, line("\"lost\":3,\"reason\":\"x\"").lost());
    assertEquals(true, line("\"event\":\"" + "e".repeat(200) + "\"").isEvent());
    assertEquals(Optional.empty(), line("\"event\":\"reload\",\"by\":\"program\",\"before\":\"killed\"").before());
    assertEquals(Optional.empty(), AuditLine.of("log:2", new byte[] {'{', '}'}, false).time());
  }

  @Test
  void startsSayHowTheFileWasFound() {
    assertEquals(Optional.of("killed"), before("\"before\":\"killed\""));
    assertEquals(Optional.of("killed"), before("\"line_end\":\"added\",\"before\":\"killed\""));
    AuditLine torn = line(START + "\"torn_bytes\":12,\"torn_sha256\":\"ab\",\"before\":\"killed\"");
    assertEquals(Optional.of("killed"), torn.before());
    assertEquals(12, torn.tornBytes());
    assertEquals(Optional.empty(), before("\"before\":\"killed\",\"x\":{\"a\":1}"));
  }

  @Test
  void theFileBeforeMayHaveAnyName() {
    for (String name : new String[] {"decisions.log", "{a}.log", "a\\\"}b\\\\", "\\u0001".repeat(255),
      "é".repeat(127)}) {
      assertEquals(Optional.of("not_a_chain"), before("\"before\":\"not_a_chain\",\"file_before\":\"" + name + "\""),
          name);
    }
  }
}
