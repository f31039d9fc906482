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

  /** For how long a WebSocket may be quiet once one side has ended its output: what is left may still come. */
  static final Duration HALF_OPEN = Duration.ofSeconds(5);

  /**
   * Begins to copy bytes between two connections, until one side ends, both are idle for too long, or other threads end
   * it. Both ends of a WebSocket are then sent a close frame.
   *
   * @param kind what the bytes are, and where their end is recorded
   * @param over run by another thread at the end
   */
  StreamControl relay(Tunnel.Direct client, Tunnel.Direct upstream, Kind kind, Duration idle, Runnable over)
      throws IOException {
    RelayPair pair = relay.begin(new ChannelRelay.Side(client, kind.bounds(TunnelEnd.Side.UPSTREAM)),
        new ChannelRelay.Side(upstream, kind.bounds(TunnelEnd.Side.CLIENT)),
        new ChannelRelay.Limits(idle, kind.halfOpen(idle)), outcome -> {
          if (outcome == RelayPair.Outcome.IDLE) {
            kind.end().endedIdle();
          }
          over.run();
        });
    return new Relayed(pair, kind);
  }

  /** Does the same where either connection has TLS, with threads that end while nothing passes. */
  StreamControl copy(Tunnel client, Tunnel upstream, Kind kind, Duration idle, Runnable over) throws IOException {
    CopiedTunnel copied = new CopiedTunnel(client, upstream, kind, pauses);
    copied.begin(idle, over);
    return copied;
  }

  /** A pair in progress. */
  private record Relayed(RelayPair pair, Kind kind) implements StreamControl {
    @Override
    public void end(EndReason reason) {
      kind.endedHere(reason);
      pair.end(closing(reason, kind.webSocket(), false), closing(reason, kind.webSocket(), true));
    }

    @Override
    public void kill() {
      pair.abort();
    }
  }

  /**
   * What passes in a tunnel.
   *
   * @param webSocket whether the bytes are frames of a WebSocket
   * @param end where its end is recorded
   */
  record Kind(boolean webSocket, TunnelEnd end) {
    /** Returns what follows the messages of one side. */
    MessageBounds bounds(TunnelEnd.Side from) {
      return webSocket ? new WebSocketFrames(end, from) : MessageBounds.NONE;
    }

    /** Returns for how long nothing may pass once one side has ended its output. @param idle before that */
    Duration halfOpen(Duration idle) {
      return webSocket ? HALF_OPEN : idle;
    }

    /** Records that it is ended by a close frame of ours. */
    void endedHere(EndReason reason) {
      end.closedBy(TunnelEnd.Side.PORTCULLIS, status(reason));
    }
  }

  /** Returns what is sent at the end. @param masked as the client of a WebSocket does it */
  static byte[] closing(EndReason reason, boolean webSocket, boolean masked) {
    return webSocket ? WebSocketFrames.close(status(reason), reason.message(), masked) : new byte[0];
  }

  /** Clients connect again after a stop, to another instance, as nothing is wrong with their credentials. */
  private static int status(EndReason reason) {
    return reason == EndReason.STOPPED ? WebSocketFrames.GOING_AWAY : WebSocketFrames.POLICY_VIOLATION;
  }
}
