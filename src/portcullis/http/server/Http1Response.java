package portcullis.http.server;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.SocketChannel;
import java.util.Optional;
import java.util.function.Consumer;
import portcullis.http.message.Fields;
import portcullis.http.message.PausableBody;
import portcullis.http.message.RunningResponse;
import portcullis.http.wire.BodyOutput;
import portcullis.http.wire.Framing;
import portcullis.http.wire.WireOutput;

/**
 * The response of one exchange on a connection of HTTP/1, and all that is left of the exchange while nothing happens:
 * its handler has returned, and no thread waits for it. For one thread at a time, but for {@link #abort}.
 */
final class Http1Response implements RunningResponse {
  /** What a response waits for that no thread handles for now. */
  interface Await {
    /**
     * Begins the wait.
     *
     * @param client the client's channel, which no other code uses
     * @param over see {@link Pauses#begin}
     */
    void begin(Pauses pauses, SocketChannel client, Consumer<Boolean> over);
  }

  private final Connection connection;
  private volatile Optional<Thread> owner = Optional.of(Thread.currentThread());
  private volatile Optional<BodyOutput> body = Optional.empty();
  private Runnable left = () -> {};
  private Optional<Await> until = Optional.empty();
  private Consumer<Boolean> resuming = _ -> {};
  private Runnable afterwards = () -> {};
  private boolean keep;
  /** What follows after a pause. */
  private Framing rest = Framing.CHUNKED;
  private volatile boolean begun;
  private volatile boolean endsWithConnection;
  private boolean handedOver;
  private volatile boolean aborted;

  Http1Response(Connection connection) {
    this.connection = connection;
  }

  /** Sets what runs where the client leaves. */
  void watch(Runnable leaving) {
    left = leaving;
  }

  /**
   * Begins, its head having been written.
   *
   * @param wanted whether another request may come on the connection
   */
  BodyOutput begin(Framing framing, boolean wanted) {
    begun = true;
    endsWithConnection = framing.equals(Framing.UNTIL_CLOSE);
    keep = wanted && !endsWithConnection;
    BodyOutput framed = BodyOutput.of(framing, connection.output());
    body = Optional.of(framed);
    return framed;
  }

  boolean isBegun() {
    return begun;
  }

  /** Returns where its body goes; nowhere before it has begun. */
  @Override
  public OutputStream getResponseBody() {
    return body.isPresent() ? body.get() : OutputStream.nullOutputStream();
  }

  @Override
  public void trail(Fields trailers) {
    body.ifPresent(to -> to.trail(trailers));
  }

  @Override
  public byte[] room() {
    return connection.spares().take();
  }

  @Override
  public void recycle(byte[] room) {
    connection.spares().give(room);
  }

  /** For one whose request has been read to its end. */
  @Override
  public boolean mayPause() {
    return !connection.streams().hasNext();
  }

  @Override
  public boolean canPause() {
    return connection.canPause(left);
  }

  @Override
  public RunningResponse pause(PausableBody source, Consumer<Boolean> action) {
    rest = body.orElseThrow().rest();
    body = Optional.empty();
    pause((pauses, client, over) -> pauses.begin(source, Optional.of(client), over), action);
    return this;
  }

  /** Lets the exchange go on after its handler has returned before it has begun. @param then with what it goes on */
  void suspend(Suspension suspension, Runnable then) {
    pause((pauses, client, over) -> pauses.begin(suspension, client, over), _ -> then.run());
  }

  private void pause(Await wait, Consumer<Boolean> action) {
    until = Optional.of(wait);
    resuming = action;
    owner = Optional.empty();
    connection.pause(Optional.of(this));
  }

  /** Returns whether it has been paused, and no thread waits for what it goes on with. */
  boolean isPaused() {
    return until.isPresent();
  }

  /** Returns the wait for what it goes on with, which the caller begins; empty if it is not paused. */
  Optional<Await> awaited() {
    Optional<Await> out = until;
    until = Optional.empty();
    return out;
  }

  /** Leaves the connection to a tunnel. */
  void handOver() {
    handedOver = true;
  }

  /** Has something done at its end. */
  void afterwards(Runnable action) {
    afterwards = action;
  }

  /** Does what is to be done at its end. */
  void over() {
    afterwards.run();
  }

  /**
   * Goes on after a pause on the current thread, until it is paused again or ends.
   *
   * @param late whether nothing came for too long
   */
  void resume(boolean late) {
    owner = Optional.of(Thread.currentThread());
    connection.resume(left);
    body = begun ? Optional.of(BodyOutput.of(rest, connection.output())) : Optional.empty();
    connection.watchClient(() -> true, left, false);
    resuming.accept(late);
  }

  // The exchange's own thread flushes what has been written; any other one may find it writing.
  @Override
  public void abort() {
    boolean own = owner.equals(Optional.of(Thread.currentThread()));
    if (aborted) {
      return;
    }
    aborted = true;
    if (begun && endsWithConnection) {
      connection.reset();
    } else if (own) {
      flushQuietly();
      connection.close();
    } else {
      connection.drop();
    }
  }

  private void flushQuietly() {
    try {
      if (body.isPresent()) {
        body.get().flush();
        connection.output().flush();
      }
    } catch (IOException e) {
      // the client has gone
    }
  }

  /**
   * Ends it once its handler is done with it.
   *
   * @return whether another request may come on the connection
   */
  boolean end() throws IOException {
    if (handedOver) {
      return false;
    }
    connection.unwatchClient();
    if (!(body.isPresent() && body.get().isComplete())) {
      abort();
    }
    if (aborted) {
      return false;
    }
    WireOutput out = connection.output();
    out.flush();
    return keep;
  }
}
