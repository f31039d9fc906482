package portcullis.http.server;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsParameters;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import portcullis.http.wire.DeadlineTimer;
import portcullis.lang.address.Network;

/** Sets up TLS by a configurator, which is called for every connection. */
final class TlsHandshake implements Handshake {
  private static final List<String> OFFERED = List.of("h2", "http/1.1");

  private static final byte[] PLAIN = plain("This port is for https only.\n");

  private final RejectionListener refusals;
  private final HandshakeTurns turns = new HandshakeTurns(2 * Runtime.getRuntime().availableProcessors());
  private volatile Optional<HttpsConfigurator> configurator = Optional.empty();

  /** @param refusals called for clients that do not speak TLS, or abuse it */
  TlsHandshake(RejectionListener refusals) {
    this.refusals = refusals;
  }

  void configurator(HttpsConfigurator one) {
    configurator = Optional.of(one);
  }

  Optional<HttpsConfigurator> configurator() {
    return configurator;
  }

  @Override
  public Socket accepted(Socket socket) throws IOException {
    return new AcceptedSocket(socket, reason -> refuse(socket, reason));
  }

  private void refuse(Socket socket, String reason) {
    refusals.refused((InetSocketAddress) socket.getRemoteSocketAddress(), Optional.empty(), 400, reason);
  }

  @Override
  public Socket done(Socket socket, DeadlineTimer watch, ServerLimits.Waits waits) throws IOException {
    HttpsConfigurator config = configurator.orElseThrow(() -> new IOException("no configurator has been set"));
    AcceptedSocket accepted = (AcceptedSocket) socket;
    try (DeadlineTimer.Deadline deadline = watch.deadline(() -> close(socket))) {
      deadline.set(waits.handshake().toNanos());
      accepted.gather();
      if (isOfMethod(accepted.firstByte())) {
        accepted.getOutputStream().write(PLAIN);
        accepted.release();
        refuse(socket, "HTTP without TLS, on a listener that has TLS");
        throw new IOException("HTTP without TLS");
      }
      SSLSocket tls = (SSLSocket) config.getSSLContext().getSocketFactory()
          .createSocket(socket, socket.getInetAddress().getHostAddress(), socket.getPort(), true);
      tls.setUseClientMode(false);
      tls.setSSLParameters(parameters(config, socket));
      begin(tls, accepted);
      accepted.hold();
      return tls;
    }
  }

  /** Computes only while it has its turn; one that the deadline has ended by then is not begun. */
  private void begin(SSLSocket tls, AcceptedSocket accepted) throws IOException {
    try (HandshakeTurns.Turn turn = turns.begin(Network.ofPeer(accepted.getInetAddress()))) {
      accepted.turn(Optional.of(turn));
      if (accepted.isClosed()) {
        throw new IOException("the handshake took too long");
      }
      tls.startHandshake();
    } finally {
      accepted.turn(Optional.empty());
    }
  }

  /** A record of TLS begins with a control character, a request of HTTP with a letter (RFC 9110, 9.1). */
  private static boolean isOfMethod(int first) {
    return first >= 'A' && first <= 'Z' || first >= 'a' && first <= 'z';
  }

  private static byte[] plain(String text) {
    return ("HTTP/1.1 400 Bad Request\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: " + text.length()
        + "\r\nConnection: close\r\n\r\n" + text).getBytes(StandardCharsets.US_ASCII);
  }

  private static void close(Socket socket) {
    try {
      socket.close();
    } catch (IOException e) {
      // closed it is all the same
    }
  }

  private SSLParameters parameters(HttpsConfigurator config, Socket socket) {
    Parameters parameters = new Parameters(config, (InetSocketAddress) socket.getRemoteSocketAddress());
    config.configure(parameters);
    SSLParameters out = parameters.whole
        .orElseGet(() -> parameters.single(config.getSSLContext().getDefaultSSLParameters()));
    if (out.getApplicationProtocols().length == 0) {
      out.setApplicationProtocols(OFFERED.toArray(String[]::new));
    }
    return out;
  }

  /** The parameters that a configurator sets. */
  private static final class Parameters extends HttpsParameters {
    private final HttpsConfigurator configurator;
    private final InetSocketAddress client;
    private Optional<SSLParameters> whole = Optional.empty();

    Parameters(HttpsConfigurator configurator, InetSocketAddress client) {
      this.configurator = configurator;
      this.client = client;
    }

    @Override
    public HttpsConfigurator getHttpsConfigurator() {
      return configurator;
    }

    @Override
    public InetSocketAddress getClientAddress() {
      return client;
    }

    @Override
    public void setSSLParameters(SSLParameters parameters) {
      whole = Optional.of(parameters);
    }

    /**
     * Returns the parameters that were set one by one, unless they were set as a whole; ignoring them would accept any
     * client.
     */
    @SuppressWarnings("deprecation")
    SSLParameters single(SSLParameters defaults) {
      Optional.ofNullable(getCipherSuites()).ifPresent(defaults::setCipherSuites);
      Optional.ofNullable(getProtocols()).ifPresent(defaults::setProtocols);
      if (getNeedClientAuth()) {
        defaults.setNeedClientAuth(true);
      } else if (getWantClientAuth()) {
        defaults.setWantClientAuth(true);
      }
      return defaults;
    }
  }
}
