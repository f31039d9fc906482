package portcullis.serve.service;

import java.io.IOException;
import java.time.Duration;
import portcullis.http.message.Tunnel;
import portcullis.http.wire.ChannelRelay;

/** Copies bytes between two connections until one side ends or both are idle for too long. Thread safe. */
final class Tunnels {
  private final ChannelRelay relay = new ChannelRelay(Runtime.getRuntime().availableProcessors());

  /** Copies bytes, and returns once both directions have ended. */
  void join(Tunnel one, Tunnel other, Duration idle) throws IOException {
    between(one, other, false).join(idle);
  }

  /**
   * Returns a tunnel between two connections that other threads can end.
   *
   * @param webSocket whether the bytes are frames of a WebSocket
   */
  EndableTunnel between(Tunnel client, Tunnel upstream, boolean webSocket) {
    return new EndableTunnel(relay, client, upstream, webSocket);
  }
}
