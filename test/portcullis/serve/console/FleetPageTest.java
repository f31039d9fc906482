package portcullis.serve.console;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import portcullis.serve.fleet.FleetStatus;
import portcullis.serve.fleet.Member;
import portcullis.serve.fleet.Outage;
import portcullis.serve.service.StatusReport;
import portcullis.serve.service.StatusSource;

class FleetPageTest {
  private static final Member OWN = member("gate-1", "1.0", "a");

  private static Member member(String name, String version, String rules) {
    return new Member(name, version, PageStatus.NOW, new Member.Digests(rules.repeat(64), "b".repeat(64)),
        PageStatus.NOW);
  }

  private static String page(Optional<FleetStatus> fleet) {
    StatusReport.Live live = new StatusReport.Live(Map.of(), Map.of(), 0, fleet);
    StatusReport plain = PageStatus.EMPTY.report();
    StatusSource status = new StatusSource() {
      @Override
      public List<String> unreadyReasons() {
        return List.of();
      }

      @Override
      public StatusReport report() {
        return new StatusReport(plain.version(), plain.started(), plain.crypto(), plain.configuration(), true,
            List.of(), Optional.empty(), List.of(), List.of(), List.of(), live, List.of());
      }
    };
    return ConsoleSetup.text(new ConsoleSetup("[{authenticator: anon}]", List.of(new FleetPage(status)))
        .get("/console/fleet"));
  }

  @Test
  void anInstanceMayBeAlone() {
    assertTrue(page(Optional.empty()).contains("This instance is alone"));
  }

  @Test
  void equalInstancesAreNoDrift() {
    String text = page(
        Optional.of(new FleetStatus(true, Outage.ALLOW, 0, 0, OWN, List.of(member("gate-2", "1.0", "a")))));
    assertTrue(text.contains("gate-1 (this one)</th>") && text.contains("gate-2</th>"), text);
    assertTrue(text.contains("locks are shared by all"), text);
    assertFalse(text.contains("Instances that differ"), text);
  }

  @Test
  void differencesAndOutagesAreShown() {
    String text = page(
        Optional.of(new FleetStatus(false, Outage.DENY, 2, 0, OWN, List.of(member("gate-2", "1.1", "c")))));
    assertTrue(text.contains("<span class=\"bad\">rules, version</span>"), text);
    assertTrue(text.contains("Instances that differ from this one: 1."), text);
    assertTrue(text.contains("Redis cannot be reached. Requests that authenticate are answered with 503."), text);
  }
}
