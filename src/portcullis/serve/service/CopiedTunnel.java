package portcullis.serve.service;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import portcullis.background.VirtualThreadPool;
import portcullis.http.message.Tunnel;
import portcullis.http.wire.MessageBounds;
import portcullis.serve.stream.EndReason;
import portcullis.serve.stream.StreamControl;

/**
 * Copies bytes between two connections, of which at least one has TLS, until one side ends, both are idle for too long,
 * or it is ended. Both ends of a WebSocket are then sent a close frame.
 */
final class CopiedTunnel implements StreamControl {
  // most messages fit: a tunnel that is idle holds no more for each direction
  private static final int SMALL = 2 << 10;
  private static final int LARGE = 16 << 10;
  private static final long LONGEST_WRITE_MILLIS = 300;

  private final Tunnel client;
  private final Tunnel upstream;
  private final boolean webSocket;
  private final Direction down;
  private final Direction up;
  private volatile Optional<EndReason> ended = Optional.empty();

  /** @param webSocket whether the bytes are frames of a WebSocket */
  CopiedTunnel(Tunnel client, Tunnel upstream, boolean webSocket) {
    this.client = client;
    this.upstream = upstream;
    this.webSocket = webSocket;
    this.down = new Direction(upstream, client, false);
    this.up = new Direction(client, upstream, true);
  }

  /**
   * Begins to copy bytes.
   *
   * @param over run by another thread once both directions have ended
   */
  void begin(Duration idle, Runnable over) throws IOException {
    client.idleLimit(idle);
    upstream.idleLimit(idle);
    AtomicInteger left = new AtomicInteger(2);
    for (Direction one : List.of(down, up)) {
      VirtualThreadPool.SHARED.execute(() -> {
        try {
          one.carry();
        } finally {
          if (left.decrementAndGet() == 0) {
            over.run();
          }
        }
      });
    }
  }

  @Override
  public void end(EndReason reason) {
    ended = Optional.of(reason);
    Thread.startVirtualThread(down::end);
    Thread.startVirtualThread(up::end);
  }

  @Override
  public void kill() {
    client.abort();
    upstream.abort();
  }

  /** One direction. Writes exclude each other, as the write that ends it comes from another thread. */
  private final class Direction {
    private final Tunnel from;
    private final Tunnel to;
    private final boolean masked;
    private final MessageBounds bounds;
    private final ReentrantLock writing = new ReentrantLock();
    private boolean isDone;
    private boolean isCopied;

    Direction(Tunnel from, Tunnel to, boolean masked) {
      this.from = from;
      this.to = to;
      this.masked = masked;
      this.bounds = Tunnels.bounds(webSocket);
    }

    void carry() {
      byte[] buffer = new byte[SMALL];
      try {
        begin();
        InputStream in = from.input();
        for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
          write(ByteBuffer.wrap(buffer, 0, n));
          if (n == SMALL) {
            buffer = new byte[LARGE];
          }
        }
        endOfInput();
      } catch (IOException _) {
        // one end has gone or is silent: so is the tunnel
        from.close();
        to.close();
      }
    }

    private void begin() throws IOException {
      writing.lock();
      try {
        isCopied = true;
        if (ended.isPresent()) {
          finish();
        }
      } finally {
        writing.unlock();
      }
    }

    /** A side that answers its close frame by leaving does not spare the other side its own. */
    private void endOfInput() throws IOException {
      writing.lock();
      try {
        if (ended.isPresent()) {
          finish();
        }
        if (!isDone) {
          isDone = true;
          to.endOutput();
        }
      } finally {
        writing.unlock();
      }
    }

    /** Once the tunnel is ended, the message in progress is completed, and what follows is discarded. */
    private void write(ByteBuffer bytes) throws IOException {
      writing.lock();
      try {
        if (ended.isEmpty()) {
          to.output().write(bytes.array(), 0, bytes.limit());
          bounds.pass(bytes);
        } else if (!isDone) {
          bounds.finish(bytes);
          to.output().write(bytes.array(), 0, bytes.position());
          finish();
        }
      } finally {
        writing.unlock();
      }
    }

    /** Ends the output between two messages; the registry does not wait for that for long. */
    void end() {
      try {
        if (writing.tryLock(LONGEST_WRITE_MILLIS, TimeUnit.MILLISECONDS)) {
          try {
            if (isCopied) {
              finish();
            }
          } finally {
            writing.unlock();
          }
        }
      } catch (IOException _) {
        kill();
      } catch (InterruptedException _) {
        Thread.currentThread().interrupt();
      }
    }

    private void finish() throws IOException {
      if (!isDone && bounds.isBetween()) {
        isDone = true;
        if (bounds.isOpen()) {
          to.output().write(Tunnels.closing(ended.orElseThrow(), webSocket, masked));
        }
        to.endOutput();
      }
    }
  }
}
