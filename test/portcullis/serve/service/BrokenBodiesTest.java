package portcullis.serve.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import portcullis.fixture.RawUpstream;
import portcullis.http.client.ClientLimits;
import portcullis.http.client.WireClient;

/** Bodies that fail while they are sent on: what the client gets, and what is logged. */
class BrokenBodiesTest {
  private static final Duration LONG = Duration.ofMinutes(2);

  @ParameterizedTest
  @CsvSource(delimiter = '|', value = {"2;hi;zz; | 400 | the body of the request is broken",
    "9;123456789; | 413 | the body of the request is longer than allowed",
    "2;hi; | 408 | the request was not complete in time"})
  void failedBodiesAreNamedInTheLog(String chunks, int status, String error) throws Exception {
    try (RawUpstream upstream = RawUpstream.of(peer -> {
      peer.head();
      peer.awaitEnd();
    }); WireClient client = new WireClient(ClientLimits.DEFAULT, SSLContext.getDefault())) {
      DeciderSetup setup = new DeciderSetup(client, "authenticators: [{id: anon, type: anonymous}]\n",
          "- {id: all, match: {routes: [{path: /**}]}, execute: [{authenticator: anon}], forward_to: {host: '127.0.0.1:"
              + upstream.port() + "', rewrite: {scheme: http}}}\n");
      ListenerSettings settings = ListenerSettings.plain("127.0.0.1", 0)
          .with(ListenerSettings.TIMEOUT,
              new ListenerSettings.Timeouts(Duration.ofSeconds(status == 408 ? 1 : 60), LONG,
                  LONG, Optional.empty(), Optional.empty(), Optional.empty()))
          .with(ListenerSettings.LIMITS, new RequestLimits(128, 5, 1 << 20, 0, 100, 100, 0, 0));
      Listener listener = new Services(TelemetrySinks.NONE, setup.log(), InstantSource.system())
          .proxy(settings, Optional.empty(), setup.decider(), client);
      String answer;
      try {
        answer = OneRequest.answer(listener.port(),
            "POST /a HTTP/1.1\r\nHost: a.test\r\nTransfer-Encoding: chunked\r\n\r\n"
                + chunks.replace(";", "\r\n"));
      } finally {
        listener.stop(Duration.ofSeconds(10));
      }
      assertEquals(status + " close", OneRequest.status(answer) + " " + OneRequest.field(answer, "Connection"));
      String log = setup.shown();
      assertTrue(log.contains("\"_error\":\"" + error + "\""), log);
    }
  }
}
