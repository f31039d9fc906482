package portcullis.bench;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/** Sends so many requests per second whatever the service does, on connections that stay. */
record Pace(int port, int connections, int perSecond, String path) {
  /**
   * Returns how long the requests took, sorted, in nanoseconds; those that were due while their connection was in use
   * count from when they were due.
   */
  long[] run(Duration time) throws InterruptedException {
    int each = Math.toIntExact(perSecond * time.toMillis() / 1_000 / connections);
    long apart = 1_000_000_000L * connections / perSecond;
    long begin = System.nanoTime() + 50_000_000;
    long[][] took = new long[connections][];
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < connections; i++) {
      int number = i;
      threads
          .add(Thread.ofVirtual().start(() -> took[number] = ask(begin + apart * number / connections, apart, each)));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    return Arrays.stream(took).flatMapToLong(Arrays::stream).sorted().toArray();
  }

  private long[] ask(long begin, long apart, int count) {
    long[] took = new long[count];
    int done = 0;
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.setTcpNoDelay(true);
      socket.setSoTimeout(30_000);
      InputStream in = new BufferedInputStream(socket.getInputStream(), 4 * 1024);
      for (long due = begin; done < count; due += apart) {
        boolean late = System.nanoTime() > due;
        for (long left = due - System.nanoTime(); left > 0; left = due - System.nanoTime()) {
          LockSupport.parkNanos(left);
        }
        long sent = late ? due : System.nanoTime(); // that this program woke up late is not the service's fault
        if (!Load.exchange(socket, in, path)) {
          throw new IOException("not answered with 200");
        }
        took[done++] = System.nanoTime() - sent;
      }
    } catch (IOException e) {
      System.err.println("a connection has failed: " + e.getMessage());
    }
    return Arrays.copyOf(took, done);
  }
}
