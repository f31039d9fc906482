package portcullis.http.client;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import portcullis.http.message.ConnectionFields;
import portcullis.http.message.DirectInput;
import portcullis.http.message.Fields;
import portcullis.http.message.WireRequest;
import portcullis.http.wire.DirectBuffers;

/**
 * Sends the body of a request from its source, on a thread of its own while the response may come already. What the
 * source yields goes out at once. A read of the source is never interrupted, as it may be another connection: an upload
 * that is abandoned ends with the read that is under way, by the source's own limit.
 */
final class Upload implements Runnable {
  /** Is notified of the end of an upload, on the thread of the upload. */
  interface Listener {
    /** The upload ended other than by an error of its source; the time for the response begins. */
    void ended();

    /** The source failed: the request cannot be completed. */
    void broken(Throwable cause);
  }

  /** The destination of the body, which sends every piece at once. */
  interface Sink extends AutoCloseable {
    void write(byte[] bytes, int length) throws IOException;

    /** Returns whether {@link #write(ByteBuffer)} is possible. */
    default boolean isDirect() {
      return false;
    }

    default void write(ByteBuffer bytes) throws IOException {
      throw new IOException("no channel");
    }

    /** Ends the body; the request is complete. */
    void end(Fields trailers) throws IOException;

    @Override
    void close();
  }

  // with its size and the line ends a chunk fits the output's buffer, so that it goes out in one piece
  private static final int PIECE = 16 * 1024 - 64;
  // a body of unknown length may come now and then only, as that of a call: there may be many of them
  private static final int SMALL = 2 * 1024;
  // so many reads in a row that bring less end the use of a large buffer
  private static final int MOST_SMALL = 4;
  private static final int MOST_KEPT = 8 * 1024;
  private static final Duration CONTINUE = Duration.ofSeconds(1);

  private final WireRequest.Parts parts;
  private final Sink sink;
  private final Listener listener;
  private final DirectBuffers buffers;
  /** What has been read, if that is not too much and may have to be sent again. */
  private volatile Optional<ByteArrayOutputStream> kept;
  private volatile Optional<byte[]> keptWhole = Optional.empty();
  private Optional<IOException> failure = Optional.empty();
  private final CountDownLatch start;
  private final CountDownLatch end = new CountDownLatch(1);
  private long left;
  private volatile boolean givenUp;
  private volatile boolean whole;

  /**
   * Starts the upload of a request whose head has been sent; the sink is closed at the end.
   *
   * @param buffers for a body that comes faster than it can be sent
   * @param keeps whether the body may have to be sent again
   */
  Upload(WireRequest.Parts parts, Sink sink, Listener listener, DirectBuffers buffers, boolean keeps) {
    this.parts = parts;
    this.sink = sink;
    this.listener = listener;
    this.buffers = buffers;
    this.left = parts.length() < 0 ? Long.MAX_VALUE : parts.length();
    this.kept = keeps && parts.length() <= MOST_KEPT ? Optional.of(new ByteArrayOutputStream()) : Optional.empty();
    this.start = new CountDownLatch(isContinueExpected(parts) ? 1 : 0);
  }

  private static boolean isContinueExpected(WireRequest.Parts parts) {
    Optional<String> expect = parts.fields().first("Expect");
    return expect.isPresent() && expect.get().equalsIgnoreCase("100-continue");
  }

  /** Sends the body, as the upstream requested it (RFC 9110, 10.1.1). */
  void proceed() {
    start.countDown();
  }

  /** Stops sending the body. */
  void giveUp() {
    givenUp = true;
    start.countDown();
  }

  /** Returns whether all has been sent. */
  boolean isWhole() {
    return whole && end.getCount() == 0;
  }

  /** Waits until all has been sent, at most that long. */
  boolean isWholeWithin(Duration limit) throws InterruptedException {
    return end.await(limit.toNanos(), TimeUnit.NANOSECONDS) && whole;
  }

  /** Waits for the end, at most that long, and returns all of the body; empty if that has been too much to keep. */
  Optional<byte[]> keptWithin(Duration limit) throws InterruptedException {
    return end.await(limit.toNanos(), TimeUnit.NANOSECONDS) ? keptWhole : Optional.empty();
  }

  /** Keeps nothing any more. */
  void forget() {
    kept = Optional.empty();
    keptWhole = Optional.empty();
  }

  @Override
  public void run() {
    try (sink; InputStream body = parts.body()) {
      start.await(CONTINUE.toNanos(), TimeUnit.NANOSECONDS);
      copy(body);
      listener.ended();
    } catch (RequestBodyException e) {
      listener.broken(e.getCause());
    } catch (IOException e) {
      // the upstream takes no more: what it answers says why
      listener.ended();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException | Error e) {
      listener.broken(e);
    } finally {
      end.countDown();
    }
  }

  private void copy(InputStream body) throws IOException {
    byte[] piece = new byte[(int) Math.min(left, parts.length() < 0 ? SMALL : PIECE)];
    boolean more = left > 0;
    while (more && !givenUp) {
      byte[] room = piece;
      int n = read(() -> body.read(room, 0, (int) Math.min(left, room.length)));
      if (n > 0) {
        send(room, n);
      }
      more = n >= 0 && left > 0;
      piece = n == SMALL ? new byte[PIECE] : room;
      if (more && n == PIECE && sink.isDirect() && body instanceof DirectInput direct && direct.isDirect()) {
        more = copyDirect(direct);
      }
    }
    if (!more) {
      keptWhole = kept.map(ByteArrayOutputStream::toByteArray);
      if (failure.isPresent()) {
        throw failure.get();
      }
      sink.end(trailers());
      whole = true;
    }
  }

  /** After a failure the rest is read nevertheless that may have to be sent again. */
  private void send(byte[] bytes, int n) throws IOException {
    kept.ifPresent(to -> to.write(bytes, 0, n));
    kept = kept.filter(to -> to.size() <= MOST_KEPT);
    try {
      if (failure.isEmpty()) {
        sink.write(bytes, n);
      }
    } catch (IOException e) {
      failure = Optional.of(e);
    }
    if (failure.isPresent() && kept.isEmpty()) {
      throw failure.get();
    }
  }

  /**
   * Copies between the channels as long as much comes at once: a body that trickles is to occupy no buffer.
   *
   * @return whether there may be more
   */
  private boolean copyDirect(DirectInput body) throws IOException {
    Optional<ByteBuffer> taken = buffers.take();
    if (taken.isEmpty()) {
      return true;
    }
    ByteBuffer room = taken.get();
    try {
      int small = 0;
      while (left > 0 && !givenUp && small < MOST_SMALL) {
        room.clear().limit((int) Math.min(left, room.capacity()));
        int n = read(() -> body.read(room));
        if (n < 0) {
          return false;
        }
        sink.write(room.flip());
        small = n < PIECE ? small + 1 : 0;
      }
      return left > 0;
    } finally {
      buffers.give(room);
    }
  }

  private interface Source {
    int read() throws IOException;
  }

  /** Returns the number of bytes, -1 at the end. */
  private int read(Source body) throws RequestBodyException {
    try {
      int n = body.read();
      if (n < 0 && parts.length() >= 0) {
        throw new RequestBodyException(new IOException("the body is shorter than its length says"));
      }
      left -= Math.max(n, 0);
      return n;
    } catch (RequestBodyException e) {
      throw e;
    } catch (IOException e) {
      throw new RequestBodyException(e);
    }
  }

  /**
   * Returns the trailers without fields of framing, routing and the connection (RFC 9110, 6.5.1); none for a body of a
   * known length.
   */
  private Fields trailers() {
    return parts.length() >= 0 ? Fields.NONE
        : parts.trailers().get().without(line -> ConnectionFields.endsHere(line.name()) || line.is("Host"));
  }
}
