package portcullis.serve.service;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.http.HttpConnectTimeoutException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import portcullis.config.Yaml;
import portcullis.fixture.RawUpstream;
import portcullis.http.client.WireClient;
import portcullis.lang.address.Network;
import portcullis.lang.source.Problems;
import portcullis.lang.source.SourceFile;
import portcullis.observe.client.InstrumentedClient;
import portcullis.observe.client.LoggingClient;

/** What one client may occupy of an upstream whose connections are limited. */
class UpstreamSharesTest {
  private static final Optional<Network> ONE = Network.parse("192.0.2.1");
  private static final Optional<Network> TWO = Network.parse("192.0.2.2");
  private static final String UPSTREAM = "http://a.test";

  private final AtomicInteger places = new AtomicInteger(4);
  private final UpstreamShares shares = new UpstreamShares(75, Duration.ZERO);

  private UpstreamShares.Place taken(Optional<Network> client) throws Exception {
    UpstreamShares.Place place = shares.place(UPSTREAM, places::get, () -> client);
    place.take();
    return place;
  }

  @Test
  void oneClientLeavesPlacesToOthers() throws Exception {
    List<UpstreamShares.Place> own = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      own.add(taken(ONE));
    }
    HttpConnectTimeoutException refused = assertThrows(HttpConnectTimeoutException.class, () -> taken(ONE));
    assertEquals("no connection to `http://a.test` of this client's share became free in time", refused.getMessage());
    taken(TWO).close();
    UpstreamShares.Place other = shares.place("http://b.test", places::get, () -> ONE);
    other.take();
    other.close();
    own.getFirst().close();
    own.getFirst().close();
    taken(ONE).close();
    own.forEach(UpstreamShares.Place::close);
    assertEquals(0, shares.upstreams());
  }

  @Test
  void nothingIsKeptOfARequestThatGotNoPlace() {
    AtomicInteger asked = new AtomicInteger();
    UpstreamShares.Place place = shares.place(UPSTREAM, () -> {
      if (asked.getAndIncrement() > 0) {
        throw new IllegalStateException("a bug");
      }
      return 4;
    }, () -> ONE);
    assertThrows(IllegalStateException.class, place::take);
    assertEquals(0, shares.upstreams());
  }

  @Test
  void moreStreamsOfTheUpstreamAreMorePlaces() throws Exception {
    for (int i = 0; i < 3; i++) {
      taken(ONE);
    }
    assertThrows(HttpConnectTimeoutException.class, () -> taken(ONE));
    places.set(400);
    for (int i = 3; i < 300; i++) {
      taken(ONE);
    }
    assertThrows(HttpConnectTimeoutException.class, () -> taken(ONE));
  }

  @Test
  void unlimitedConnectionsAndUnknownClientsHaveNoShare() throws Exception {
    for (int i = 0; i < 10; i++) {
      taken(Optional.empty());
    }
    places.set(Integer.MAX_VALUE);
    for (int i = 0; i < 10; i++) {
      taken(ONE);
    }
    UpstreamShares off = new UpstreamShares(0, Duration.ZERO);
    for (int i = 0; i < 10; i++) {
      off.place(UPSTREAM, () -> 1, () -> ONE).take();
    }
    assertEquals(0, shares.upstreams() + off.upstreams());
  }

  @Test
  void requestBeyondTheShareWaitsForAnEarlierOne() throws Exception {
    UpstreamShares patient = new UpstreamShares(75, Duration.ofMinutes(1));
    List<UpstreamShares.Place> own = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      own.add(patient.place(UPSTREAM, places::get, () -> ONE));
      own.getLast().take();
    }
    CountDownLatch done = new CountDownLatch(1);
    UpstreamShares.Place next = patient.place(UPSTREAM, places::get, () -> ONE);
    Thread waiting = Thread.ofVirtual().start(() -> {
      try {
        next.take();
        done.countDown();
      } catch (HttpConnectTimeoutException | InterruptedException _) {
        // the latch stays closed
      }
    });
    assertEquals(1, done.getCount());
    own.getFirst().close();
    assertTrue(done.await(30, TimeUnit.SECONDS));
    waiting.join();
  }

  // --- over real connections

  private static final String RULE = """
      - id: all
        match: {routes: [{path: /**}]}
        forward_to: {host: "127.0.0.1:%d", rewrite: {scheme: http}}
        execute: [{authenticator: anon}]
      """;

  private static Socket tunnel(Listener listener, String address) throws IOException {
    Socket socket = new Socket();
    socket.bind(new InetSocketAddress(InetAddress.getByName(address), 0));
    socket.connect(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), listener.port()));
    socket.setSoTimeout(60_000);
    socket.getOutputStream().write(("GET /x HTTP/1.1\r\nHost: a.test\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
        + "\r\n").getBytes(ISO_8859_1));
    return socket;
  }

  private static String status(Socket socket) throws IOException {
    return new String(socket.getInputStream().readNBytes(12), ISO_8859_1).substring(9);
  }

  @Test
  void placesOfRequestsThatHaveEndedAreFreeAgain() throws Exception {
    ListenerSettings settings = ListenerSettings.plain("127.0.0.1", 0).with(ListenerSettings.CONNECTIONS,
        new ListenerSettings.Connections(4, 4, 4));
    try (RawUpstream upstream = RawUpstream.of(peer -> {
      peer.head();
      peer.say("HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n");
    }); WireClient client = new WireClient(settings.upstreamLimits())) {
      DeciderSetup setup = new DeciderSetup(client, "authenticators: [{id: anon, type: anonymous}]\n",
          RULE.formatted(upstream.port()));
      Listener listener = new Services(TelemetrySinks.NONE, setup.log(), InstantSource.system()).proxy(settings,
          Optional.empty(), setup.decider(), client);
      try {
        for (int i = 0; i < 9; i++) {
          assertEquals(204, OneRequest.status(OneRequest.receivedCalls(listener.port(), "GET", "/x")));
        }
      } finally {
        listener.stop(Duration.ZERO);
      }
    }
  }

  /** @param observed whether the calls to the upstream are traced and logged */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void silentTunnelsOfOneAddressDoNotShutOthersOut(boolean observed) throws Exception {
    Problems problems = new Problems();
    ListenerSettings settings = Yaml.read(new SourceFile("f", "{connections_limit: {max_per_host: 4}}"), problems)
        .flatMap(node -> ListenerSettings.main(false, false).decode(node, problems)).orElseThrow()
        .with(ListenerSettings.HOST, "127.0.0.1").with(ListenerSettings.PORT, 0);
    List<Socket> open = new ArrayList<>();
    try (RawUpstream upstream = RawUpstream.of(peer -> {
      peer.head();
      peer.say("HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n");
      peer.awaitEnd();
    }); WireClient client = new WireClient(settings.upstreamLimits())) {
      DeciderSetup setup = new DeciderSetup(client, "authenticators: [{id: anon, type: anonymous}]\n",
          RULE.formatted(upstream.port()));
      Listener listener = new Services(TelemetrySinks.NONE, setup.log(), InstantSource.system())
          .proxy(settings, Optional.empty(), setup.decider(),
              observed
                  ? new InstrumentedClient(new LoggingClient(client, setup.log()), Optional.empty(), Optional.empty())
                  : client);
      try {
        for (int i = 0; i < 3; i++) {
          open.add(tunnel(listener, "127.0.0.1"));
          assertEquals("101", status(open.getLast()));
        }
        for (int i = 0; i < 8; i++) {
          open.add(tunnel(listener, "127.0.0.1"));
        }
        open.add(tunnel(listener, "127.0.0.2"));
        assertEquals("101", status(open.getLast()));
        assertEquals(4, upstream.heads().size());
      } finally {
        for (Socket socket : open) {
          socket.close();
        }
        listener.stop(Duration.ofSeconds(1));
      }
    }
  }
}
