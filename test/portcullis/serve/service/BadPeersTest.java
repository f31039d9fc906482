package portcullis.serve.service;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import portcullis.fixture.Await;
import portcullis.fixture.Footprint;
import portcullis.fixture.RawUpstream;
import portcullis.http.client.ClientLimits;
import portcullis.http.client.WireClient;
import portcullis.http.server.RejectionListener;
import portcullis.http.server.ServerLimits;
import portcullis.http.server.WireServer;
import portcullis.observe.telemetry.Level;
import portcullis.observe.telemetry.Log;
import portcullis.observe.telemetry.LogFormat;
import portcullis.observe.telemetry.LogWriter;

/**
 * The proxy between peers that go away, or fall silent, at every byte of an exchange: others do not notice, nothing is
 * left.
 */
class BadPeersTest {
  private static final List<String> ANSWERS = List.of("HTTP/1.1 200 OK\r\nContent-Length: 5\r\nX: y\r\n\r\nhello",
      "HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 200 OK\r\nTransfer-Encoding: "
          + "chunked\r\n\r\n2\r\nhe\r\n3;x\r\nllo\r\n0\r\nX: y\r\n\r\n");
  private static final String REQUEST = "POST /good HTTP/1.1\r\nHost: a.test\r\nConnection: "
      + "close\r\nTransfer-Encoding: chunked\r\n\r\n"
      + "5;a=b\r\nhello\r\n0\r\nX: y\r\n\r\n";
  private static final String MECHANISMS = "authenticators: [{id: anon, type: anonymous}]\nfinalizers: [{id: none, "
      + "type: noop}]\n";
  private static final String RULE = """
      - id: r%1$d
        match: {routes: [{path: "%2$s"}]}
        forward_to: {host: "127.0.0.1:%1$d", rewrite: {scheme: http}}
        execute: [{authenticator: anon}, {finalizer: none}]
      """;
  private static final Duration SHORT = Duration.ofSeconds(1);

  /** How a peer ends what it has begun to say. */
  private enum Ending {
    CLOSE, RESET, HALF_CLOSE, SILENCE
  }

  private final LogWriter writer = new LogWriter(OutputStream.nullOutputStream());
  private HttpServer good;
  private RawUpstream bad;
  private WireClient client;
  private Listener proxy;

  @BeforeEach
  void start() throws Exception {
    good = new WireServer(ServerLimits.DEFAULT, RejectionListener.IGNORED);
    good.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 200);
    good.createContext("/", BadPeersTest::echo);
    good.start();
    bad = RawUpstream.of(BadPeersTest::breakOff);
    client = new WireClient(ClientLimits.DEFAULT, SSLContext.getDefault());
    DeciderSetup setup = new DeciderSetup(client, MECHANISMS,
        RULE.formatted(good.getAddress().getPort(), "/good") + RULE.formatted(bad.port(), "/bad/**"));
    Optional<Duration> first = Optional.of(SHORT.multipliedBy(5)); // a request whose client has no time yet is answered
    ListenerSettings settings = ListenerSettings.plain("127.0.0.1", 0).with(ListenerSettings.TIMEOUT,
        new ListenerSettings.Timeouts(SHORT, SHORT, SHORT, Optional.empty(), first, Optional.empty()));
    Log log = new Log(Level.ERROR, LogFormat.GELF, writer, InstantSource.system(), "test");
    proxy = new Services(TelemetrySinks.NONE, log, InstantSource.system()).proxy(settings, Optional.empty(),
        setup.decider(),
        client);
  }

  @AfterEach
  void stop() {
    proxy.stop(Duration.ofSeconds(1));
    client.close();
    bad.close();
    good.stop(0);
    writer.close();
  }

  private static void echo(HttpExchange exchange) throws IOException {
    try (exchange) {
      byte[] body = exchange.getRequestBody().readAllBytes();
      exchange.sendResponseHeaders(200, body.length == 0 ? -1 : body.length);
      exchange.getResponseBody().write(body);
    }
  }

  /** Does what {@code /bad/ANSWER/OFFSET/ENDING} says. */
  private static void breakOff(RawUpstream.Peer peer) throws IOException {
    String[] shown = peer.head().split(" ")[1].split("/");
    peer.say(ANSWERS.get(Integer.parseInt(shown[2])).substring(0, Integer.parseInt(shown[3])));
    switch (Ending.valueOf(shown[4])) {
      case CLOSE -> {
      }
      case RESET -> peer.reset();
      case HALF_CLOSE -> {
        peer.endOutput();
        peer.awaitEnd();
      }
      case SILENCE -> peer.awaitEnd();
    }
  }

  private Socket connection() throws IOException {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), proxy.port());
    socket.setSoTimeout(20_000);
    return socket;
  }

  private String receivedCalls(String request) throws IOException {
    try (Socket socket = connection()) {
      socket.getOutputStream().write(request.getBytes(ISO_8859_1));
      return new String(socket.getInputStream().readAllBytes(), ISO_8859_1);
    }
  }

  private void askForHalfAnAnswer(int answer, int offset, Ending ending) throws IOException {
    String got = receivedCalls("GET /bad/" + answer + "/" + offset + "/" + ending + " HTTP/1.1\r\nHost: "
        + "a.test\r\nConnection: close\r\n\r\n");
    String last = got.startsWith("HTTP/1.1 103") ? got.substring(got.indexOf("\r\n\r\n") + 4) : got;
    String status = last.substring(0, Math.min(12, last.length()));
    boolean whole = answer == 0 ? last.endsWith("hello") : last.endsWith("\r\n\r\n") && last.contains("\r\n0\r\n");
    String what = answer + " cut at " + offset + " by " + ending + ": " + got;
    if (offset < ANSWERS.get(answer).length()) {
      boolean refused = status.equals("HTTP/1.1 504") || status.equals("HTTP/1.1 502") && ending != Ending.SILENCE;
      assertTrue(refused || status.equals("HTTP/1.1 200") && !whole, what);
    } else {
      assertTrue(status.equals("HTTP/1.1 200") && whole || ending == Ending.RESET, what);
    }
  }

  private void sayHalfARequest(int offset, Ending ending) throws IOException {
    try (Socket socket = connection()) {
      socket.getOutputStream().write(REQUEST.substring(0, offset).getBytes(ISO_8859_1));
      switch (ending) {
        case CLOSE -> {
        }
        case RESET -> socket.setSoLinger(true, 0);
        case HALF_CLOSE, SILENCE -> {
          if (ending == Ending.HALF_CLOSE) {
            socket.shutdownOutput();
          }
          String answer = new String(socket.getInputStream().readAllBytes(), ISO_8859_1);
          boolean left = ending == Ending.HALF_CLOSE && answer.isEmpty();
          assertEquals(offset == REQUEST.length() && !left, answer.startsWith("HTTP/1.1 200"),
              offset + " " + ending + ": " + answer);
        }
      }
    }
  }

  private List<Callable<Void>> troubles() {
    List<Callable<Void>> out = new ArrayList<>();
    for (Ending ending : Ending.values()) {
      for (int i = 0; i < ANSWERS.size(); i++) {
        int answer = i;
        for (int cut = 0; cut <= ANSWERS.get(i).length(); cut++) {
          int offset = cut;
          out.add(() -> {
            askForHalfAnAnswer(answer, offset, ending);
            return null;
          });
        }
      }
      for (int cut = 0; cut <= REQUEST.length(); cut++) {
        int offset = cut;
        out.add(() -> {
          sayHalfARequest(offset, ending);
          return null;
        });
      }
    }
    return out;
  }

  private void trouble(List<Callable<Void>> troubles, int least) throws Exception {
    AtomicBoolean over = new AtomicBoolean();
    try (ExecutorService many = Executors.newFixedThreadPool(64, Thread.ofVirtual().factory())) {
      Future<Integer> served = many.submit(() -> {
        int count = 0;
        for (; !over.get(); count++) {
          String answer = receivedCalls(REQUEST);
          assertTrue(answer.startsWith("HTTP/1.1 200") && answer.contains("hello"), answer);
        }
        return count;
      });
      try {
        for (Future<Void> done : many.invokeAll(troubles)) {
          done.get();
        }
      } finally {
        over.set(true);
      }
      assertTrue(served.get() >= least, "good clients went on: " + served.get());
    }
  }

  @Test
  void disconnectsAtAnyByteLeakNothing() throws Exception {
    trouble(troubles().subList(0, 100), 1); // what is there once for all is there from now on
    Footprint before = Footprint.now();
    trouble(troubles(), troubles().size() / 50 + 1);
    assertTrue(client.connections() <= 64,
        "connections to the good upstream are kept, others are not: " + client.connections());
    before.awaitReturn(20, 20, 2 << 20);
    // the other end hears of a close a moment later
    Await.until(() -> bad.open() <= 4,
        () -> "connections outlive whole answers only, of which there were four: " + bad.open());
  }
}
