package portcullis.http.server;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.SocketImpl;
import java.nio.channels.SocketChannel;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/**
 * A client's socket, that of a channel. While TLS is set up it gathers what is written until something is read, since
 * the JDK writes each handshake message and reads each record's header on its own: one packet instead of six. What
 * comes behind the handshake, a session ticket, goes out with the first answer. From then on what is read is taken for
 * records of TLS, within a {@link RecordBudget}. Streams are used by one thread at a time; all threads may close it.
 */
final class AcceptedSocket extends Socket {
  private static final int GATHERED = 8192;
  private static final int READ = 2048;
  private static final byte[] NONE = {};

  private final Socket socket;
  private final Consumer<String> refusals;
  private final ReentrantLock lock = new ReentrantLock();
  private final Output output = new Output();
  private final Input input = new Input();
  private Optional<RecordBudget> budget = Optional.empty();
  private byte[] gathered = NONE;
  private int held;
  private Optional<HandshakeTurns.Turn> turn = Optional.empty();
  private volatile boolean gathering;
  /** Whether something is gathered that the next write, or the next read from the channel, is to send. */
  private volatile boolean holding;

  /** @param refusals called with the reason if the connection is ended because of useless records */
  AcceptedSocket(Socket socket, Consumer<String> refusals) throws SocketException {
    super((SocketImpl) null);
    this.socket = socket;
    this.refusals = refusals;
  }

  /** Sets the turn that its thread has to compute, which is paused while it waits for the client; empty for none. */
  void turn(Optional<HandshakeTurns.Turn> held) {
    turn = held;
  }

  /** Begins to gather what is written, and to read more than is asked for. */
  void gather() {
    gathered = new byte[GATHERED];
    input.buffer = new byte[READ];
    budget = Optional.of(new RecordBudget());
    gathering = true;
  }

  /** Returns the first byte of the client, which is read all the same; -1 if it has sent none and ended. */
  int firstByte() throws IOException {
    getInputStream();
    if (input.from == input.to) {
      input.from = 0;
      input.to = Math.max(0, input.direct(input.buffer, 0, input.buffer.length));
    }
    return input.to == 0 ? -1 : input.buffer[0] & 0xff;
  }

  /** Writes what was gathered; from now on everything is written at once. */
  void release() throws IOException {
    gathering = false;
    sendHeld();
  }

  /** Gathers no more, after the handshake; what was gathered goes out with the next write, or before a read. */
  void hold() {
    budget.ifPresent(RecordBudget::open);
    holding = true;
    gathering = false;
  }

  private void sendHeld() throws IOException {
    lock.lock();
    try {
      writeHeld();
      if (!gathering) {
        gathered = NONE;
        holding = false;
      }
    } finally {
      lock.unlock();
    }
  }

  private void writeHeld() throws IOException {
    int count = held;
    held = 0;
    if (count > 0) {
      socket.getOutputStream().write(gathered, 0, count);
    }
  }

  /** Returns whether something has been read from the channel that has not been taken yet. */
  boolean holdsInput() {
    return input.from < input.to;
  }

  /** Returns a stream of the data in what is read here, which has to be read through it. */
  InputStream data(InputStream decrypted) {
    return budget.isPresent() ? budget.get().data(decrypted) : decrypted;
  }

  /** The alert that ends a handshake is written, unless a thread that waits for the client keeps it from that. */
  @Override
  public void close() throws IOException {
    try {
      if ((gathering || holding) && lock.tryLock()) {
        try {
          gathering = false;
          holding = false;
          writeHeld();
        } finally {
          lock.unlock();
        }
      }
    } catch (IOException _) {
      // the client has gone
    } finally {
      socket.close();
    }
  }

  @Override
  public InputStream getInputStream() throws IOException {
    input.in = socket.getInputStream();
    return input;
  }

  @Override
  public OutputStream getOutputStream() throws IOException {
    output.out = socket.getOutputStream();
    return output;
  }

  @Override
  public SocketChannel getChannel() {
    return socket.getChannel();
  }

  @Override
  public InetAddress getInetAddress() {
    return socket.getInetAddress();
  }

  @Override
  public InetAddress getLocalAddress() {
    return socket.getLocalAddress();
  }

  @Override
  public int getPort() {
    return socket.getPort();
  }

  @Override
  public int getLocalPort() {
    return socket.getLocalPort();
  }

  @Override
  public SocketAddress getRemoteSocketAddress() {
    return socket.getRemoteSocketAddress();
  }

  @Override
  public SocketAddress getLocalSocketAddress() {
    return socket.getLocalSocketAddress();
  }

  @Override
  public boolean isConnected() {
    return socket.isConnected();
  }

  @Override
  public boolean isBound() {
    return socket.isBound();
  }

  @Override
  public boolean isClosed() {
    return socket.isClosed();
  }

  @Override
  public boolean isInputShutdown() {
    return socket.isInputShutdown();
  }

  @Override
  public boolean isOutputShutdown() {
    return socket.isOutputShutdown();
  }

  @Override
  public void shutdownInput() throws IOException {
    socket.shutdownInput();
  }

  @Override
  public void shutdownOutput() throws IOException {
    socket.shutdownOutput();
  }

  @Override
  public void setTcpNoDelay(boolean on) throws SocketException {
    socket.setTcpNoDelay(on);
  }

  @Override
  public boolean getTcpNoDelay() throws SocketException {
    return socket.getTcpNoDelay();
  }

  @Override
  public void setSoLinger(boolean on, int seconds) throws SocketException {
    socket.setSoLinger(on, seconds);
  }

  @Override
  public int getSoLinger() throws SocketException {
    return socket.getSoLinger();
  }

  @Override
  public void setSoTimeout(int millis) throws SocketException {
    socket.setSoTimeout(millis);
  }

  @Override
  public int getSoTimeout() throws SocketException {
    return socket.getSoTimeout();
  }

  @Override
  public String toString() {
    return socket.toString();
  }

  private final class Output extends OutputStream {
    private OutputStream out = OutputStream.nullOutputStream();

    @Override
    public void write(int one) throws IOException {
      write(new byte[] {(byte) one}, 0, 1);
    }

    @Override
    public void write(byte[] from, int offset, int length) throws IOException {
      if (!gathering && !holding) {
        out.write(from, offset, length);
        return;
      }
      lock.lock();
      try {
        if (held + length > gathered.length) {
          writeAll(from, offset, length);
        } else {
          System.arraycopy(from, offset, gathered, held, length);
          held += length;
        }
        if (!gathering) {
          sendHeld();
        }
      } finally {
        lock.unlock();
      }
    }

    private void writeAll(byte[] from, int offset, int length) throws IOException {
      turn.ifPresent(HandshakeTurns.Turn::pause);
      try {
        writeHeld();
        out.write(from, offset, length);
      } finally {
        turn.ifPresent(HandshakeTurns.Turn::resume);
      }
    }

    @Override
    public void close() throws IOException {
      AcceptedSocket.this.close();
    }
  }

  private final class Input extends InputStream {
    private InputStream in = InputStream.nullInputStream();
    private byte[] buffer = NONE;
    private int from;
    private int to;

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
      int n = some(into, offset, length);
      if (budget.isPresent() && n > 0) {
        spend(budget.get(), into, offset, n);
      }
      return n;
    }

    private void spend(RecordBudget of, byte[] taken, int offset, int count) throws IOException {
      Optional<String> excess = of.take(taken, offset, count);
      if (excess.isPresent()) {
        refusals.accept(excess.get());
        throw new IOException(excess.get());
      }
    }

    /** Takes what is of no use to anybody, as a connection is closed. */
    @Override
    public long skip(long count) throws IOException {
      budget = Optional.empty();
      return super.skip(count);
    }

    private int some(byte[] into, int offset, int length) throws IOException {
      if (from == to) {
        if (!gathering || length >= buffer.length) {
          buffer = gathering ? buffer : NONE;
          return direct(into, offset, length);
        }
        int n = direct(buffer, 0, buffer.length);
        if (n < 0) {
          return n;
        }
        from = 0;
        to = n;
      }
      int n = Math.min(length, to - from);
      System.arraycopy(buffer, from, into, offset, n);
      from += n;
      return n;
    }

    private int direct(byte[] into, int offset, int length) throws IOException {
      turn.ifPresent(HandshakeTurns.Turn::pause);
      try {
        if (gathering || holding) {
          sendHeld();
        }
        return in.read(into, offset, length);
      } finally {
        turn.ifPresent(HandshakeTurns.Turn::resume);
      }
    }

    @Override
    public int available() throws IOException {
      return to - from + in.available();
    }

    @Override
    public void close() throws IOException {
      AcceptedSocket.this.close();
    }
  }
}
