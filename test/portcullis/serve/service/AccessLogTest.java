package portcullis.serve.service;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.Test;
import portcullis.http.client.ClientLimits;
import portcullis.http.client.WireClient;
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
        while (!status(listener).equals("200")) {
          Thread.onSpinWait();
        }
      } finally {
        shut.open.countDown();
        listener.stop(Duration.ofSeconds(1));
      }
    }
    writer.close();
  }
}
