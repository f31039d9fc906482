package portcullis.serve.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.Test;
import portcullis.fixture.RawUpstream;
import portcullis.http.client.ClientLimits;
import portcullis.http.client.WireClient;
import portcullis.lang.value.ParseMemory;

/** How long the memory of a body that a rule reads is used. */
class BodyMemoryTest {
  private static final Pattern LENGTH = Pattern.compile("(?i)content-length: ([0-9]+)");
  private static final String MECHANISMS = """
      authenticators: [{id: anon, type: anonymous}]
      authorizers:
        - {id: reads, type: cel, config: {expressions: [{expression: 'size(Request.Body()) == 20000'}]}}
        - {id: asks, type: remote, config: {endpoint: {url: "http://127.0.0.1:%d/"}, payload: "x"}}
      """;
  private static final String RULES = """
      - {id: all, match: {routes: [{path: /**}], methods: [POST]},
         forward_to: {host: "127.0.0.1:%d", rewrite: {scheme: http}},
         execute: [{authenticator: anon}, {authorizer: reads}, {authorizer: asks}]}
      """;

  @Test
  void aParsedBodyIsForgottenOnceTheRequestIsDecided() throws Exception {
    List<Long> used = new CopyOnWriteArrayList<>();
    String body = "[" + "{},".repeat(19_999) + "{}]";
    try (RawUpstream upstream = RawUpstream.of(peer -> {
      Matcher length = LENGTH.matcher(peer.head());
      peer.read(length.find() ? Integer.parseInt(length.group(1)) : 0);
      used.add(ParseMemory.PROCESS.used());
      peer.say("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok");
    }); WireClient client = new WireClient(ClientLimits.DEFAULT, SSLContext.getDefault())) {
      long before = ParseMemory.PROCESS.used();
      DeciderSetup setup = new DeciderSetup(client, MECHANISMS.formatted(upstream.port()),
          RULES.formatted(upstream.port()));
      Listener listener = new Services(TelemetrySinks.NONE, setup.log(), InstantSource.system())
          .proxy(ListenerSettings.plain("127.0.0.1", 0), Optional.empty(), setup.decider(), client);
      try {
        String head = OneRequest.text("POST", "/x", "Content-Type: application/json",
            "Content-Length: " + body.length());
        assertEquals(200, OneRequest.status(OneRequest.answer(listener.port(), head + "\r\n" + body)));
      } finally {
        listener.stop(Duration.ofSeconds(5));
      }
      assertEquals(2, used.size());
      assertTrue(used.getFirst() - before > 4L * body.length(), "while it is decided: " + used);
      assertTrue(used.getLast() - before < 3L * body.length(), "while it is forwarded: " + used);
      assertEquals(before, ParseMemory.PROCESS.used());
    }
  }
}
