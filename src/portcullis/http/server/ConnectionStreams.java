package portcullis.http.server;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.channels.SocketChannel;
import java.util.Optional;
import portcullis.http.wire.ByteArrayPool;
import portcullis.http.wire.DeadlineTimer;
import portcullis.http.wire.WireInput;
import portcullis.http.wire.WireOutput;

/**
 * What a connection needs only while a thread uses it: its input and output with their buffers and deadlines, and the
 * watch over its client. For that thread, but for {@link #close}.
 */
final class ConnectionStreams {
  private final DeadlineTimer.Deadline reads;
  private final DeadlineTimer.Deadline writes;
  private final ReadDeadline pace;
  private final TimedInput timed;
  private final DisconnectDetector leaving;
  private final WireInput input;
  private final WireOutput output;

  /**
   * Opens them.
   *
   * @param raw what was accepted
   * @param channel of the socket, where it passes bytes unchanged
   * @param endInput run where a read takes too long
   * @param drop run where a write takes too long
   */
  ConnectionStreams(Socket raw, Socket socket, Optional<SocketChannel> channel, DeadlineTimer watch,
      ServerLimits.Waits waits, ByteArrayPool spares, Runnable endInput, Runnable drop) {
    this.reads = watch.deadline(endInput);
    this.writes = watch.deadline(drop);
    this.pace = new ReadDeadline(waits);
    this.timed = new TimedInput(input(raw, socket), reads, pace, raw, channel);
    this.leaving = new DisconnectDetector(watch, timed);
    this.input = new WireInput(timed);
    this.output = new WireOutput(new TimedOutput(output(socket), writes, waits.write()), spares);
  }

  /** Returns what a socket receives, which is nothing more once that has been shut down. */
  private static InputStream input(Socket raw, Socket socket) {
    try {
      InputStream in = socket.getInputStream();
      return raw instanceof AcceptedSocket accepted && raw != socket ? accepted.data(in) : in;
    } catch (IOException _) {
      return InputStream.nullInputStream();
    }
  }

  /** Returns where a socket sends to, which fails once it has been closed. */
  private static OutputStream output(Socket socket) {
    try {
      return socket.getOutputStream();
    } catch (IOException _) {
      return closed();
    }
  }

  private static OutputStream closed() {
    OutputStream out = OutputStream.nullOutputStream();
    try {
      out.close();
    } catch (IOException _) {
      // it closes nothing
    }
    return out;
  }

  DeadlineTimer.Deadline reads() {
    return reads;
  }

  DeadlineTimer.Deadline writes() {
    return writes;
  }

  ReadDeadline pace() {
    return pace;
  }

  TimedInput timed() {
    return timed;
  }

  DisconnectDetector leaving() {
    return leaving;
  }

  WireInput input() {
    return input;
  }

  WireOutput output() {
    return output;
  }

  /** Returns whether no thread reads the connection, and nothing that was read or written waits here. */
  boolean isEmpty() {
    return timed.isUnread() && timed.isDrained() && !input.hasBuffered() && output.mark() == 0;
  }

  /** Returns whether something has been read that is not a part of the request that is handled. */
  boolean hasNext() {
    return input.hasBuffered() || timed.holdsAhead();
  }

  /**
   * Goes on watching a client whose exchange cannot be paused yet: what it has sent is read, so that its end is seen.
   *
   * @param holds whether something of it has been received that is not decrypted
   */
  void watch(Runnable left, boolean holds) {
    if (timed.isUnread() && (holds || !timed.isDrained())) {
      timed.readAhead(left);
    } else {
      leaving.later(left);
    }
  }

  /** Ends deadlines and watch; what waits in buffers can still be used. */
  void close() {
    reads.close();
    writes.close();
    leaving.close();
  }
}
