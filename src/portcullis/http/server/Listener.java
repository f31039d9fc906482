package portcullis.http.server;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.channels.ServerSocketChannel;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import portcullis.background.BackgroundTask;
import portcullis.background.VirtualThreadPool;
import portcullis.http.wire.ByteArrayPool;
import portcullis.http.wire.DeadlineTimer;
import portcullis.http.wire.MalformedMessageException;
import portcullis.lang.address.Network;

/**
 * The common implementation of both servers: accepts connections and serves each on a virtual thread. For any threads.
 */
final class Listener {
  private static final long AFTER_FAULT_NANOS = 50_000_000;
  /** The interval in which the same error is reported once. */
  private static final long REPORT_NANOS = TimeUnit.SECONDS.toNanos(10);
  /** How long handlers have at the end of a stop to answer their requests, and again to record what becomes of them. */
  private static final Duration LAST_WORDS = Duration.ofSeconds(1);
  /** How long connections that the system has accepted already are taken over while the server stops. */
  private static final Duration LAST_CONNECTIONS = Duration.ofSeconds(5);

  private final ServerLimits limits;
  private final RejectionListener refusals;
  private final Set<Protocol> protocols;
  private final Contexts contexts = new Contexts();
  private final Dispatch dispatch;
  private final ConnectionRegistry registry;
  private final Descriptors descriptors;
  private final DateHeader date = new DateHeader();
  private final Handshake handshake;
  private final ByteArrayPool spares = new ByteArrayPool();
  private final Pauses pauses = new Pauses();
  private final ServerSocket server;
  private Optional<DeadlineTimer> watch = Optional.empty();
  private Optional<BackgroundTask> accepting = Optional.empty();
  private volatile boolean leaving;
  private volatile boolean stopped;
  private int accepted;
  private long nextReport = System.nanoTime();
  private int endedSince;

  Listener(ServerLimits limits, RejectionListener refusals, Set<Protocol> protocols, Handshake handshake,
      Descriptors descriptors)
      throws IOException {
    this.limits = limits;
    this.refusals = refusals;
    this.protocols = Set.copyOf(protocols);
    this.handshake = handshake;
    this.descriptors = descriptors;
    this.registry = new ConnectionRegistry(limits);
    this.dispatch = new Dispatch(contexts, new RequestSlots(limits, registry::waitingRequests), refusals);
    this.server = ServerSocketChannel.open().socket();
  }

  Contexts contexts() {
    return contexts;
  }

  Dispatch dispatch() {
    return dispatch;
  }

  void bind(InetSocketAddress address, int backlog) throws IOException {
    server.setReuseAddress(true);
    server.bind(address, backlog);
  }

  InetSocketAddress address() {
    return (InetSocketAddress) server.getLocalSocketAddress();
  }

  void executor(Optional<Executor> one) {
    if (watch.isPresent()) {
      throw new IllegalStateException("server already started");
    }
    dispatch.executor(one);
  }

  synchronized void start() {
    if (!server.isBound() || watch.isPresent() || stopped) {
      throw new IllegalStateException("server in wrong state");
    }
    DeadlineTimer started = new DeadlineTimer("server-watch");
    watch = Optional.of(started);
    descriptors.share(registry);
    VirtualThreadPool.SHARED.fill();
    accepting = Optional.of(BackgroundTask.start(Thread.ofVirtual().name("server-accept"), () -> accept(started)));
  }

  /** Returns the number of open connections. */
  int connections() {
    return registry.size();
  }

  private boolean accept(DeadlineTimer deadlines) {
    try {
      enter(server.accept(), deadlines);
      if (++accepted % 16 == 0) {
        LockSupport.parkNanos(1); // others have a turn, also those that Thread.yield would keep waiting
      }
    } catch (IOException e) {
      if (!stopped) {
        failed(e);
      }
    }
    if (stopped) {
      acceptLast(deadlines);
    }
    return !stopped;
  }

  /** Takes over the connections that the system has accepted: closing the server socket would reset them. */
  private void acceptLast(DeadlineTimer deadlines) {
    long end = System.nanoTime() + LAST_CONNECTIONS.toNanos();
    try {
      server.setSoTimeout(1);
      while (System.nanoTime() - end < 0) {
        enter(server.accept(), deadlines);
      }
    } catch (IOException e) {
      // there are no more
    }
  }

  /** Frees descriptors where they are missing, reports that now and then, and waits a moment. */
  private void failed(IOException error) {
    endedSince += Descriptors.areMissing(error) ? descriptors.shed() : 0;
    if (System.nanoTime() - nextReport >= 0) {
      nextReport = System.nanoTime() + REPORT_NANOS;
      refusals.starved(String.valueOf(error.getMessage()), endedSince);
      endedSince = 0;
    }
    LockSupport.parkNanos(AFTER_FAULT_NANOS);
  }

  private void enter(Socket socket, DeadlineTimer deadlines) throws IOException {
    Served served = new Served(handshake.accepted(socket), deadlines);
    Optional<String> refused = registry.enter(served);
    if (refused.isEmpty()) {
      begin(served);
      return;
    }
    refusals.refused((InetSocketAddress) socket.getRemoteSocketAddress(), Optional.empty(), 503, refused.get());
    socket.close();
  }

  /** A connection that gets no thread, for want of memory say, must not count as open. */
  private void begin(Served served) {
    try {
      VirtualThreadPool.SHARED.execute(served);
    } catch (RuntimeException | Error e) {
      served.drop();
      registry.leave(served);
      throw e;
    }
  }

  /** Lets the next response on each connection of HTTP/1 be its last; new connections are accepted as before. */
  void endAfterResponses() {
    leaving = true;
    registry.present().forEach(ConnectionRegistry.ClientConnection::endAfterResponse);
  }

  /** Stops accepting connections; those that there are go on. */
  void stopAccepting() {
    boolean first = !stopped;
    stopped = true;
    if (first && accepting.isPresent() && wakeAccepting()) {
      accepting.get().join(LAST_CONNECTIONS);
    }
    try {
      server.close();
    } catch (IOException e) {
      // it takes no more connections
    }
  }

  /** Connects to this server: nothing else ends the wait for a connection without resetting others that wait. */
  private boolean wakeAccepting() {
    InetAddress own = address().getAddress();
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress(own.isAnyLocalAddress() ? InetAddress.getLoopbackAddress() : own,
          address().getPort()), (int) LAST_CONNECTIONS.toMillis());
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  /**
   * Stops accepting connections, lets requests in progress end, and then closes what is left. Idle connections end at
   * once; a request that has come before is served.
   *
   * @param late run a moment before what is left is closed, so that it may be answered
   */
  synchronized void stop(Duration within, Runnable late) {
    stopAccepting();
    registry.present().forEach(ConnectionRegistry.ClientConnection::drain);
    awaitEmpty(within);
    late.run();
    awaitEmpty(LAST_WORDS);
    registry.present().forEach(ConnectionRegistry.ClientConnection::drop);
    awaitEmpty(LAST_WORDS);
    descriptors.leave(registry);
    watch.ifPresent(DeadlineTimer::close);
  }

  private void awaitEmpty(Duration within) {
    try {
      registry.awaitEmpty(within.toNanos());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** A connection from its acceptance to its end, on a thread of its own. */
  private final class Served implements Runnable, ConnectionRegistry.ClientConnection {
    private final Socket socket;
    private final DeadlineTimer deadlines;
    private final InetAddress address;
    private final Network network;
    private final long since = System.nanoTime();
    private volatile Optional<Connection> connection = Optional.empty();
    private volatile Optional<LastingConnection> lasting = Optional.empty();

    Served(Socket socket, DeadlineTimer deadlines) {
      this.socket = socket;
      this.deadlines = deadlines;
      this.address = socket.getInetAddress();
      this.network = Network.ofPeer(address);
    }

    @Override
    public void run() {
      try {
        socket.setTcpNoDelay(true);
        Connection open = new Connection(socket, handshake.done(socket, deadlines, limits.waits()), deadlines,
            limits.waits(), spares);
        connection = Optional.of(open);
        if (leaving) {
          open.endAfterResponse();
        }
        if (stopped) {
          open.drain();
        }
        serve(open);
      } catch (IOException e) {
        // the client broke off, was late or failed to set up TLS
      } finally {
        leave();
      }
    }

    /** A tunnel that lasts is there until it is closed. */
    private void leave() {
      Optional<Http1Response.Await> paused = connection.flatMap(Connection::paused).flatMap(Http1Response::awaited);
      if (paused.isPresent()) {
        await(paused.get());
        return;
      }
      Optional<LastingConnection> tunnel = connection.flatMap(Connection::lasting);
      if (tunnel.isEmpty()) {
        drop();
        registry.leave(this);
        return;
      }
      if (tunnel.get().isHandedOver()) {
        lasting = tunnel;
        connection = Optional.empty();
      }
      tunnel.get().afterwards(() -> registry.leave(this));
    }

    /** Waits with no thread until the exchange goes on, which is the last thing that this one does. */
    private void await(Http1Response.Await wait) {
      try {
        wait.begin(pauses, connection.orElseThrow().rest(), this::resume);
      } catch (IOException e) {
        VirtualThreadPool.SHARED.execute(() -> resume(false));
      }
    }

    private void resume(boolean late) {
      try {
        http1(connection.orElseThrow()).resume(late);
      } catch (IOException e) {
        // the client broke off
      } finally {
        leave();
      }
    }

    private Http1 http1(Connection open) {
      return new Http1(open, limits, dispatch, refusals, date);
    }

    /** HTTP/2 if negotiated by ALPN, or by prior knowledge on clear text (RFC 9113, 3.2 and 3.3). */
    private void serve(Connection open) throws IOException {
      Http1 one = http1(open);
      boolean agreed = open.protocol().equals("h2");
      boolean two;
      try {
        boolean maybe = protocols.contains(Protocol.HTTP_2) && (agreed || open.session().isEmpty());
        two = maybe && open.input().begins(Http2.PREFACE);
      } catch (MalformedMessageException e) {
        one.refuse(e);
        return;
      }
      if (two) {
        serve(one, new Http2(open, limits, dispatch, refusals, date, pauses));
      } else if (!agreed && protocols.contains(Protocol.HTTP_1_1)) {
        one.serve();
      }
    }

    private void serve(Http1 one, Http2 two) throws IOException {
      if (two.begins()) {
        two.serve();
      } else {
        one.refuse(new MalformedMessageException(400, "a preface of HTTP/2 with nothing behind it"));
      }
    }

    @Override
    public InetAddress address() {
      return address;
    }

    @Override
    public Network peer() {
      return network;
    }

    /** A TLS handshake counts as waiting for the client too. */
    @Override
    public Optional<ClientWait> connection() {
      Optional<ClientWaits> waits = waits();
      return waits.isPresent() ? waits.get().connection()
          : Optional.of(new ClientWait(since, false, false, this::drop));
    }

    @Override
    public List<ClientWait> requests() {
      return waits().map(ClientWaits::requests).orElse(List.of());
    }

    private Optional<ClientWaits> waits() {
      return connection.<ClientWaits>map(open -> open).or(() -> lasting);
    }

    @Override
    public void endAfterResponse() {
      connection.ifPresent(Connection::endAfterResponse);
    }

    /** A connection that is still being opened may send its first request. */
    @Override
    public void drain() {
      Optional<Connection> open = connection;
      if (open.isPresent()) {
        open.get().drain();
      } else if (lasting.isPresent()) {
        deadlines.deadline(lasting.get()::drain).set(LastingConnection.LAST_MESSAGE_NANOS);
      } else {
        deadlines.deadline(this::dropUnopened).set(Connection.FIRST_REQUEST_NANOS);
      }
    }

    private void dropUnopened() {
      if (waits().isEmpty()) {
        drop();
      }
    }

    @Override
    public void drop() {
      connection.ifPresent(Connection::leave);
      lasting.ifPresent(LastingConnection::drop);
      try {
        socket.close();
      } catch (IOException e) {
        // closed it is all the same
      }
    }
  }
}
