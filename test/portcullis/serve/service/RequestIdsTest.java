package portcullis.serve.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import portcullis.http.client.ClientLimits;
import portcullis.http.client.WireClient;
import portcullis.http.message.Field;
import portcullis.http.message.Fields;

/** Which ids of requests are kept, and which go on; what else services do with them is a conformance case. */
class RequestIdsTest {
  @ParameterizedTest
  @CsvSource({"a, true", "0b6d7f0c-58b5-4d2f-9d0c-7a4f4a3b2c1d, true", "1-5759e988:bd862_e3/fe+1., true", "'', false",
    "'a b', false", "'a,b', false", "'a\"', false", "a=b, false", "a%0Ab, false", "\u00e9, false", "{{.}}, false"})
  void keepsWellFormedIds(String id, boolean kept) {
    Fields fields = Fields.of("X-Request-Id", id);
    assertEquals(kept ? Optional.of(id) : Optional.empty(), RequestIds.received(fields));
  }

  @Test
  void boundsTheLength() {
    assertTrue(RequestIds.received(Fields.of("X-Request-Id", "a".repeat(128))).isPresent());
    assertTrue(RequestIds.received(Fields.of("X-Request-Id", "a".repeat(129))).isEmpty());
    assertTrue(RequestIds.received(Fields.NONE).isEmpty());
  }

  @Test
  void replacesAllSpellings() {
    Fields fields = Fields.of("x-request-id", "a").with("X_Request_Id", "b").with("Accept", "c");
    assertEquals(List.of("Accept: c", "X-Request-Id: d"),
        RequestIds.replaced(fields, Optional.of(new Field("X-Request-Id", "d"))).lines().stream()
            .map(field -> field.name() + ": " + field.value()).toList());
    assertEquals(fields, RequestIds.replaced(fields, Optional.empty()));
  }

  @Test
  void requestsWithoutValidHostHaveOneToo() throws Exception {
    try (WireClient client = new WireClient(ClientLimits.DEFAULT, SSLContext.getDefault())) {
      DeciderSetup setup = new DeciderSetup(client, "authenticators: [{id: anon, type: anonymous}]\n",
          "- {id: all, match: {routes: [{path: /**}]}, execute: [{authenticator: anon}]}\n");
      Listener listener = new Services(TelemetrySinks.NONE, setup.log(), InstantSource.system())
          .proxy(ListenerSettings.plain("127.0.0.1", 0).with(ListenerSettings.REQUEST_IDS, true), Optional.empty(),
              setup.decider(), client);
      try {
        String answer = OneRequest.answer(listener.port(), "GET / HTTP/1.0\r\nX-Request-Id: theirs\r\n\r\n");
        assertEquals(400, OneRequest.status(answer), answer);
        assertTrue(OneRequest.field(answer, "X-Request-Id").matches("[0-9a-f]{32}"), answer);
      } finally {
        listener.stop(Duration.ZERO);
      }
    }
  }
}
