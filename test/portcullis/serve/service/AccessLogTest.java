package portcullis.serve.service;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.Test;
import portcullis.fixture.Await;
import portcullis.http.client.ClientLimits;
import portcullis.http.client.WireClient;
import portcullis.http.message.Fields;
import portcullis.http.message.TrustedProxies;
import portcullis.http.wire.RequestHead;
import portcullis.observe.telemetry.Level;
import portcullis.observe.telemetry.Log;
import portcullis.observe.telemetry.LogFormat;
import portcullis.observe.telemetry.LogWriter;

class AccessLogTest {
  /** Takes nothing until it is opened. */
  private static final class Shut extends OutputStream {
    private final CountDownLatch open = new CountDownLatch(1);

    @Override
    public void write(int octet) throws IOException {
      write(new byte[] {(byte) octet}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int from, int length) throws IOException {
      try {
        open.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IOException(e);
      }
    }
  }

  private static String status(Listener listener) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), listener.port())) {
      socket.getOutputStream()
          .write("GET /x HTTP/1.1\r\nHost: a.test\r\nConnection: close\r\n\r\n".getBytes(ISO_8859_1));
      return new String(socket.getInputStream().readAllBytes(), ISO_8859_1).substring(9, 12);
    }
  }

  @Test
  void requestThatCannotBeLoggedIsRefusedWith503() throws Exception {
    Shut shut = new Shut();
    LogWriter writer = new LogWriter(shut);
    Log log = new Log(Level.INFO, LogFormat.TEXT, writer, InstantSource.system(), "");
    try (WireClient client = new WireClient(ClientLimits.DEFAULT, SSLContext.getDefault())) {
      DeciderSetup setup = new DeciderSetup(client, "authenticators: [{id: anon, type: anonymous}]\n",
          "- {id: all, match: {routes: [{path: /**}]}, execute: [{authenticator: anon}]}\n");
      Listener listener = new Services(TelemetrySinks.NONE, log, InstantSource.system())
          .decision(ListenerSettings.defaults(0), Optional.empty(), setup.decider());
      try {
        assertEquals("200", status(listener), "there is room");
        while (writer.dropped() == 0) {
          log.info("filling");
        }
        assertEquals("503", status(listener));
        shut.open.countDown();
        Await.until(() -> status(listener).equals("200"));
      } finally {
        shut.open.countDown();
        listener.stop(Duration.ofSeconds(1));
      }
    }
    writer.close();
  }

  private static final RequestHead HEAD = new RequestHead("GET", "/x", 1, Fields.NONE);

  private static String logged(Consumer<AccessLog> use) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (LogWriter writer = new LogWriter(out)) {
      Log log = new Log(Level.ERROR, LogFormat.TEXT, writer, InstantSource.system(), "", false);
      use.accept(new AccessLog(log, InstantSource.system(), new RequestFields(TrustedProxies.NONE),
          new RequestIds(false, TrustedProxies.NONE)));
    }
    return out.toString(UTF_8).replaceAll("(?m)^\\S+ ", "").strip();
  }

  @Test
  void errorsOfTheServerAreLogged() {
    assertEquals("ERR connections cannot be accepted error=\"Too many open files\" _idle_closed=3",
        logged(log -> log.starved("Too many open files", 3)));
    InetSocketAddress peer = new InetSocketAddress(InetAddress.getLoopbackAddress(), 1);
    String logged = logged(log -> log.failed(peer, HEAD, new IllegalStateException("broken")));
    assertTrue(logged.startsWith("ERR runtime error occurred error="), logged);
    assertTrue(logged.contains("broken"), logged);
    assertEquals("", logged(log -> log.failed(peer, HEAD, new IOException("the client left"))));
  }

  @Test
  void withoutAccessLogRequestsAreNotLogged() throws Exception {
    InetSocketAddress peer = new InetSocketAddress(InetAddress.getLoopbackAddress(), 1);
    assertEquals("", logged(log -> log.refused(peer, Optional.empty(), 400, "broken")));
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (LogWriter writer = new LogWriter(out)) {
      Log log = new Log(Level.INFO, LogFormat.TEXT, writer, InstantSource.system(), "", false);
      DeciderSetup setup = new DeciderSetup(null, "authenticators: [{id: anon, type: anonymous}]\n",
          "- {id: all, match: {routes: [{path: /**}]}, execute: [{authenticator: anon}]}\n");
      Listener listener = new Services(TelemetrySinks.NONE, log, InstantSource.system())
          .decision(ListenerSettings.plain("127.0.0.1", 0), Optional.empty(), setup.decider());
      assertEquals("200", status(listener));
      listener.stop(Duration.ofSeconds(5));
    }
    String all = out.toString(UTF_8);
    assertTrue(all.contains("Starting listening") && !all.contains("TX "), all);
  }
}
