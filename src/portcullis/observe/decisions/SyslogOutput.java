package portcullis.observe.decisions;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import javax.net.ssl.SSLSocket;
import portcullis.crypto.keys.ClientTls;
import portcullis.http.wire.DeadlineTimer;
import portcullis.observe.telemetry.MachineName;
import portcullis.observe.telemetry.OutputAwayException;

/**
 * Sends lines to a syslog server (RFC 5424): over TCP (RFC 6587, counted octets), over TLS (RFC 5425), or to a Unix
 * socket, each ended by a line feed there. Connects when it has lines to send, again after a failure; where it cannot,
 * it throws {@link OutputAwayException}. For one thread.
 */
final class SyslogOutput extends OutputStream {
  /** Facility local0, severity informational. */
  private static final String HEAD = "<134>1 ";
  private static final String EVENT = "event";
  private static final int CONNECT_MILLIS = 5_000;
  private static final long WRITE_NANOS = 10_000_000_000L;

  private final SyslogTarget target;
  private final Optional<ClientTls> tls;
  private final InstantSource clock;
  private final DeadlineTimer timer = new DeadlineTimer("syslog deadlines");
  private final String source;
  private final String messageId;
  private Optional<Connection> connection = Optional.empty();

  /** An open connection. @param socket empty for a Unix socket */
  private record Connection(OutputStream out, AutoCloseable closing, Optional<Socket> socket) {
    void close() {
      try {
        closing.close();
      } catch (Exception _) {
        // nothing more is sent over it
      }
    }
  }

  /** @param messageId what kind of messages it sends; {@code event} for lines that are events */
  SyslogOutput(SyslogTarget target, Optional<ClientTls> tls, String messageId, InstantSource clock) {
    this.target = target;
    this.tls = tls;
    this.clock = clock;
    this.source = " " + hostName() + " portcullis " + ProcessHandle.current().pid() + " ";
    this.messageId = messageId;
  }

  private static String hostName() {
    String name = MachineName.read();
    return name.equals(MachineName.UNKNOWN) || !name.matches("[!-~]{1,255}") ? "-" : name;
  }

  @Override
  public void write(int octet) throws IOException {
    write(new byte[] {(byte) octet}, 0, 1);
  }

  @Override
  public void write(byte[] lines, int from, int length) throws IOException {
    byte[] messages = messages(lines, from, length);
    boolean fresh = connection.isEmpty() || isClosedByPeer(connection.get());
    try {
      send(messages, fresh);
    } catch (IOException e) {
      if (fresh) {
        throw e;
      }
      send(messages, true); // the server may have been restarted; what it had got already, it gets twice
    }
  }

  private byte[] messages(byte[] lines, int from, int length) {
    // RFC 5424, 6.2.3: at most six digits of a second
    String begun = HEAD + clock.instant().truncatedTo(ChronoUnit.MICROS) + source;
    byte[] usual = (begun + messageId + " - ").getBytes(StandardCharsets.US_ASCII);
    byte[] ofEvent = (begun + EVENT + " - ").getBytes(StandardCharsets.US_ASCII);
    ByteArrayOutputStream out = new ByteArrayOutputStream(length + length / 4);
    int begin = from;
    for (int i = from; i < from + length; i++) {
      if (lines[i] == '\n') {
        byte[] head = EventLine.is(lines, begin, i) ? ofEvent : usual;
        if (!target.isUnix()) {
          out.writeBytes((head.length + i - begin + " ").getBytes(StandardCharsets.US_ASCII));
        }
        out.writeBytes(head);
        out.write(lines, begin, i - begin);
        if (target.isUnix()) {
          out.write('\n');
        }
        begin = i + 1;
      }
    }
    return out.toByteArray();
  }

  private void send(byte[] messages, boolean fresh) throws IOException {
    if (fresh) {
      disconnect();
      try {
        connection = Optional.of(connected());
      } catch (IOException e) {
        throw new OutputAwayException(e.getMessage(), e);
      }
    }
    Connection current = connection.orElseThrow();
    try (DeadlineTimer.Deadline deadline = timer.deadline(current::close)) {
      deadline.set(WRITE_NANOS);
      current.out.write(messages);
      current.out.flush();
    } catch (IOException e) {
      disconnect();
      throw e;
    }
  }

  private Connection connected() throws IOException {
    if (target.isUnix()) {
      SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX);
      try {
        channel.connect(UnixDomainSocketAddress.of(target.path()));
        return new Connection(Channels.newOutputStream(channel), channel, Optional.empty());
      } catch (IOException e) {
        channel.close();
        throw e;
      }
    }
    Socket socket = new Socket();
    try {
      socket.connect(new InetSocketAddress(target.host(), target.port()), CONNECT_MILLIS);
      socket.setSoTimeout(CONNECT_MILLIS);
      Socket used = tls.isPresent() ? secured(socket, tls.get()) : socket;
      return new Connection(used.getOutputStream(), used, Optional.of(used));
    } catch (IOException e) {
      socket.close();
      throw e;
    }
  }

  private Socket secured(Socket socket, ClientTls client) throws IOException {
    SSLSocket secure = (SSLSocket) client.context().getSocketFactory().createSocket(socket, target.host(),
        target.port(), true);
    secure.setSSLParameters(client.parameters());
    secure.startHandshake();
    return secure;
  }

  /** Servers send nothing, so that a read ends at once only if the connection was closed. */
  private static boolean isClosedByPeer(Connection connection) {
    if (connection.socket.isEmpty()) {
      return false;
    }
    Socket socket = connection.socket.get();
    try {
      socket.setSoTimeout(1);
      return socket.getInputStream().read() < 0;
    } catch (SocketTimeoutException _) {
      return false;
    } catch (IOException _) {
      return true;
    }
  }

  private void disconnect() {
    connection.ifPresent(Connection::close);
    connection = Optional.empty();
  }

  @Override
  public void close() {
    disconnect();
    timer.close();
  }
}
