package portcullis.http.wire;

import java.util.Optional;
import java.util.function.BiConsumer;
import portcullis.http.message.Tunnel;

/** Lets another thread end a pair of connections that is relayed, or will be. Thread safe. */
public final class RelayEnding {
  private Optional<BiConsumer<byte[], byte[]>> action = Optional.empty();
  private Optional<Runnable> early = Optional.empty();

  /**
   * A connection of the pair.
   *
   * @param bounds follows the messages that are sent to it
   */
  public record Side(Tunnel.Direct direct, MessageBounds bounds) {}

  /** Sends each connection its last message after the one in progress, and ends the output. */
  public synchronized void end(byte[] toOne, byte[] toOther) {
    if (action.isPresent()) {
      action.get().accept(toOne, toOther);
    } else {
      early = Optional.of(() -> action.orElseThrow().accept(toOne, toOther));
    }
  }

  synchronized void bind(BiConsumer<byte[], byte[]> ending) {
    action = Optional.of(ending);
    early.ifPresent(Runnable::run);
  }
}
