package portcullis.http.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import portcullis.http.h2.Http2Error;

/** What a client reads last on a connection that it has broken. */
class Http2EndTest {
  private static final int CONNECTIONS = 100;

  /** Handlers that write meanwhile must not send it late, nor a part of a frame behind it (RFC 9113, 5.4.1). */
  @Test
  void reasonComesWholeAndLast() throws Exception {
    AtomicBoolean over = new AtomicBoolean();
    try (TestServer server = new TestServer(exchange -> {
      exchange.sendResponseHeaders(200, 0);
      byte[] some = new byte[100];
      while (!over.get()) {
        exchange.getResponseBody().write(some);
        exchange.getResponseBody().flush();
      }
    })) {
      for (int i = 0; i < CONNECTIONS; i++) {
        try (Http2Client client = Http2Client.of(server)) {
          for (int id = 1; id < 12; id += 2) {
            client.get(id, "/");
          }
          client.next();
          client.bytes(0, 0, 3, 3, 0, 0, 0, 0, 1, 0, 0, 0);
          Http2Client.Event event = client.next();
          while (event instanceof Http2Client.Event.Head || event instanceof Http2Client.Event.Data) {
            event = client.next();
          }
          Http2Client.Event.GoAway end = assertInstanceOf(Http2Client.Event.GoAway.class, event);
          assertEquals(Http2Error.FRAME_SIZE_ERROR, end.error());
          assertTrue(end.last() <= 11, "streams that were not begun are not named: " + end);
          assertEquals(new Http2Client.Event.Closed(), client.next());
        }
      }
    } finally {
      over.set(true);
    }
  }

  /** An error that elsewhere is one of a stream only. */
  @Test
  void frameWithinHeaderBlockEndsTheConnection() throws Exception {
    try (TestServer server = new TestServer(TestServer::echo); Http2Client client = Http2Client.of(server)) {
      client.bytes(0, 0, 1, 1, 0, 0, 0, 0, 1, 0x82);
      client.bytes(0, 0, 4, 2, 0, 0, 0, 0, 3, 0, 0, 0, 0);
      Http2Client.Event event = client.next();
      while (!(event instanceof Http2Client.Event.GoAway)) {
        event = client.next();
      }
      assertEquals(new Http2Client.Event.GoAway(0, Http2Error.FRAME_SIZE_ERROR), event);
      assertEquals(new Http2Client.Event.Closed(), client.next());
    }
  }
}
