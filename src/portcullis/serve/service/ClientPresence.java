package portcullis.serve.service;

import com.sun.net.httpserver.HttpExchange;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.SocketTimeoutException;
import java.util.Optional;
import portcullis.http.client.AwaitedResponse;
import portcullis.http.message.Fields;
import portcullis.http.message.NameSet;
import portcullis.http.message.PausableBody;
import portcullis.http.message.Trailers;
import portcullis.http.message.WireExchange;

/**
 * Watches whether the client of an exchange has closed its connection. The thread is interrupted only while it waits
 * for an upstream: an interrupted write would close the connection to the client, which other requests may share. For
 * the thread that created it.
 */
final class ClientPresence {
  /** An operation that waits for an upstream. */
  interface Wait<T> {
    T result() throws IOException, InterruptedException;
  }

  /** How often it is tried to give up a thread: until then another one may be watching the client. */
  private static final int FIRST_TRY = 100;
  private static final int LATER_TRIES = 400;

  /** Why a response was not whole. */
  static final String BROKE_OFF = "the answer of the upstream broke off";
  static final String SILENT = "the upstream has sent nothing for longer than `timeout.idle`";

  private Optional<Thread> thread = Optional.of(Thread.currentThread());
  private Runnable waking = () -> {};
  private boolean waiting;
  private boolean left;
  private Optional<String> broken = Optional.empty();

  /** Watches the client of an exchange until the exchange ends. */
  static ClientPresence of(HttpExchange exchange) {
    ClientPresence presence = new ClientPresence();
    WireExchange.of(exchange).watchClient(presence::leave);
    return presence;
  }

  /** Records that the client has left, or is treated as if it had. */
  synchronized void leave() {
    left = true;
    if (waiting) {
      thread.ifPresent(Thread::interrupt);
    }
    waking.run();
  }

  /** Leaves the exchange to no thread. @param wake run where the client leaves; must not block */
  synchronized void suspend(Runnable wake) {
    thread = Optional.empty();
    waking = wake;
    if (left) {
      wake.run();
    }
  }

  /** Leaves the exchange to the current thread. */
  synchronized void resume() {
    thread = Optional.of(Thread.currentThread());
    waking = () -> {};
  }

  synchronized boolean hasLeft() {
    return left;
  }

  /** Records that the upstream has failed: if its client was there then, it leaves because of that. */
  private synchronized void fail(IOException error) {
    if (!left && broken.isEmpty()) {
      broken = Optional.of(error.getCause() instanceof SocketTimeoutException ? SILENT : BROKE_OFF);
    }
  }

  /** Returns how the upstream has failed while the client was there; empty if it has not. */
  synchronized Optional<String> failure() {
    return broken;
  }

  /** Runs an operation, and clears an interrupt that was caused by the client leaving. */
  <T> T during(Wait<T> wait) throws IOException, InterruptedException {
    begin();
    try {
      return wait.result();
    } finally {
      end();
    }
  }

  /** Waits until a quiet response can be left to no thread; returns false if it cannot, or comes before. */
  boolean mayLeave(AwaitedResponse awaited, HttpExchange exchange) {
    WireExchange wire = WireExchange.of(exchange);
    boolean quiet = awaited.isQuiet();
    for (int millis = FIRST_TRY; quiet && wire.maySuspend() && !wire.canPause(); millis = LATER_TRIES) {
      quiet = !comes(awaited, millis);
    }
    return quiet && wire.maySuspend();
  }

  private boolean comes(AwaitedResponse awaited, int millis) {
    begin();
    try {
      return awaited.comes(millis);
    } finally {
      end();
    }
  }

  /** Runs an action within a wait without being interrupted. */
  void aside(Runnable action) {
    end();
    try {
      action.run();
    } finally {
      begin();
    }
  }

  private synchronized void begin() {
    waiting = true;
    if (left) {
      thread.ifPresent(Thread::interrupt);
    }
  }

  private synchronized void end() {
    waiting = false;
    if (left) {
      Thread.interrupted();
    }
  }

  private synchronized void handOver(Optional<Thread> other) {
    thread = other;
  }

  /**
   * Wraps the body of a response so that each read is such a wait, of the thread that resumed it if it was paused, and
   * its trailers are those to pass on.
   */
  InputStream body(InputStream in) {
    return in instanceof PausableBody pausable ? new Pausable(in, pausable) : new Awaited(in);
  }

  /**
   * Waits a moment for the first of a body, with which its head is sent; see {@link PausableBody#awaitBegin}.
   *
   * @throws IOException if the body breaks off before that while its client is there
   */
  InputStream begun(InputStream body, int millis) throws IOException {
    try {
      if (body.available() == 0 && body instanceof PausableBody pausable) {
        pausable.begins(millis);
      }
    } catch (IOException _) {
      failed(body);
    }
    return body;
  }

  /** Lets a body whose wait has failed report that as a read does. */
  private void failed(InputStream body) throws IOException {
    try {
      body.read(new byte[1], 0, 1);
    } catch (IOException e) {
      if (failure().isPresent()) {
        throw e;
      }
    }
  }

  private class Awaited extends FilterInputStream {
    Awaited(InputStream in) {
      super(in);
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
      begin();
      try {
        return super.read(into, offset, length);
      } catch (IOException e) {
        fail(e);
        throw e;
      } finally {
        end();
      }
    }
  }

  private final class Pausable extends Awaited implements PausableBody {
    private final PausableBody body;

    Pausable(InputStream in, PausableBody body) {
      super(in);
      this.body = body;
    }

    @Override
    public boolean begins(int millis) throws IOException {
      begin();
      try {
        return body.begins(millis);
      } finally {
        end();
      }
    }

    @Override
    public boolean comes(int millis) throws IOException {
      begin();
      try {
        return body.comes(millis);
      } finally {
        end();
      }
    }

    @Override
    public boolean isShared() {
      return body.isShared();
    }

    @Override
    public void pause(Runnable coming) {
      handOver(Optional.empty());
      body.pause(coming);
    }

    @Override
    public Source pause() {
      handOver(Optional.empty());
      return body.pause();
    }

    @Override
    public void resume(boolean late) {
      handOver(Optional.of(Thread.currentThread()));
      body.resume(late);
    }

    @Override
    public Fields trailers() {
      return Trailers.passedOn(body.trailers(), NameSet.EMPTY);
    }
  }
}
