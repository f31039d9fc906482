package portcullis.serve.service;

import portcullis.http.message.Tunnel;
import portcullis.http.wire.ChannelRelay;

/** Copies bytes between two connections until one side ends or both are idle for too long. Thread safe. */
final class Tunnels {
  private final ChannelRelay relay = new ChannelRelay(Runtime.getRuntime().availableProcessors());

  /**
   * Returns a tunnel between two connections that other threads can end.
   *
   * @param webSocket whether the bytes are frames of a WebSocket
   */
  EndableTunnel between(Tunnel client, Tunnel upstream, boolean webSocket) {
    return new EndableTunnel(relay, client, upstream, webSocket);
  }
}
