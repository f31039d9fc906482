package portcullis.http.client;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.StandardSocketOptions;
import java.nio.channels.SocketChannel;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import portcullis.http.wire.DeadlineTimer;
import portcullis.http.wire.HeadLimits;
import portcullis.http.wire.ResponseHead;
import portcullis.http.wire.WireInput;
import portcullis.http.wire.WireOutput;

/** Opens connections: name, TCP, tunnel through a proxy, TLS with a check of the name. Everything within one time. */
final class Dialer implements AutoCloseable {
  private static final HeadLimits PROXY_ANSWER = new HeadLimits(16 * 1024, 100);

  private final Resolver resolver = new Resolver();
  private final DeadlineTimer watch;
  private final Tls tls;

  Dialer(DeadlineTimer watch, Tls tls) {
    this.watch = watch;
    this.tls = tls;
  }

  /**
   * Opens a connection for a route.
   *
   * @param end when it must have come about, by {@link System#nanoTime}
   */
  Transport dial(Route route, long end) throws IOException, InterruptedException {
    SocketChannel channel = connect(route, end);
    boolean done = false;
    try (DeadlineTimer.Deadline deadline = watch.deadline(() -> Transport.drop(channel))) {
      deadline.set(left(end));
      Transport link = prepared(route, channel, deadline);
      done = true;
      return link;
    } finally {
      if (!done) {
        Transport.drop(channel);
      }
    }
  }

  private Transport prepared(Route route, SocketChannel channel, DeadlineTimer.Deadline deadline)
      throws IOException, InterruptedException {
    String place = "`" + route.origin().host() + ":" + route.origin().port() + "`";
    String late = "no connection to " + place + " in time"
        + (route.origin().secure() ? ": it is connected, but its TLS handshake does not end" : "");
    try {
      Transport link = new Transport(channel, channel.socket());
      if (route.needsTunnel()) {
        tunnel(route.origin(), link);
      }
      Transport ready = route.origin().secure() ? new Transport(channel, secured(route, channel.socket())) : link;
      if (!deadline.clear()) {
        throw new ConnectTimeoutException(late);
      }
      return ready;
    } catch (IOException e) {
      stopIfInterrupted();
      throw deadline.hasPassed()
          ? new ConnectTimeoutException(late)
          : new UnreachableException("no connection to " + place + ": " + reason(e), e);
    }
  }

  private SocketChannel connect(Route route, long end) throws IOException, InterruptedException {
    String host = route.proxy().map(InetSocketAddress::getHostString).orElse(route.origin().host());
    int port = route.proxy().map(InetSocketAddress::getPort).orElse(route.origin().port());
    List<InetAddress> addresses = resolver.addresses(host, left(end));
    IOException last = new ConnectException("no address");
    for (int i = 0; i < addresses.size(); i++) {
      try {
        return connect(new InetSocketAddress(addresses.get(i), port), left(end) / (addresses.size() - i));
      } catch (IOException e) {
        stopIfInterrupted();
        last = e;
      }
    }
    String place = "`" + host + ":" + port + "`";
    throw last instanceof SocketTimeoutException
        ? new ConnectTimeoutException("no connection to " + place + " in time")
        : new UnreachableException("no connection to " + place + ": " + reason(last), last);
  }

  private static SocketChannel connect(InetSocketAddress address, long nanos) throws IOException {
    SocketChannel channel = SocketChannel.open();
    try {
      channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
      channel.socket().connect(address, Math.clamp(nanos / 1_000_000, 1, Integer.MAX_VALUE));
      return channel;
    } catch (IOException e) {
      Transport.drop(channel);
      throw e;
    }
  }

  private SSLSocket secured(Route route, Socket plain) throws IOException {
    Origin origin = route.origin();
    SSLSocket socket = (SSLSocket) tls.context().getSocketFactory().createSocket(plain, origin.host(), origin.port(),
        true);
    socket.setSSLParameters(tls.parameters());
    SSLParameters own = socket.getSSLParameters();
    own.setEndpointIdentificationAlgorithm("HTTPS");
    own.setApplicationProtocols(route.offered());
    socket.setSSLParameters(own);
    socket.startHandshake();
    return socket;
  }

  /** Asks the proxy for a tunnel to the origin (RFC 9110, 9.3.6). */
  private static void tunnel(Origin origin, Transport link) throws IOException {
    WireOutput out = new WireOutput(link.output());
    out.requestLine("CONNECT", origin.authority());
    out.field("Host", origin.authority());
    out.write("\r\n");
    out.flush();
    WireInput in = new WireInput(link.input());
    Optional<ResponseHead> answer = ResponseHead.read(in, PROXY_ANSWER);
    if (answer.isEmpty() || answer.get().status() / 100 != 2 || in.hasBuffered()) {
      throw new ConnectException("the proxy refused: " + answer.map(ResponseHead::status).orElse(0));
    }
  }

  private static long left(long end) {
    return Math.max(end - System.nanoTime(), 1);
  }

  private static String reason(IOException e) {
    return e.getMessage() == null ? "closed" : e.getMessage();
  }

  private static void stopIfInterrupted() throws InterruptedException {
    if (Thread.interrupted()) {
      throw new InterruptedException();
    }
  }

  @Override
  public void close() {
    resolver.close();
  }
}
