package portcullis.serve.service;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.Test;
import portcullis.http.client.ClientLimits;
import portcullis.http.client.WireClient;
import portcullis.http.message.TrustedProxies;
import portcullis.lang.address.Network;
import portcullis.observe.telemetry.Level;

class UntrustedProxyCheckTest {
  @Test
  void aProxyThatIsNotTrustedIsReportedOnce() throws Exception {
    assertEquals(0, reports("", "X-Forwarded-For: 192.0.2.1\r\n"));
    assertEquals(1, reports("", "X-Forwarded-Uri: /b\r\n"));
    assertEquals(1, reports("192.0.2.0/24", "X-Forwarded-Method: POST\r\n"));
    assertEquals(0, reports("127.0.0.1", "X-Forwarded-Uri: /b\r\nX-Forwarded-Method: POST\r\n"));
  }

  private static long reports(String trusted, String fields) throws Exception {
    try (WireClient client = new WireClient(ClientLimits.DEFAULT, SSLContext.getDefault())) {
      DeciderSetup setup = new DeciderSetup(client, "authenticators: [{id: anon, type: anonymous}]",
          "- {id: all, match: {routes: [{path: /**}]}, execute: [{authenticator: anon}]}", Level.ERROR);
      Listener listener = new Services(TelemetrySinks.NONE, setup.log(), InstantSource.system()).decision(
          ListenerSettings.plain("127.0.0.1", 0).with(ListenerSettings.PROXIES, new TrustedProxies(
              Network.parse(trusted).map(List::of).orElse(List.of()))),
          Optional.empty(), setup.decider());
      try {
        for (int i = 0; i < 3; i++) {
          String request = "GET /a HTTP/1.1\r\nHost: a.test\r\nConnection: close\r\n" + fields + "\r\n";
          assertEquals(200, OneRequest.status(OneRequest.answer(listener.port(), request)));
        }
      } finally {
        listener.stop(Duration.ofSeconds(5));
      }
      assertEquals(setup.log().problems().size(),
          setup.shown().lines().filter(l -> l.contains("untrusted proxy are ignored"))
              .count());
      return setup.log().problems().size();
    }
  }
}
