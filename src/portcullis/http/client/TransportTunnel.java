package portcullis.http.client;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.Optional;
import portcullis.http.message.Tunnel;

/** A connection after its switch to another protocol; one thread may read, another write, any close. */
final class TransportTunnel implements Tunnel, Tunnel.Owner {
  private final Connection connection;
  private final Pool pool;
  private final OutputStream output = new Output();
  private volatile Duration idle = Duration.ZERO;
  private Optional<RelayedConnection> relayed = Optional.empty();

  TransportTunnel(Connection connection, Pool pool, Duration idle) throws IOException {
    this.connection = connection;
    this.pool = pool;
    idleLimit(idle);
  }

  @Override
  public InputStream input() {
    return connection.in().rest();
  }

  @Override
  public OutputStream output() {
    return output;
  }

  /** Sets the timeout of reads and writes; a write that takes longer closes the connection. */
  @Override
  public void idleLimit(Duration limit) throws IOException {
    idle = limit;
    connection.link().idleLimit(limit);
  }

  @Override
  public void readLimit(Duration limit) throws IOException {
    connection.link().idleLimit(limit);
  }

  @Override
  public boolean mayRest() {
    try {
      return connection.in().available() == 0;
    } catch (IOException _) {
      return false;
    }
  }

  @Override
  public SocketChannel rest() {
    connection.pause();
    return connection.link().channel();
  }

  @Override
  public void resume() {
    connection.resume();
  }

  @Override
  public Owner outlast() {
    return this;
  }

  @Override
  public boolean isDirect() {
    return connection.link().isClear();
  }

  @Override
  public Direct direct() {
    RelayedConnection left = pool.handOver(connection, connection.link().channel());
    relayed = Optional.of(left);
    return new Direct(connection.link().channel(), connection.in().handOver(), idle, left);
  }

  @Override
  public void endOutput() throws IOException {
    connection.link().endOutput();
  }

  @Override
  public void close() {
    relayed.ifPresentOrElse(RelayedConnection::close, () -> pool.discard(connection));
  }

  private final class Output extends OutputStream {
    @Override
    public void write(int octet) throws IOException {
      write(new byte[] {(byte) octet}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
      connection.deadline().set(idle.toNanos());
      connection.link().output().write(bytes, offset, length);
      connection.deadline().clear();
    }
  }
}
