package portcullis.serve.service;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.time.InstantSource;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import portcullis.policy.lock.LockTable;

/** What becomes of a request at its upstream, which takes its time, when its client leaves. */
class LeavingClientsTest {
  private SlowUpstreams proxy;

  @BeforeEach
  void start() throws Exception {
    proxy = new SlowUpstreams(new LockTable(InstantSource.system()), Optional.empty());
  }

  @AfterEach
  void stop() {
    proxy.close();
  }

  private Socket asking(String path) throws Exception {
    return proxy.asking("GET /" + path + " HTTP/1.1\r\nHost: a.test\r\nConnection: close");
  }

  @ParameterizedTest
  @ValueSource(strings = {"silent", "begins", "two"})
  void aClientThatLeavesEndsItsUpstreamRequest(String upstream) throws Exception {
    asking(upstream).close();
    proxy.awaitEnded();
    String log = proxy.stopped();
    assertTrue(log.contains("\"_error\":\"the client has gone\""), log);
    assertTrue(!log.contains("Proxying error"), log);
  }

  @ParameterizedTest
  @ValueSource(strings = {"silent", "begins", "two"})
  void aClientThatEndsItsOutputHasLeft(String upstream) throws Exception {
    try (Socket socket = asking(upstream)) {
      socket.shutdownOutput();
      proxy.awaitEnded();
      String got = new String(socket.getInputStream().readAllBytes(), ISO_8859_1);
      assertTrue(upstream.equals("begins") ? !got.endsWith("hellohello") : got.isEmpty(), got);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"silent", "begins", "two"})
  void aStreamThatItsClientResetsEndsItsUpstreamRequest(String upstream) throws Exception {
    Thread asking = Thread.ofVirtual().start(() -> {
      try (InputStream body = proxy.over2("/" + upstream).body()) {
        body.readAllBytes();
      } catch (IOException | InterruptedException e) {
        // that is what the interrupt does; the end of the stream is sent when the body is closed at the latest
      }
    });
    proxy.awaitReceived();
    asking.interrupt();
    proxy.awaitEnded();
  }

  @Test
  void otherStreamsToTheUpstreamGoOn() throws Exception {
    asking("two").close();
    proxy.awaitEnded();
    try (InputStream body = proxy.over2("/two").body()) {
      assertEquals("next", new String(body.readAllBytes(), ISO_8859_1));
    }
    assertEquals(1, proxy.connections());
  }
}
