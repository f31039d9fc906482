package portcullis.http.wire;

import java.nio.ByteBuffer;

/** Follows the messages in one direction of a tunnel, so that it can be ended between two of them. For one thread. */
public interface MessageBounds {
  /** The bounds of bytes without messages, which can be ended anywhere. */
  MessageBounds NONE = new MessageBounds() {
    @Override
    public void pass(ByteBuffer bytes) {
      bytes.position(bytes.limit());
    }

    @Override
    public void finish(ByteBuffer bytes) {
      // no message is in progress
    }

    @Override
    public boolean isBetween() {
      return true;
    }

    @Override
    public boolean isOpen() {
      return true;
    }
  };

  /** Follows bytes that are passed on; the position of the buffer is its limit afterwards. */
  void pass(ByteBuffer bytes);

  /** Follows bytes to the end of the message in progress, if there is one; the position is there afterwards. */
  void finish(ByteBuffer bytes);

  /** Returns whether no message is in progress. */
  boolean isBetween();

  /** Returns whether another message may follow now. */
  boolean isOpen();

  /**
   * Records that nothing more comes in this direction: its sender has ended its output, or has gone.
   *
   * @param here whether this program has ended it
   */
  default void end(boolean here) {}
}
