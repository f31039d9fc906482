package portcullis.http.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpsConfigurator;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import portcullis.fixture.CertificateDraft;
import portcullis.fixture.TestCertificate;

/** Clients that make TLS compute in vain, or wait, against the server. */
class TlsBudgetTest {
  private static final String GET = "GET /p HTTP/1.1\r\nHost: h\r\n\r\n";
  private static final TestCertificate CA = CertificateDraft.authority("ca");
  private static final TestCertificate GATE = CertificateDraft.of("gate").hosts("localhost").issuedBy(CA).make();
  private static final byte HANDSHAKE = 22;
  private static final byte ALERT = 21;
  private static final byte UNEXPECTED_MESSAGE = 10;

  private TestServer server;
  private SSLContext trusting;

  @BeforeEach
  void serve() throws Exception {
    server = new TestServer(ServerLimits.DEFAULT, new HttpsConfigurator(Tls.context(GATE)), TestServer::echo);
    trusting = Tls.context(GATE, CA);
  }

  @AfterEach
  void close() {
    server.close();
  }

  /** In TLS 1.3 this updates the keys, in TLS 1.2 it renegotiates. */
  private static void rekey(RawClient client, int times) throws IOException {
    for (int i = 0; i < times; i++) {
      ((SSLSocket) client.socket()).startHandshake();
    }
  }

  private void assertEndedAsIdle() throws InterruptedException {
    assertEquals(new TestServer.Report(400, RecordBudget.IDLE), server.reports().poll(20, TimeUnit.SECONDS));
  }

  @Test
  void aConnectionThatOnlyUpdatesItsKeysIsEnded() throws Exception {
    try (RawClient client = new RawClient(Tls.connect(trusting, server.address(), List.of()))) {
      assertEquals(200, client.say(GET).answer().status());
      assertThrows(IOException.class, () -> {
        rekey(client, 100);
        client.say(GET).answer();
      });
      assertEndedAsIdle();
      assertEquals(1, server.seen().size());
    }
  }

  @Test
  void oneThatUpdatesThemBetweenRequestsIsNot() throws Exception {
    try (RawClient client = new RawClient(Tls.connect(trusting, server.address(), List.of()))) {
      for (int i = 0; i < 100; i++) {
        rekey(client, i % 8 == 0 ? 1 : 0);
        assertEquals(200, client.say(GET).answer().status());
      }
    }
  }

  @Test
  void oneThatNegotiatesAnewAgainAndAgainIsEnded() throws Exception {
    SSLParameters old = new SSLParameters();
    old.setProtocols(new String[] {"TLSv1.2"});
    try (SSLSocket socket = (SSLSocket) trusting.getSocketFactory().createSocket(server.address().getAddress(),
        server.address().getPort())) {
      socket.setSSLParameters(old);
      RawClient client = new RawClient(socket);
      assertEquals(200, client.say(GET).answer().status());
      assertThrows(IOException.class, () -> {
        for (int i = 0; i < 20; i++) {
          rekey(client, 1);
          client.say(GET).answer();
        }
      });
      assertEndedAsIdle();
    }
  }

  private byte[] clientHello() throws Exception {
    SSLEngine engine = trusting.createSSLEngine("localhost", 1);
    engine.setUseClientMode(true);
    ByteBuffer out = ByteBuffer.allocate(1 << 15);
    engine.wrap(ByteBuffer.allocate(0), out);
    return Arrays.copyOfRange(out.array(), 5, out.position());
  }

  /** The type of the record that the server answers with, and the last byte of it. */
  private byte[] answerToHello(int fragment) throws Exception {
    byte[] hello = clientHello();
    ByteArrayOutputStream records = new ByteArrayOutputStream();
    for (int at = 0; at < hello.length; at += fragment) {
      int n = Math.min(fragment, hello.length - at);
      records.write(new byte[] {HANDSHAKE, 3, 1, 0, (byte) n});
      records.write(hello, at, n);
    }
    try (Socket client = new Socket(server.address().getAddress(), server.address().getPort())) {
      client.setSoTimeout(20_000);
      client.getOutputStream().write(records.toByteArray());
      DataInputStream in = new DataInputStream(client.getInputStream());
      byte[] head = in.readNBytes(5);
      assertEquals(5, head.length);
      byte[] body = in.readNBytes((head[3] & 0xff) << 8 | head[4] & 0xff);
      return new byte[] {head[0], body[body.length - 1]};
    }
  }

  @Test
  void aHandshakeInTooManyFragmentsIsEnded() throws Exception {
    byte[] answer = answerToHello(1);
    assertEquals(ALERT, answer[0]);
    assertEquals(UNEXPECTED_MESSAGE, answer[1]);
    assertEquals(new TestServer.Report(400, RecordBudget.LONG), server.reports().poll(20, TimeUnit.SECONDS));
  }

  @Test
  void oneInSomeFragmentsIsNot() throws Exception {
    assertTrue(clientHello().length / 8 > 20);
    assertEquals(HANDSHAKE, answerToHello(8)[0]);
  }

  @Test
  void handshakesThatWaitForTheirClientsKeepNobody() throws Exception {
    byte[] hello = clientHello();
    List<Socket> silent = new ArrayList<>();
    for (int i = 0; i < 2 + 2 * Runtime.getRuntime().availableProcessors(); i++) {
      Socket client = new Socket(server.address().getAddress(), server.address().getPort());
      client.setSoTimeout(20_000);
      client.getOutputStream().write(new byte[] {HANDSHAKE, 3, 1, (byte) (hello.length >> 8), (byte) hello.length});
      client.getOutputStream().write(hello);
      assertEquals(HANDSHAKE, client.getInputStream().read());
      silent.add(client);
    }
    try (RawClient client = new RawClient(Tls.connect(trusting, server.address(), List.of()))) {
      assertEquals(200, client.say(GET).answer().status());
    }
    for (Socket client : silent) {
      client.close();
    }
  }
}
