package portcullis.serve.service;

import java.io.IOException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import portcullis.background.VirtualThreadPool;
import portcullis.http.message.Tunnel;
import portcullis.http.wire.ChannelRelay;
import portcullis.http.wire.MessageBounds;
import portcullis.serve.stream.EndReason;
import portcullis.serve.stream.StreamControl;

/**
 * Copies bytes between two connections, of which at least one has TLS, until one side ends, both are idle for too long,
 * or it is ended. Both ends of a WebSocket are then sent a close frame. A thread reads each connection; when nothing
 * has passed for a while both end, and begin again with the next byte.
 */
final class CopiedTunnel implements StreamControl {
  // most messages fit: a tunnel that is idle holds no more for each direction
  private static final int SMALL = 2 << 10;
  private static final int LARGE = 16 << 10;
  private static final long LONGEST_WRITE_MILLIS = 300;
  private static final int RESTS = -2;
  private static final long NEVER = Long.MAX_VALUE;

  /** After so long without a byte the threads are given up: a pause costs less than to hold their memory. */
  private static final long PATIENCE = TimeUnit.SECONDS.toNanos(1);
  private static final long LONGEST_PATIENCE = TimeUnit.SECONDS.toNanos(16);
  /** A pause that ends sooner costs more than it is worth. */
  private static final long WORTHWHILE = TimeUnit.SECONDS.toNanos(10);
  /** One thread ends only if the other one is about to: until then its connection is not read. */
  private static final long SOON = TimeUnit.MILLISECONDS.toNanos(100);

  private final Tunnel client;
  private final Tunnel upstream;
  private final ChannelRelay pauses;
  private final Tunnels.Kind kind;
  private final Direction down;
  private final Direction up;
  private volatile Optional<EndReason> ended = Optional.empty();
  /** When something has passed, either way. */
  private volatile long used = System.nanoTime();
  private volatile long patience = PATIENCE;
  private long idle;
  private Runnable over = () -> {};
  private int directionsOver;
  /** Ends the pause, while there is one. */
  private Optional<Runnable> pause = Optional.empty();
  private long pausedSince;

  /**
   * @param kind what the bytes are, and where their end is recorded
   * @param pauses in which it waits without a thread
   */
  CopiedTunnel(Tunnel client, Tunnel upstream, Tunnels.Kind kind, ChannelRelay pauses) {
    this.pauses = pauses;
    this.client = client;
    this.upstream = upstream;
    this.kind = kind;
    this.down = new Direction(upstream, client, TunnelEnd.Side.UPSTREAM);
    this.up = new Direction(client, upstream, TunnelEnd.Side.CLIENT);
  }

  /**
   * Begins to copy bytes.
   *
   * @param over run by another thread once both directions have ended
   */
  void begin(Duration longest, Runnable atEnd) throws IOException {
    idle = longest.toNanos();
    over = atEnd;
    client.idleLimit(longest);
    upstream.idleLimit(longest);
    start();
  }

  private void start() {
    start(down);
    start(up);
  }

  private static void start(Direction one) {
    one.rests = false;
    VirtualThreadPool.SHARED.execute(one::carry);
  }

  private Direction opposite(Direction one) {
    return one == up ? down : up;
  }

  /**
   * Returns whether the thread of a direction is to end because nothing passes, with that of the other one: it has
   * ended, or is about to.
   */
  private synchronized boolean pauses(Direction one) {
    Direction other = opposite(one);
    one.rests = true; // before it looks whether the other one still waits, which then looks at this
    long now = System.nanoTime();
    boolean quiet = ended.isEmpty() && directionsOver == 0 && now - used >= patience;
    if (quiet && other.rests) {
      quiet = isPaused(now);
    } else {
      quiet &= other.isAboutToRest(now);
    }
    if (!quiet) {
      one.rests = false;
      startAgain(other);
    }
    return quiet;
  }

  /** Lets a direction that rests go on, unless both do. */
  private synchronized void startAgain(Direction one) {
    if (one.rests && pause.isEmpty()) {
      start(one);
    }
  }

  private boolean isPaused(long now) {
    if (!client.mayRest() || !upstream.mayRest()) {
      return false;
    }
    try {
      SocketChannel near = client.rest();
      SocketChannel far = upstream.rest();
      pausedSince = now;
      Duration longest = Duration.ofNanos(Math.max(idle - (now - used), 1));
      pause = Optional.of(pauses.await(List.of(near, far), longest, _ -> resume()));
      return true;
    } catch (IOException _) {
      client.resume();
      upstream.resume();
      return false;
    }
  }

  private synchronized void resume() {
    boolean worthwhile = System.nanoTime() - pausedSince > WORTHWHILE;
    patience = worthwhile ? PATIENCE : Math.min(2 * patience, LONGEST_PATIENCE);
    pause = Optional.empty();
    client.resume();
    upstream.resume();
    start();
  }

  private void over(Direction one) {
    if (isLast()) {
      over.run();
    } else {
      startAgain(opposite(one));
      if (kind.webSocket()) {
        endWithBoth();
      }
    }
  }

  private synchronized boolean isLast() {
    directionsOver++;
    notifyAll();
    return directionsOver == 2;
  }

  /** Waits for the end of the other direction, and ends both once nothing has passed for a while. */
  private void endWithBoth() {
    try {
      if (!areBothOver()) {
        kill();
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  private synchronized boolean areBothOver() throws InterruptedException {
    for (long left = halfOpen(); directionsOver < 2 && left > 0; left = halfOpen()) {
      wait(left / 1_000_000 + 1);
    }
    return directionsOver == 2;
  }

  /** Returns for how long it may stay half open; a write that waits for its receiver has a limit of its own. */
  private long halfOpen() {
    boolean isWriting = down.writing.isLocked() || up.writing.isLocked();
    return kind.halfOpen(Duration.ofNanos(idle)).toNanos() - (isWriting ? 0 : System.nanoTime() - used);
  }

  @Override
  public void end(EndReason reason) {
    kind.endedHere(reason);
    ended = Optional.of(reason);
    if (!endsPause()) {
      Thread.startVirtualThread(down::end);
      Thread.startVirtualThread(up::end);
    }
  }

  /** Returns whether there was a pause, after which both directions end by themselves. */
  private synchronized boolean endsPause() {
    pause.ifPresent(Runnable::run);
    return pause.isPresent();
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
    private final TunnelEnd.Side side;
    private final MessageBounds bounds;
    private final ReentrantLock writing = new ReentrantLock();
    private volatile long waitsUntil = NEVER;
    private volatile boolean rests;
    private boolean isDone;
    private boolean isCopied;

    Direction(Tunnel from, Tunnel to, TunnelEnd.Side side) {
      this.from = from;
      this.to = to;
      this.side = side;
      this.bounds = kind.bounds(side);
    }

    void carry() {
      boolean pauses = false;
      try {
        begin();
        pauses = copied() == RESTS;
        if (!pauses) {
          endOfInput();
        }
      } catch (IOException _) {
        // one side has gone or is silent: so is the tunnel
        endedBy();
        from.close();
        to.close();
      } finally {
        if (!pauses) {
          over(this);
        }
      }
    }

    /** Records that its sender has ended, or that it was ended here. */
    private void endedBy() {
      kind.end().endedBy(from.isEndedHere() ? TunnelEnd.Side.PORTCULLIS : side);
    }

    /** Returns -1 at the end of the input, or {@link #RESTS}. */
    private int copied() throws IOException {
      byte[] buffer = new byte[SMALL];
      int n = read(buffer);
      for (; n >= 0; n = read(buffer)) {
        write(ByteBuffer.wrap(buffer, 0, n));
        used = System.nanoTime();
        if (n == SMALL) {
          buffer = new byte[LARGE];
        }
      }
      return n;
    }

    private int read(byte[] buffer) throws IOException {
      while (true) {
        try {
          from.readLimit(Duration.ofNanos(limit()).plusMillis(1));
          int n = from.input().read(buffer);
          passed();
          return n;
        } catch (SocketTimeoutException e) {
          if (System.nanoTime() - used >= idle) {
            kind.end().endedIdle();
            throw e;
          }
          if (pauses(this)) {
            return RESTS;
          }
        }
      }
    }

    /** Returns for how many nanoseconds to wait: until both directions may rest, or as long again. */
    private long limit() {
      long now = System.nanoTime();
      long quiet = now - used;
      long next = Math.clamp(idle - quiet, 1, quiet < patience ? patience - quiet : patience);
      waitsUntil = now + next;
      return next;
    }

    /** Records that it has read something, and does not wait any more. */
    private void passed() {
      waitsUntil = NEVER;
      used = System.nanoTime();
      if (opposite(this).rests) {
        startAgain(opposite(this));
      }
    }

    boolean isAboutToRest(long now) {
      long until = waitsUntil;
      return until != NEVER && until - now < SOON;
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
      endedBy();
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
          send(bytes);
        } else if (!isDone) {
          bounds.finish(bytes);
          to.output().write(bytes.array(), 0, bytes.position());
          finish();
        }
      } finally {
        writing.unlock();
      }
    }

    /** A side that takes nothing more has gone. */
    private void send(ByteBuffer bytes) throws IOException {
      try {
        to.output().write(bytes.array(), 0, bytes.limit());
        bounds.pass(bytes);
      } catch (IOException e) {
        opposite(this).endedBy();
        throw e;
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
          to.output().write(Tunnels.closing(ended.orElseThrow(), kind.webSocket(), side == TunnelEnd.Side.CLIENT));
        }
        to.endOutput();
      }
    }
  }
}
