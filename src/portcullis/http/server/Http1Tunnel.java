package portcullis.http.server;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import portcullis.http.message.Tunnel;

/**
 * A connection after 101. One thread may read while another writes. While nothing passes either way it waits for its
 * client, which is expected of a tunnel.
 */
final class Http1Tunnel implements Tunnel, ClientWaits {
  private static final long QUIET_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final Connection connection;
  private final Input input;
  private final Output output;
  private volatile long used = System.nanoTime();

  Http1Tunnel(Connection connection) {
    this.connection = connection;
    this.input = new Input();
    this.output = new Output();
  }

  /** Returns the wait; empty within a second after the last byte. */
  @Override
  public Optional<ClientWait> connection() {
    long since = used;
    return System.nanoTime() - since < QUIET_NANOS ? Optional.empty()
        : Optional.of(new ClientWait(since, false, true, connection::drop));
  }

  @Override
  public List<ClientWait> requests() {
    return connection().stream().toList();
  }

  @Override
  public InputStream input() {
    return input;
  }

  @Override
  public OutputStream output() {
    return output;
  }

  @Override
  public void idleLimit(Duration limit) throws IOException {
    connection.streams().timed().idleLimit(Math.clamp(limit.toMillis(), 1, Integer.MAX_VALUE));
  }

  @Override
  public void readLimit(Duration limit) throws IOException {
    idleLimit(limit);
  }

  @Override
  public boolean isEndedHere() {
    return connection.isEndedHere();
  }

  @Override
  public boolean mayRest() {
    return connection.mayRest();
  }

  @Override
  public SocketChannel rest() throws IOException {
    return connection.rest();
  }

  @Override
  public void resume() {
    connection.resume(() -> {});
    connection.pace().endless();
  }

  @Override
  public Owner outlast() {
    return connection.outlast();
  }

  @Override
  public boolean isDirect() {
    return connection.channel().isPresent();
  }

  @Override
  public Direct direct() {
    SocketChannel channel = connection.channel().orElseThrow();
    return new Direct(channel, connection.input().handOver(), connection.writeLimit(), connection.handOver());
  }

  @Override
  public void endOutput() throws IOException {
    connection.endOutput();
  }

  @Override
  public void close() {
    connection.lasting().ifPresentOrElse(LastingConnection::close, connection::endBoth);
  }

  @Override
  public void abort() {
    connection.drop();
  }

  private final class Input extends InputStream {
    @Override
    public int read() throws IOException {
      int octet = connection.input().read();
      used = System.nanoTime();
      return octet;
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
      int n = connection.input().read(into, offset, length);
      used = System.nanoTime();
      return n;
    }

    @Override
    public int available() throws IOException {
      return connection.input().available();
    }
  }

  private final class Output extends OutputStream {
    @Override
    public void write(int octet) throws IOException {
      write(new byte[] {(byte) octet}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
      used = System.nanoTime();
      connection.output().write(bytes, offset, length);
      connection.output().flush();
    }
  }
}
