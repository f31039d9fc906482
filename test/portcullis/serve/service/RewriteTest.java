package portcullis.serve.service;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import portcullis.fixture.RawUpstream;
import portcullis.http.client.ClientLimits;
import portcullis.http.client.WireClient;

/** What a rule makes of the target of a request on its way to the upstream. */
class RewriteTest {
  @ParameterizedTest
  @CsvSource(delimiter = '|', textBlock = """
      scheme: http                                              | /api/x?b=2&a=1 | /api/x?b=2&a=1
      scheme: http, strip_path_prefix: /api                     | /api/x         | /x
      scheme: http, add_path_prefix: /v1                        | /api/x?a=1     | /v1/api/x?a=1
      scheme: http, strip_path_prefix: /api, add_path_prefix: /v1 | /api/x       | /v1/x
      scheme: http, strip_query_parameters: [a]                 | /api/x?a=1     | /api/x
      scheme: http, strip_query_parameters: [a]                 | /api/x?a=1&b=2 | /api/x?b=2
      """)
  void upstreamGetsTheTargetThatTheRuleSays(String rewrite, String target, String forwarded) throws Exception {
    try (RawUpstream upstream = RawUpstream.of(RawUpstream.once("HTTP/1.1 204 None\r\nConnection: close\r\n\r\n"));
        WireClient client = new WireClient(ClientLimits.DEFAULT, SSLContext.getDefault())) {
      DeciderSetup setup = new DeciderSetup(client, "authenticators: [{id: a, type: anonymous}]",
          "- {id: a, match: {routes: [{path: /**}]}, forward_to: {host: '127.0.0.1:" + upstream.port() + "', rewrite: {"
              + rewrite + "}}, execute: [{authenticator: a}]}\n");
      Listener listener = new Services(TelemetrySinks.NONE, setup.log(), InstantSource.system())
          .proxy(ListenerSettings.plain("127.0.0.1", 0), Optional.empty(), setup.decider(), client);
      assertEquals(204, OneRequest.status(OneRequest.receivedCalls(listener.port(), "GET", target)));
      listener.stop(Duration.ofSeconds(5));
      assertEquals("GET " + forwarded + " HTTP/1.1", upstream.heads().getFirst().lines().findFirst().orElseThrow());
    }
  }
}
