package portcullis.serve.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import portcullis.fixture.LimitsPage;
import portcullis.http.client.ClientLimits;
import portcullis.http.message.TrustedProxies;
import portcullis.http.server.ServerLimits;

/** What the page on security says of a listener's limits is what counts. */
class LimitsPageTest {
  private static final ListenerSettings DEFAULT = ListenerSettings.defaults(4456);
  private static final ServerLimits SERVER = DEFAULT.serverLimits();

  private static String count(long count) {
    return count == 0 || count >= Integer.MAX_VALUE ? "no bound" : String.format("%,d", count);
  }

  private static String seconds(Duration time) {
    return time.toSeconds() + " s";
  }

  @Test
  void smallHeapsLowerTheDefaultCounts() {
    ListenerSettings.Timeouts times = DEFAULT.timeouts();
    ServerLimits.Counts small = DEFAULT.limits().with(times, 4096, TrustedProxies.NONE, 128 << 20).counts();
    assertEquals(2730, small.connections());
    assertEquals(2048, small.requests());
    RequestLimits chosen = new RequestLimits(128, 0, 1 << 20, 240, 8000, 0, 0, 75);
    ServerLimits.Counts counts = chosen.with(times, 4096, TrustedProxies.NONE, 128 << 20).counts();
    assertEquals(8000, counts.requests(), "what is configured counts");
    assertEquals(0, counts.connections());
  }

  @Test
  void thePageSaysForHowLongTheOtherSideMayBeQuiet() throws Exception {
    String page = Files.readString(Path.of("config/docs/streams.md")).replaceAll("\\s+", " ");
    String expected = "once nothing has passed for " + Tunnels.HALF_OPEN.toSeconds() + " s.";
    assertTrue(page.contains(expected), expected);
  }

  @Test
  void theTableSaysWhatCounts() throws IOException {
    Map<String, String> expected = new LinkedHashMap<>();
    ServerLimits.Waits waits = SERVER.waits();
    ServerLimits.Counts counts = SERVER.counts();
    long head = DEFAULT.get(ListenerSettings.BUFFER).read();
    expected.put("`serve.buffer_limit.read`",
        (head >> 10) + " KB and, as in heimdall, " + (SERVER.head().maxBytes() - head >> 10)
            + " KB more, then 431; 414 where the request line alone is longer");
    expected.put("`serve.request_limit.header_fields`", count(SERVER.head().maxFields()) + ", then 431");
    expected.put("`serve.request_limit.body`", count(SERVER.maxBodyBytes()) + ", else 413");
    expected.put("`serve.request_limit.read_body`", (DEFAULT.limits().readBody() >> 20) + " MB, then 413");
    expected.put("`serve.request_limit.body_rate`", count(waits.minBodyRate()));
    expected.put("`serve.request_limit.in_flight`",
        count(counts.requests()) + ", one for 64 KB of heap where that is less, then 503 after a second at most");
    expected.put("`serve.request_limit.connections`, `connections_per_peer`",
        count(counts.connections()) + ", one for 48 KB of heap where that is less; "
            + count(counts.peerConnections()));
    expected.put("`serve.request_limit.peer_share`", counts.peerShare() + " %, less the more others have");
    expected.put("`serve.timeout.head`, `read`, `write`",
        seconds(waits.head()) + ", " + seconds(waits.request()) + ", " + seconds(waits.write()));
    expected.put("`serve.timeout.idle`", seconds(waits.idle()));
    ClientLimits client = DEFAULT.upstreamLimits();
    expected.put("`serve.connections_limit`", count(client.maxConnections()) + ", " + client.maxIdle() + " idle");
    Map<String, String> reported = LimitsPage.rows();
    reported.keySet().removeIf(where -> !where.startsWith("`serve."));
    assertEquals(expected, reported);
  }
}
