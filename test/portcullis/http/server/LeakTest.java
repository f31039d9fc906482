package portcullis.http.server;

import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import portcullis.fixture.Await;
import portcullis.fixture.Footprint;
import portcullis.http.message.Fields;
import portcullis.http.message.Tunnel;
import portcullis.http.message.WireExchange;

/** However a connection ends, its thread and its socket end with it. */
class LeakTest {
  private static final String SCRIPT = "POST /read HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: "
      + "chunked\r\n\r\n5;a=b\r\nhello\r\n0\r\nA: b\r\n\r\n"
      + "GET /throw HTTP/1.1\r\nHost: h\r\n\r\n";
  private static final String TUNNEL = "GET /tunnel HTTP/1.1\r\nHost: h\r\nConnection: upgrade\r\nUpgrade: "
      + "x\r\n\r\nabc";
  private static final ServerLimits LIMITS = ServerLimits.DEFAULT
      .withWaits(new ServerLimits.Waits(Duration.ofMillis(500),
          Duration.ofMillis(500), Duration.ofMillis(500), Duration.ofMillis(500), Duration.ofMillis(500), 0,
          Duration.ZERO, Duration.ofMillis(500)));

  private static void handle(HttpExchange exchange) throws IOException {
    String target = ((WireExchange) exchange).target();
    if (target.equals("/throw")) {
      throw new IllegalStateException("bug");
    } else if (target.equals("/tunnel")) {
      Tunnel tunnel = ((WireExchange) exchange).upgrade(Fields.of("Upgrade", "x"));
      tunnel.idleLimit(Duration.ofMillis(300));
      tunnel.input().transferTo(tunnel.output());
    } else {
      TestServer.echo(exchange);
    }
  }

  private enum Ending {
    RESET, CLOSE, HALF_CLOSE, NONE
  }

  @Test
  void connectionsThatBreakOffAnywhereLeaveNothingBehind() throws Exception {
    try (TestServer server = new TestServer(LIMITS, LeakTest::handle)) {
      Footprint before = Footprint.now();
      for (String script : new String[] {SCRIPT, TUNNEL}) {
        for (int cut = 0; cut <= script.length(); cut++) {
          for (Ending ending : Ending.values()) {
            end(RawClient.of(server).say(script.substring(0, cut)), ending);
          }
        }
      }
      WireServer wire = (WireServer) server.server();
      Await.until(() -> wire.connections() == 0);
      // clients that were let go of unclosed are closed some time after a collection
      before.awaitReturn(10, 50, 4 << 20);
    }
  }

  private static void end(RawClient client, Ending ending) throws IOException {
    switch (ending) {
      case RESET -> {
        client.socket().setSoLinger(true, 0);
        client.close();
      }
      case CLOSE -> client.close();
      case HALF_CLOSE -> {
        client.end();
        Thread.startVirtualThread(() -> read(client));
      }
      case NONE -> Thread.startVirtualThread(() -> read(client));
    }
  }

  private static void read(RawClient client) {
    try (client) {
      client.read(100_000);
    } catch (IOException e) {
      // the server ended it
    }
  }
}
