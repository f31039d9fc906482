package portcullis.serve.service;

import java.io.IOException;
import java.time.Duration;
import portcullis.http.message.Tunnel;
import portcullis.http.wire.ChannelRelay;
import portcullis.http.wire.MessageBounds;
import portcullis.http.wire.RelayPair;
import portcullis.serve.stream.EndReason;
import portcullis.serve.stream.StreamControl;

/** Passes bytes between two connections, without TLS with a few threads for all of them. Thread safe. */
final class Tunnels {
  private final ChannelRelay relay = new ChannelRelay(Runtime.getRuntime().availableProcessors());
  private final ChannelRelay pauses = new ChannelRelay(1);

  /**
   * Begins to copy bytes between two connections, until one side ends, both are idle for too long, or other threads end
   * it. Both ends of a WebSocket are then sent a close frame.
   *
   * @param webSocket whether the bytes are frames of a WebSocket
   * @param over run by another thread at the end
   */
  StreamControl relay(Tunnel.Direct client, Tunnel.Direct upstream, boolean webSocket, Duration idle, Runnable over)
      throws IOException {
    RelayPair pair = relay.begin(new ChannelRelay.Side(client, bounds(webSocket)),
        new ChannelRelay.Side(upstream, bounds(webSocket)), idle, _ -> over.run());
    return new Relayed(pair, webSocket);
  }

  /** Does the same where either connection has TLS, with threads that end while nothing passes. */
  StreamControl copy(Tunnel client, Tunnel upstream, boolean webSocket, Duration idle, Runnable over)
      throws IOException {
    CopiedTunnel copied = new CopiedTunnel(client, upstream, webSocket, pauses);
    copied.begin(idle, over);
    return copied;
  }

  /** A pair in progress. */
  private record Relayed(RelayPair pair, boolean webSocket) implements StreamControl {
    @Override
    public void end(EndReason reason) {
      pair.end(closing(reason, webSocket, false), closing(reason, webSocket, true));
    }

    @Override
    public void kill() {
      pair.abort();
    }
  }

  /** Returns what follows the messages in one direction. */
  static MessageBounds bounds(boolean webSocket) {
    return webSocket ? new WebSocketFrames() : MessageBounds.NONE;
  }

  /** Returns what is sent at the end. @param masked as the client of a WebSocket does it */
  static byte[] closing(EndReason reason, boolean webSocket, boolean masked) {
    return webSocket ? WebSocketFrames.close(reason.message(), masked) : new byte[0];
  }
}
