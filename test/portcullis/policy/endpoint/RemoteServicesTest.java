package portcullis.policy.endpoint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.URI;
import org.junit.jupiter.api.Test;

final class RemoteServicesTest {
  @Test
  void reloadKeepsBreakersAndCounters() {
    try (Setup setup = new Setup()) {
      RemoteServices services = new RemoteServices(setup.clock);
      EndpointClient before = caller(setup, services);
      URI url = URI.create("http://h/");
      for (int i = 0; i < CircuitBreaker.FAILURES; i++) {
        before.breakers().of(RemoteService.of(url)).failed();
      }
      before.bridge();
      EndpointClient after = caller(setup, services);
      assertTrue(after.isShut(url));
      assertEquals(1, after.bridged());
      after.bridge();
      assertEquals(2, before.bridged());
    }
  }

  private static EndpointClient caller(Setup setup, RemoteServices services) {
    return new EndpointClient(setup.clients, setup.cache, setup.keys, setup.clock, Setup.PATIENT, services);
  }
}
