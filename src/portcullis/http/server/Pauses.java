package portcullis.http.server;

import java.io.IOException;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import portcullis.background.VirtualThreadPool;
import portcullis.http.message.PausableBody;
import portcullis.http.wire.ChannelRelay;

/** The waits of paused responses until their bodies go on, with one thread for all of them. For any threads. */
final class Pauses {
  private static final Runnable NOTHING = () -> {};
  private static final Duration NO_LIMIT = Duration.ofDays(36_500);

  private final ChannelRelay relay = new ChannelRelay(1);

  /**
   * Pauses a body until something of it comes, or nothing for too long, or its client sends something or leaves.
   *
   * @param client the client's channel, which no other code reads or writes; empty where its end is noticed otherwise
   * @param over called once, with whether nothing came for too long; must not block where there is no such channel
   * @return ends the wait as if something had come; for any thread, must not block
   */
  Runnable begin(PausableBody body, Optional<SocketChannel> client, Consumer<Boolean> over) {
    try {
      return !body.isShared() ? own(body.pause(), client, over)
          : client.isPresent() ? shared(body, client.get(), over) : shared(body, over);
    } catch (IOException _) {
      VirtualThreadPool.SHARED.execute(() -> over.accept(false)); // without a selector it waits with its thread
      return NOTHING;
    }
  }

  /** Waits until an exchange is woken, or its client sends something or leaves; see the other one. */
  void begin(Suspension suspension, SocketChannel client, Consumer<Boolean> over) {
    try {
      suspension.returned(relay.await(List.of(client), NO_LIMIT, over));
    } catch (IOException _) {
      VirtualThreadPool.SHARED.execute(() -> over.accept(false));
    }
  }

  private Runnable own(PausableBody.Source source, Optional<SocketChannel> client, Consumer<Boolean> over)
      throws IOException {
    List<SocketChannel> channels = client.map(other -> List.of(source.channel(), other))
        .orElseGet(() -> List.of(source.channel()));
    return relay.await(channels, source.longest(), over);
  }

  private Runnable shared(PausableBody body, SocketChannel client, Consumer<Boolean> over) throws IOException {
    Suspension wait = new Suspension(); // something may come before there is a wait to end
    body.pause(wait::wake);
    Runnable end = relay.await(List.of(client), NO_LIMIT, over);
    wait.returned(end);
    return end;
  }

  private static Runnable shared(PausableBody body, Consumer<Boolean> over) {
    Runnable end = () -> over.accept(false);
    body.pause(end);
    return end;
  }
}
