package portcullis.bench;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongFunction;

/**
 * Asks a service on connections that stay, a request at a time on each.
 *
 * @param path of the request of that number
 */
record Load(int port, int connections, LongFunction<String> path) {
  /** Asks so many times, and not after the time is over; what the result counts are answers 200 that came whole. */
  long run(long requests, Duration atMost) throws InterruptedException {
    AtomicLong next = new AtomicLong();
    AtomicLong good = new AtomicLong();
    long end = System.nanoTime() + atMost.toNanos();
    CountDownLatch ready = new CountDownLatch(connections);
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < connections; i++) {
      threads.add(Thread.ofVirtual().start(() -> {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
          ready.countDown();
          ready.await();
          ask(socket, requests, end, next, good);
        } catch (IOException _) {
          ready.countDown();
        } catch (InterruptedException _) {
          Thread.currentThread().interrupt();
        }
      }));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    return good.get();
  }

  private void ask(Socket socket, long requests, long end, AtomicLong next, AtomicLong good) throws IOException {
    socket.setTcpNoDelay(true);
    socket.setSoTimeout(30_000);
    InputStream in = new BufferedInputStream(socket.getInputStream(), 16 * 1024);
    for (long number = next.getAndIncrement(); number < requests
        && System.nanoTime() < end; number = next.getAndIncrement()) {
      if (exchange(socket, in, path.apply(number))) {
        good.incrementAndGet();
      }
    }
  }

  /** Sends a request and reads its answer; returns whether it is one with status 200. */
  static boolean exchange(Socket socket, InputStream in, String path) throws IOException {
    String request = "GET " + path + " HTTP/1.1\r\nHost: bench\r\n\r\n";
    socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
    return answer(in);
  }

  private static boolean answer(InputStream in) throws IOException {
    String status = line(in);
    long length = 0;
    for (String field = line(in); !field.isEmpty(); field = line(in)) {
      if (field.regionMatches(true, 0, "Content-Length:", 0, 15)) {
        length = Long.parseLong(field.substring(15).strip());
      }
    }
    in.skipNBytes(length);
    return status.startsWith("HTTP/1.1 200");
  }

  private static String line(InputStream in) throws IOException {
    StringBuilder out = new StringBuilder();
    for (int b = in.read(); b != '\n'; b = in.read()) {
      if (b < 0) {
        throw new IOException("the connection has ended");
      }
      if (b != '\r') {
        out.append((char) b);
      }
    }
    return out.toString();
  }
}
