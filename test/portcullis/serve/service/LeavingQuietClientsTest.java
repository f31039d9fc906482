package portcullis.serve.service;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import portcullis.crypto.keys.ServerTls;
import portcullis.fixture.Await;
import portcullis.fixture.RawUpstream;
import portcullis.serve.stream.StreamKind;

/** Clients that leave while their response is quiet, though they have sent the next request already. */
class LeavingQuietClientsTest extends PausedResponses {
  private static final String GET = "GET /x HTTP/1.1\r\nHost: a.test\r\n\r\n";

  private boolean secure;

  @Override
  RawUpstream upstream(RawUpstream.Script script) {
    return RawUpstream.of(script);
  }

  @Override
  Optional<ServerTls> tls() throws Exception {
    return secure ? Optional.of(TlsSides.listener()) : Optional.empty();
  }

  @Override
  Socket connection(int port) throws IOException {
    return secure ? TlsSides.connection(port) : new Socket(InetAddress.getLoopbackAddress(), port);
  }

  @Override
  SSLContext trusting() throws Exception {
    return SSLContext.getDefault();
  }

  @Override
  String scheme() {
    return "http";
  }

  enum Next {
    WITH_THE_FIRST, BEFORE_THE_PAUSE, WITHIN_THE_PAUSE
  }

  @ParameterizedTest
  @CsvSource({"WITH_THE_FIRST, 0, false", "BEFORE_THE_PAUSE, 0, false", "BEFORE_THE_PAUSE, 4000, false",
    "WITHIN_THE_PAUSE, 0, false", "WITHIN_THE_PAUSE, 4000, false", "WITH_THE_FIRST, 0, true",
    "BEFORE_THE_PAUSE, 4000, true", "WITHIN_THE_PAUSE, 0, true"})
  void oneThatHasSentTheNextRequestIsNoticed(Next when, int length, boolean tls) throws Exception {
    secure = tls;
    listen("10m");
    String next = GET.replace("\r\n\r\n", "\r\nX-Long: " + "x".repeat(length) + "\r\n\r\n");
    try (Socket socket = connected()) {
      socket.getOutputStream().write((when == Next.WITH_THE_FIRST ? GET + next : GET).getBytes(ISO_8859_1));
      RawUpstream.Peer peer = peer();
      event(peer, "data: 1\n\n");
      read(socket, "data: 1\n\n");
      Await.until(() -> streams.active().get(StreamKind.EVENTS) == 1);
      if (when == Next.WITHIN_THE_PAUSE) {
        Await.until(() -> serving() == 0);
      }
      if (when != Next.WITH_THE_FIRST) {
        socket.getOutputStream().write(next.getBytes(ISO_8859_1));
      }
      Await.pause(PAUSE); // with the next request there it may keep its thread, so that no state tells the end
    }
    Await.until(() -> !finished().isEmpty() && client.connections() == 0);
    assertTrue(finished().getFirst().contains("\"_error\":\"the client has gone\""), finished().toString());
  }
}
