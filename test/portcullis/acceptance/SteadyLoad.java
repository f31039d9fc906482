package portcullis.acceptance;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import portcullis.fixture.Await;

/**
 * Clients that send GET and POST one after the other on connections they keep, and never send anything twice, so that
 * whatever is lost is known.
 */
final class SteadyLoad implements AutoCloseable {
  private static final int CLIENTS = 6;
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final int port;
  private final String token;
  private final Map<String, Integer> answered = new ConcurrentHashMap<>();
  private final Queue<String> lost = new ConcurrentLinkedQueue<>();
  private final List<Thread> threads = new ArrayList<>();
  private volatile boolean ended;

  SteadyLoad(int port, String token) {
    this.port = port;
    this.token = token;
    for (int i = 0; i < CLIENTS; i++) {
      threads.add(Thread.ofVirtual().name("client-" + i).start(this::send));
    }
  }

  private void send() {
    int count = 0;
    while (!ended) {
      try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
        socket.setSoTimeout((int) PATIENCE.toMillis());
        socket.setTcpNoDelay(true);
        InputStream in = new BufferedInputStream(socket.getInputStream());
        for (boolean open = true; open && !ended; count++) {
          String body = count % 2 == 0 ? "" : "body " + count;
          socket.getOutputStream().write(request(body).getBytes(ISO_8859_1));
          open = check(in, body);
          Await.pause(5); // some hundred requests a second, not as many as possible
        }
      } catch (IOException e) {
        lost.add("request " + count + ": " + e);
      } catch (InterruptedException _) {
        return;
      }
    }
  }

  private String request(String body) {
    return (body.isEmpty() ? "GET" : "POST") + " /page HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer " + token
        + (body.isEmpty() ? "" : "\r\nContent-Length: " + body.length()) + "\r\n\r\n" + body;
  }

  /** Reads an answer, and returns whether the connection stays open. */
  private boolean check(InputStream in, String body) throws IOException {
    StringBuilder head = new StringBuilder();
    while (head.indexOf("\r\n\r\n") < 0) {
      int c = in.read();
      if (c < 0) {
        throw new IOException("the connection ended behind '" + head + "'");
      }
      head.append((char) c);
    }
    String fields = head.toString();
    String length = Application.field(fields, "content-length");
    String text = length.isEmpty() ? "" : new String(in.readNBytes(Integer.parseInt(length)), ISO_8859_1);
    if (fields.startsWith("HTTP/1.1 200") && text.equals(Application.digest(body))) {
      answered.merge(Application.field(fields, "x-instance"), 1, Integer::sum);
    } else {
      lost.add(fields + text);
    }
    return !Application.field(fields, "connection").equalsIgnoreCase("close") && !length.isEmpty();
  }

  /** Waits until that instance has answered one more request. */
  void awaitAnswerOf(String instance) throws InterruptedException {
    int before = answered.getOrDefault(instance, 0);
    Await.until(() -> answered.getOrDefault(instance, 0) != before,
        () -> instance + " gets no requests: " + answered + ", lost: " + lost);
  }

  /** How many requests were answered as they should, by the instance that did. */
  Map<String, Integer> answered() {
    return answered;
  }

  /** The answers that were others, and the requests without any. */
  List<String> lost() {
    return List.copyOf(lost);
  }

  /** Sends nothing more, and waits for the last answers. */
  void end() throws InterruptedException {
    ended = true;
    for (Thread thread : threads) {
      assertTrue(thread.join(PATIENCE), "a request has no end");
    }
  }

  @Override
  public void close() {
    ended = true;
    threads.forEach(Thread::interrupt);
  }
}
