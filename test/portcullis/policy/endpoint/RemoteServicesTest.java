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
      Caller before = caller(setup, services);
      URI url = URI.create("http://h/");
      for (int i = 0; i < Breaker.FAILURES; i++) {
        before.breakers().of(Party.of(url)).failed();
      }
      before.bridge();
      Caller after = caller(setup, services);
      assertTrue(after.isShut(url));
      assertEquals(1, after.bridged());
      after.bridge();
      assertEquals(2, before.bridged());
    }
  }

  private static Caller caller(Setup setup, RemoteServices services) {
    return new Caller(setup.clients, setup.cache, setup.keys, setup.clock, Setup.PATIENT, services);
  }
}
