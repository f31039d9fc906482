package portcullis.serve.service;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import portcullis.http.message.Tunnel;
import portcullis.http.wire.ChannelRelay;

/** Copies bytes between two connections until one side ends or both are idle for too long. Thread safe. */
final class Tunnels {
  // most messages fit: a tunnel that is idle holds no more for each direction
  private static final int SMALL = 2 << 10;
  private static final int LARGE = 16 << 10;

  private final ChannelRelay relay = new ChannelRelay(Runtime.getRuntime().availableProcessors());

  /** Returns once both directions have ended. */
  void join(Tunnel one, Tunnel other, Duration idle) throws IOException {
    try {
      if (one.isDirect() && other.isDirect()) {
        relay.join(one.direct(), other.direct(), idle);
      } else {
        copy(one, other, idle);
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  private static void copy(Tunnel one, Tunnel other, Duration idle) throws IOException, InterruptedException {
    one.idleLimit(idle);
    other.idleLimit(idle);
    Thread back = Thread.startVirtualThread(() -> carry(other, one));
    carry(one, other);
    back.join();
  }

  private static void carry(Tunnel from, Tunnel to) {
    byte[] buffer = new byte[SMALL];
    try {
      InputStream in = from.input();
      OutputStream out = to.output();
      for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
        out.write(buffer, 0, n);
        if (n == SMALL) {
          buffer = new byte[LARGE];
        }
      }
      to.endOutput();
    } catch (IOException _) {
      // one end has gone or is silent: so is the tunnel
      from.close();
      to.close();
    }
  }
}
