package portcullis.http.h2;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import portcullis.http.h2.Http2Settings.Name;
import portcullis.http.wire.HeadLimits;
import portcullis.http.wire.MalformedMessageException;
import portcullis.http.wire.WireInput;
import portcullis.http.wire.WireOutput;

/**
 * One side of a connection of HTTP/2 (RFC 9113): its streams, what they share, and the frames that come in. One thread
 * reads the frames; the rest is for any threads. What a client and a server do differently is abstract here.
 *
 * @param <S> the streams of this side
 */
public abstract class Endpoint<S extends Inbound> {
  /** {@code PRI * HTTP/2.0 CRLF CRLF SM CRLF CRLF}, with which a client begins (RFC 9113, 3.4). */
  public static final byte[] PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(ISO_8859_1);

  /**
   * The limits that a role sets for its peer.
   *
   * @param window that all streams share, in bytes
   * @param returnsOnArrival whether room in that window is free as soon as data has arrived, not once it is read, so
   * that a stream that is read slowly never stops the others
   * @param burst frames without effect that may come at once
   * @param perSecond frames without effect that may come each second behind those
   * @param memory for what its streams hold unread
   */
  public record Allowance(int window, boolean returnsOnArrival, int burst, int perSecond, StreamMemory memory) {}

  private final Allowance allowance;
  private final HeadLimits heads;
  private final FrameInput in;
  private final FrameOutput out;
  private final FlowControl flow = new FlowControl();
  private final Map<Integer, S> streams = new ConcurrentHashMap<>();
  private final AtomicInteger credit = new AtomicInteger();
  private final AtomicInteger room;
  /** Whether the rest of a frame has no time of its own: before the first one, and inside a header block. */
  private boolean untimed = true;

  protected Endpoint(WireInput input, WireOutput output, HeadLimits heads, Allowance allowance) {
    this.allowance = allowance;
    this.heads = heads;
    this.room = new AtomicInteger(allowance.window());
    this.out = new FrameOutput(output);
    this.in = new FrameInput(input, new FrameWaits());
  }

  public final FrameOutput output() {
    return out;
  }

  public final FlowControl flow() {
    return flow;
  }

  final StreamMemory memory() {
    return allowance.memory();
  }

  /** Returns whether a stream that is read slowly may stop the others. */
  final boolean mayWait() {
    return !allowance.returnsOnArrival();
  }

  /** Returns the open streams, by number. */
  protected final Map<Integer, S> streams() {
    return streams;
  }

  public final Optional<S> stream(int id) {
    return Optional.ofNullable(streams.get(id));
  }

  /** Waits for the peer's first frame; false where the connection ends or times out before it. */
  public final boolean begins() throws IOException {
    try {
      return in.next();
    } catch (MalformedMessageException e) {
      return false;
    }
  }

  /** Reads and applies frames until the connection ends; behind {@link #begins}. */
  protected final void read() throws IOException {
    untimed = false;
    new FrameReader(this, in, heads, new FrameBudget(allowance.burst(), allowance.perSecond())).read();
  }

  /** Sends the settings of this side; called inside a write (RFC 9113, 3.4). */
  protected final void greet(Name name, int value) {
    out.settings(name.ordinal() + 1, value, Name.INITIAL_WINDOW_SIZE.ordinal() + 1, Inbound.WINDOW,
        Name.MAX_HEADER_LIST_SIZE.ordinal() + 1, heads.maxBytes());
    out.windowUpdate(0, allowance.window() - Http2Settings.INITIAL.initialWindow());
  }

  // --- what the roles do

  /** Returns whether a stream of that number is or has been open. */
  protected abstract boolean isOpened(int id);

  /** Opens a stream for the peer's HEADERS. */
  protected abstract void opening(int id, HpackDecoder.Block head, boolean end) throws IOException;

  /** Returns whether a frame for that closed stream may have been sent before the peer knew that it is closed. */
  protected abstract boolean ignoresLate(int id);

  /** The peer has ended a stream (RFC 9113, 6.4). */
  protected abstract void resetByPeer(int id, Http2Error error) throws IOException;

  /** The peer has broken the rules on one stream (RFC 9113, 5.4.2). */
  protected abstract void failed(Http2Exception error) throws IOException;

  /** The peer's settings have changed; {@link #apply} them and acknowledge. */
  protected abstract void settings(Http2Settings now) throws IOException;

  /** Sends an answer to a frame, on the thread that reads. */
  protected abstract void reply(FrameOutput.Part part) throws IOException;

  /** The peer has processed no stream beyond that one and will not (RFC 9113, 6.8). */
  protected void goneAway(int lastStream) {}

  /** A frame has come. */
  protected void heard() {}

  /** A header block has begun that does not end with its first frame, or the rest of a frame has to be waited for. */
  protected void blockBegins() {}

  protected void blockEnds() {}

  // --- what they share

  /**
   * Nothing but content may come slowly, and that only while a stream is open; the frames of a header block have one
   * time together.
   */
  private final class FrameWaits implements FrameInput.Waits {
    private boolean timed;

    @Override
    public void begins(FrameInput frame) {
      timed = !untimed && !(frame.type() == FrameType.DATA && !streams.isEmpty());
      if (timed) {
        blockBegins();
      }
    }

    @Override
    public void ends() {
      if (timed) {
        blockEnds();
      }
    }
  }

  final void inBlock(boolean begins) {
    untimed = begins;
    if (begins) {
      blockBegins();
    } else {
      blockEnds();
    }
  }

  protected final void apply(Http2Settings now) throws Http2Exception {
    out.maxFrame(now.maxFrame());
    flow.initial(now.initialWindow());
  }

  /** Sends frames and returns whether the connection still accepts them. */
  protected final boolean trySend(FrameOutput.Part part) {
    try {
      out.write(part);
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  /** Takes data off the window that all streams share. */
  final void arrived(int bytes) throws IOException {
    if (room.addAndGet(-bytes) < 0) {
      throw Http2Exception.connection(Http2Error.FLOW_CONTROL_ERROR, "more data than the window has room for");
    }
    int due = allowance.returnsOnArrival() ? due(bytes) : 0;
    if (due > 0) {
      reply(() -> out.windowUpdate(0, due));
    }
  }

  private int due(int bytes) {
    int due = credit.addAndGet(bytes) >= allowance.window() / 4 ? credit.getAndSet(0) : 0;
    room.addAndGet(due);
    return due;
  }

  /** Lets the peer send as much again: on the connection, and on a stream unless that is 0. */
  protected final void consumed(int bytes, int stream) throws IOException {
    int due = allowance.returnsOnArrival() ? 0 : due(bytes);
    if (due > 0 || stream > 0) {
      out.write(() -> {
        if (due > 0) {
          out.windowUpdate(0, due);
        }
        if (stream > 0) {
          out.windowUpdate(stream, bytes);
        }
      });
    }
  }
}
