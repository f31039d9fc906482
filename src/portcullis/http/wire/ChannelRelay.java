package portcullis.http.wire;

import java.io.IOException;
import java.net.Socket;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import portcullis.http.message.Tunnel;

/**
 * Copies bytes between pairs of connections on a few threads for all of them: an idle pair needs neither a buffer nor a
 * thread, and a busy one few system calls. Threads begin with their first pair and end after their last. For any
 * threads.
 */
public final class ChannelRelay {
  /** The number of pairs of a thread from which on another thread is started. */
  private static final int FULL = 64;

  private final List<RelayLoop> loops = new ArrayList<>();
  private final int most;

  /** @param most threads */
  public ChannelRelay(int most) {
    this.most = most;
  }

  /**
   * Relays until both directions have ended, or one has failed, or nothing has passed either way for so long. The
   * channels are not closed.
   *
   * @return whether both directions ended properly
   */
  public boolean join(Tunnel.Direct one, Tunnel.Direct other, Duration idle) throws IOException, InterruptedException {
    return join(new RelayEnding.Side(one, MessageBounds.NONE), new RelayEnding.Side(other, MessageBounds.NONE), idle,
        new RelayEnding());
  }

  /** Relays until then, or until another thread ends it. */
  public boolean join(RelayEnding.Side one, RelayEnding.Side other, Duration idle, RelayEnding ending)
      throws IOException, InterruptedException {
    RelayPair pair = new RelayPair(one, other, idle);
    RelayLoop loop = begin(pair);
    ending.bind((toOne, toOther) -> loop.end(pair, toOne, toOther));
    return pair.awaitEnd();
  }

  private synchronized RelayLoop begin(RelayPair pair) throws IOException {
    loops.removeIf(RelayLoop::isOver);
    Optional<RelayLoop> chosen = loops.stream().min(Comparator.comparingInt(RelayLoop::size));
    boolean full = chosen.isPresent() && chosen.get().size() >= FULL && loops.size() < most;
    if (chosen.isPresent() && !full && chosen.get().add(pair)) {
      return chosen.get();
    }
    RelayLoop begun = new RelayLoop();
    begun.add(pair);
    loops.add(begun);
    begun.start();
    return begun;
  }

  /** Lets the relay notice that a socket is about to be closed; without effect on one that it does not have. */
  public static void wake(Socket socket) {
    SocketChannel channel = socket.getChannel();
    if (channel != null && channel.isRegistered()) {
      try {
        socket.shutdownInput();
      } catch (IOException _) {
        // it has ended
      }
    }
  }
}
