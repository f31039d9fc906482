package portcullis.http.wire;

import java.io.IOException;
import java.net.Socket;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
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
   * A connection of a pair.
   *
   * @param bounds follows the messages that are sent to it
   */
  public record Side(Tunnel.Direct direct, MessageBounds bounds) {}

  /**
   * For how long nothing may pass either way.
   *
   * @param halfOpen the same once one side has ended its output
   */
  public record Limits(Duration idle, Duration halfOpen) {}

  /**
   * Begins to relay, until both directions have ended, or one has failed, or nothing has passed either way for too
   * long, or another thread ends it. The connections are not closed.
   *
   * @param over called once it has ended, on a virtual thread
   */
  public synchronized RelayPair begin(Side one, Side other, Limits limits, Consumer<RelayPair.Outcome> over)
      throws IOException {
    return added(loop -> new RelayPair(loop, one, other, limits, over));
  }

  /**
   * Waits until one of the connections has something to read, or has ended or been closed, or the time is over. Nobody
   * may read or write any of them until then.
   *
   * @param over called on a virtual thread, with whether nothing came in that time
   * @return ends the wait as if something had come; for any thread
   */
  public synchronized Runnable await(List<SocketChannel> channels, Duration longest, Consumer<Boolean> over)
      throws IOException {
    long end = System.nanoTime() + longest.toNanos();
    return added(loop -> new ChannelWait(loop, channels, end, over));
  }

  private <T extends RelayMember> T added(Function<RelayLoop, T> making) throws IOException {
    loops.removeIf(RelayLoop::isOver);
    Optional<RelayLoop> chosen = loops.stream().min(Comparator.comparingInt(RelayLoop::size));
    boolean full = chosen.isPresent() && chosen.get().size() >= FULL && loops.size() < most;
    if (chosen.isPresent() && !full) {
      T member = making.apply(chosen.get());
      if (chosen.get().add(member)) {
        return member;
      }
    }
    RelayLoop begun = new RelayLoop();
    T member = making.apply(begun);
    begun.add(member);
    loops.add(begun);
    begun.start();
    return member;
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
