package portcullis.serve.service;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import portcullis.http.message.Tunnel;

/** Copies bytes between two connections until one side ends or both are idle for too long. */
final class Tunnels {
  private static final int CHUNK = 16 << 10;

  private Tunnels() {}

  /** Returns once both directions have ended. */
  static void join(Tunnel one, Tunnel other, Duration idle) throws IOException {
    one.idleLimit(idle);
    other.idleLimit(idle);
    Thread back = Thread.startVirtualThread(() -> carry(other, one));
    carry(one, other);
    try {
      back.join();
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  private static void carry(Tunnel from, Tunnel to) {
    byte[] buffer = new byte[CHUNK];
    try {
      InputStream in = from.input();
      OutputStream out = to.output();
      for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
        out.write(buffer, 0, n);
      }
      to.endOutput();
    } catch (IOException _) {
      // one end has gone or is silent: so is the tunnel
      from.close();
      to.close();
    }
  }
}
