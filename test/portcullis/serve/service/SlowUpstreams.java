package portcullis.serve.service;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;
import portcullis.fixture.Await;
import portcullis.fixture.FramePeer;
import portcullis.fixture.RawUpstream;
import portcullis.http.client.ClientLimits;
import portcullis.http.client.WireClient;
import portcullis.http.message.Fields;
import portcullis.http.message.WireRequest;
import portcullis.observe.telemetry.Level;
import portcullis.observe.telemetry.Log;
import portcullis.observe.telemetry.LogFormat;
import portcullis.observe.telemetry.LogWriter;
import portcullis.policy.lock.LockTable;
import portcullis.serve.stream.StreamRegistry;
import portcullis.serve.stream.StreamSettings;

/**
 * A proxy of upstreams that take their time, by path: {@code /silent}, {@code /begins} with a part of its response,
 * {@code /endless} with one without end, and {@code /two}, which speaks HTTP/2 and answers the second request only.
 */
final class SlowUpstreams implements AutoCloseable {
  private static final String MECHANISMS = "authenticators: [{id: anon, type: anonymous}]\n";
  private static final String RULE = """
      - id: %1$s
        match: {routes: [{path: /%1$s}]}
        forward_to: {host: "127.0.0.1:%2$d", rewrite: {scheme: %3$s}}
        execute: [{authenticator: anon}]
      """;
  private static final String BEGUN = "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhello";
  private static final Duration LONG = Duration.ofMinutes(2);

  private final ByteArrayOutputStream written = new ByteArrayOutputStream();
  private final LogWriter writer = new LogWriter(written);
  private final Log log = new Log(Level.INFO, LogFormat.GELF, writer, InstantSource.system(), "test");
  private final CountDownLatch received = new CountDownLatch(1);
  private final CountDownLatch ended = new CountDownLatch(1);
  private final RawUpstream silent = RawUpstream.of(peer -> awaitEnd(peer, ""));
  private final RawUpstream begins = RawUpstream.of(peer -> awaitEnd(peer, BEGUN));
  private final RawUpstream two = RawUpstream.of(this::answerSecond);
  private final AtomicLong sent = new AtomicLong();
  private final RawUpstream endless = RawUpstream.of(this::sendWithoutEnd);
  private final WireClient client = new WireClient(ClientLimits.DEFAULT);
  private final Listener proxy;

  /** @param maxAge of requests */
  SlowUpstreams(LockTable locks, Optional<Duration> maxAge) throws Exception {
    this(locks, maxAge, client -> client);
  }

  /** @param forwarding the client of the proxy, made of one that has the responses */
  SlowUpstreams(LockTable locks, Optional<Duration> maxAge, UnaryOperator<HttpClient> forwarding) throws Exception {
    DeciderSetup setup = new DeciderSetup(client, MECHANISMS, RULE.formatted("silent", silent.port(), "http")
        + RULE.formatted("begins", begins.port(), "http") + RULE.formatted("endless", endless.port(), "http")
        + RULE.formatted("two", two.port(), "h2c"));
    ListenerSettings settings = ListenerSettings.plain("127.0.0.1", 0).with(ListenerSettings.TIMEOUT,
        new ListenerSettings.Timeouts(LONG, LONG, LONG, Optional.empty(), Optional.empty(), Optional.empty()));
    StreamRegistry streams = new StreamRegistry(setup.decider(), locks, new StreamSettings(maxAge),
        InstantSource.system(), log);
    if (maxAge.isPresent()) {
      streams.start(); // otherwise nothing is ended but at once
    }
    proxy = new Services(TelemetrySinks.NONE, log, InstantSource.system())
        .proxy(settings, Optional.empty(), setup.decider(), forwarding.apply(client), Optional.empty(), streams);
  }

  private void awaitEnd(RawUpstream.Peer peer, String response) throws IOException {
    peer.head();
    peer.say(response);
    received.countDown();
    try {
      peer.awaitEnd();
    } catch (IOException _) {
      // a reset, where the proxy has not read all of the response
    }
    ended.countDown();
  }

  private void sendWithoutEnd(RawUpstream.Peer peer) throws IOException {
    peer.head();
    peer.say("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n");
    received.countDown();
    try {
      for (byte[] some = new byte[1 << 16]; true; sent.addAndGet(some.length)) {
        peer.say(some);
      }
    } catch (IOException _) {
      ended.countDown();
    }
  }

  /** Waits until nothing of the response without end passes, as its client does not read it. */
  void awaitStall() throws InterruptedException {
    Await.until(() -> {
      long before = sent.get();
      Await.pause(300);
      return before > 0 && sent.get() == before;
    });
  }

  private void answerSecond(RawUpstream.Peer peer) throws IOException {
    FramePeer frames = FramePeer.greet(peer);
    frames.head();
    received.countDown();
    assertEquals(8, frames.next(FramePeer.RST_STREAM).integer(0), "CANCEL");
    ended.countDown();
    frames.head();
    frames.answer(3, "next");
    frames.awaitEnd();
  }

  /** Sends a request, and returns its connection once the upstream has it. @param head without its end */
  Socket asking(String head) throws Exception {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), proxy.port());
    socket.setSoTimeout(20_000);
    socket.getOutputStream().write((head + "\r\n\r\n").getBytes(ISO_8859_1));
    awaitReceived();
    return socket;
  }

  void awaitReceived() throws InterruptedException {
    assertTrue(received.await(20, TimeUnit.SECONDS), "the upstream has the request");
  }

  void awaitEnded() throws InterruptedException {
    assertTrue(ended.await(20, TimeUnit.SECONDS), "the request to the upstream ends long before its time");
  }

  /** Sends a request over HTTP/2. */
  HttpResponse<InputStream> over2(String path) throws IOException, InterruptedException {
    return client.send(
        new WireRequest(new WireRequest.Parts("GET", URI.create("h2c://127.0.0.1:" + proxy.port()), path,
            Fields.of("Host", "a.test"), InputStream.nullInputStream(), 0, () -> Fields.NONE, (_, _) -> {}, LONG,
            LONG)),
        HttpResponse.BodyHandlers.ofInputStream());
  }

  /** Returns how many connections the upstream of HTTP/2 has had. */
  int connections() {
    return two.connections();
  }

  Log log() {
    return log;
  }

  /** Returns the access line of the request, once it is over. */
  String finished() throws Exception {
    Await.until(() -> written.toString(UTF_8).contains("TX finished"));
    return written.toString(UTF_8).lines().filter(line -> line.contains("TX finished")).findFirst().orElseThrow();
  }

  /** Stops the proxy when its requests are over, and returns the whole log. */
  String stopped() {
    proxy.stop(Duration.ofSeconds(10));
    writer.close();
    return written.toString(UTF_8);
  }

  /** Stops the proxy before its requests are over. */
  void breakOff() {
    proxy.stop(Duration.ofMillis(1));
  }

  @Override
  public void close() {
    proxy.stop(Duration.ofSeconds(1));
    client.close();
    silent.close();
    begins.close();
    endless.close();
    two.close();
    writer.close();
  }
}
