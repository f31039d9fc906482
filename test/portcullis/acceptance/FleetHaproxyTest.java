package portcullis.acceptance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import portcullis.fixture.Needs;

/** Three instances of the built image behind HAProxy while requests come in. */
class FleetHaproxyTest {
  @TempDir
  private Path folder;

  @Test
  void locksEndStreamsElsewhereAndRestartsLoseNothing() throws Exception {
    Needs.program("redis-server");
    Needs.program("haproxy");
    try (HaproxyFleet fleet = new HaproxyFleet(folder);
        HttpClient client = HttpClient.newHttpClient();
        SteadyLoad load = new SteadyLoad(fleet.port(), fleet.token("bob"))) {
      for (int i = 1; i <= 3; i++) {
        load.awaitAnswerOf("gate-" + i);
      }
      aLockOnTheFirstEndsAStreamOnTheSecond(fleet, client);
      for (int i = 1; i <= 3; i++) {
        fleet.stop(i);
        fleet.restart(i);
        load.awaitAnswerOf("gate-" + i);
      }
      load.end();
      System.out.println("fleet: rolling restart behind HAProxy, answered: " + load.answered());
      assertEquals(List.of(), load.lost(), fleet::frontLog);
    }
  }

  private static void aLockOnTheFirstEndsAStreamOnTheSecond(HaproxyFleet fleet, HttpClient client) throws Exception {
    BlockingQueue<StreamSite.Closed> alice = open(fleet, client, "alice");
    BlockingQueue<StreamSite.Closed> bob = open(fleet, client, "bob");
    fleet.run(1, "lock", "-c", "config.yaml", "--subject", "alice", "--for", "1h", "--reason", "laptop stolen");
    StreamSite.Closed end = alice.poll(20, TimeUnit.SECONDS);
    assertNotNull(end, () -> fleet.image(2).output());
    assertEquals(1008, end.status());
    fleet.image(2).await("Stream ended .*alice");
    Instant since = Instant.parse(fleet.run(1, "locks", "-c", "config.yaml", "-o", "json")
        .replaceAll("(?s).*\"since\":\"([^\"]*)\".*", "$1"));
    System.out.println("fleet: a lock on one instance behind HAProxy ended a stream on another after "
        + Duration.between(since, end.at()).toMillis() + " ms");
    assertEquals(List.of(), List.copyOf(bob), "nobody else's stream ends");
  }

  /** Opens a WebSocket, which HAProxy sends to the second instance, and returns what will have closed it. */
  private static BlockingQueue<StreamSite.Closed> open(HaproxyFleet fleet, HttpClient client, String subject)
      throws Exception {
    BlockingQueue<StreamSite.Closed> closed = new LinkedBlockingQueue<>();
    client.newWebSocketBuilder().header("Authorization", "Bearer " + fleet.token(subject))
        .buildAsync(URI.create("ws://127.0.0.1:" + fleet.port() + "/socket"), new WebSocket.Listener() {
          @Override
          public CompletionStage<?> onClose(WebSocket socket, int status, String reason) {
            closed.add(new StreamSite.Closed(status, reason, Instant.now()));
            return CompletableFuture.completedStage(null);
          }
        }).get(20, TimeUnit.SECONDS);
    return closed;
  }
}
