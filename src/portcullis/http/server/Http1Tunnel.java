package portcullis.http.server;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import portcullis.http.message.Tunnel;

/** A connection after 101. One thread may read while another writes. */
final class Http1Tunnel implements Tunnel {
  private final Connection connection;
  private final InputStream input;
  private final Output output;

  Http1Tunnel(Connection connection) {
    this.connection = connection;
    this.input = connection.input().rest();
    this.output = new Output(connection);
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
    connection.idleLimit(Math.clamp(limit.toMillis(), 1, Integer.MAX_VALUE));
  }

  @Override
  public void endOutput() throws IOException {
    connection.endOutput();
  }

  @Override
  public void close() {
    connection.endBoth();
  }

  private static final class Output extends OutputStream {
    private final Connection connection;

    Output(Connection connection) {
      this.connection = connection;
    }

    @Override
    public void write(int octet) throws IOException {
      write(new byte[] {(byte) octet}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
      connection.output().write(bytes, offset, length);
      connection.output().flush();
    }
  }
}
