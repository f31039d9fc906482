package portcullis.acceptance;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.Socket;
import java.net.SocketException;
import java.net.http.HttpRequest;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How the built image ends WebSockets and streams of events. */
class LiveStreamsTest {
  @TempDir
  private Path folder;

  @Test
  void webSocketEndsWithinASecondOfTheTokensExpiry() throws Exception {
    try (StreamSite site = new StreamSite(folder, "", "", "")) {
      Instant expiry = Instant.ofEpochSecond(Instant.now().getEpochSecond() + 5);
      BlockingQueue<StreamSite.Closed> closed = site.open(site.token("alice", "s", 5));
      StreamSite.Closed end = closed.poll(20, TimeUnit.SECONDS);
      assertEquals(1008, end.status());
      assertEquals("the credential has expired", end.reason());
      assertTrue(!end.at().isBefore(expiry) && end.at().isBefore(expiry.plus(Duration.ofMillis(2000))),
          end.at() + " is not within a second of " + expiry); // and one for the seconds of the claim
      String frame = site.received();
      assertEquals(0x88, frame.charAt(0), "the upstream receives a close frame");
      assertTrue((frame.charAt(1) & 0x80) != 0, "which is masked");
      site.image().await("Stream ended .*_reason=expired _kind=websocket _subject=alice _rule=r");
      site.image().await("TX finished error=.ended: the credential has expired");
      String ids = site.image().output().lines().filter(line -> line.contains("Stream ended")
          || line.contains("TX finished error=")).map(line -> line.replaceAll(".*(_request_id=\\S+).*", "$1"))
          .distinct()
          .toList().toString();
      assertTrue(ids.matches("\\[_request_id=[0-9a-f]{16}]"), ids);
      String status = site.managed(HttpRequest.newBuilder(), "/status").body();
      assertTrue(status.contains("\"expired\":1"), status);
    }
  }

  /** Its client connects again, to another instance: nothing is wrong with its credential. */
  @Test
  void aStopSendsBothSidesOfAWebSocketAway() throws Exception {
    try (StreamSite site = new StreamSite(folder, "", "", "")) {
      BlockingQueue<StreamSite.Closed> closed = site.open(site.token("alice", "s", 300));
      assertEquals(0, site.image().stop());
      StreamSite.Closed end = closed.poll(20, TimeUnit.SECONDS);
      assertEquals("1001 the service stops", end.status() + " " + end.reason());
      String frame = site.received();
      assertEquals(0x88, frame.charAt(0), "the upstream receives a close frame");
      assertEquals(1001, (frame.charAt(2) ^ frame.charAt(6)) << 8 | frame.charAt(3) ^ frame.charAt(7));
      site.image().await("TX finished error=.ended: the service stops. .*_ended_by=portcullis _close_status=1001 ");
    }
  }

  @Test
  void eventsBreakOffVisiblyAtTheMaximumAge() throws Exception {
    try (StreamSite site = new StreamSite(folder, ", streams: {max_age: 1s}", "", "");
        Socket socket = site.events(site.token("alice", "s", 300))) {
      assertFalse(all(socket).endsWith("0\r\n\r\n"), "the client can see that it is not whole");
    }
  }

  @Test
  void aRequestThatWaitsForItsUpstreamIsAnsweredWhenItEnds() throws Exception {
    try (StreamSite site = new StreamSite(folder, ", streams: {max_age: 15s}, timeout: {read: 1m}", "", "");
        Socket old = site.silent(site.token("alice", "s", 300));
        Socket expiring = site.silent(site.token("carol", "s", 2))) {
      assertEquals(401, StreamSite.status(expiring));
      site.image().await("TX finished .*error=\"?ended: the credential has expired");
      assertEquals(504, StreamSite.status(old));
    }
  }

  @Test
  void aReloadRefusesWhatStillWaitsForItsUpstream() throws Exception {
    try (StreamSite site = new StreamSite(folder, ", timeout: {read: 1m}", "", "");
        Socket waiting = site.silent(site.token("alice", "s", 300))) {
      site.image().await("Forwarding request");
      site.rule(", {authorizer: closed}");
      assertEquals(403, StreamSite.status(waiting));
    }
  }

  static String all(Socket socket) throws IOException {
    StringBuilder out = new StringBuilder();
    try {
      for (int octet = socket.getInputStream().read(); octet >= 0; octet = socket.getInputStream().read()) {
        out.append((char) octet);
      }
    } catch (SocketException _) {
      // reset
    }
    return new String(out.toString().getBytes(ISO_8859_1), ISO_8859_1);
  }

  @Test
  void aReloadEndsWhatTheRulesNoLongerAllow() throws Exception {
    try (StreamSite site = new StreamSite(folder, "", "", "")) {
      BlockingQueue<StreamSite.Closed> closed = site.open(site.token("alice", "s", 300));
      site.rule(", {authorizer: closed}");
      StreamSite.Closed end = closed.poll(20, TimeUnit.SECONDS);
      assertEquals(1008, end.status());
      assertEquals("the rules no longer allow it", end.reason());
    }
  }
}
