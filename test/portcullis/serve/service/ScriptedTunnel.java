package portcullis.serve.service;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import portcullis.http.message.Tunnel;

/** Yields its bytes once the latch is open, then ends or fails. */
class ScriptedTunnel implements Tunnel {
  /** Is read in blocks only. */
  abstract static class InBlocks extends InputStream {
    @Override
    public int read() throws IOException {
      throw new IOException("not read byte by byte");
    }
  }

  private final byte[] bytes;
  private final CountDownLatch begin;
  private final boolean fails;
  final CountDownLatch closed = new CountDownLatch(1);
  private final CountDownLatch ended = new CountDownLatch(1);
  final ByteArrayOutputStream out = new ByteArrayOutputStream();
  Duration limit = Duration.ZERO;
  private int at;

  ScriptedTunnel(String text, CountDownLatch begin, boolean fails) {
    this.bytes = text.getBytes(StandardCharsets.US_ASCII);
    this.begin = begin;
    this.fails = fails;
  }

  @Override
  public boolean isDirect() {
    return false;
  }

  @Override
  public Direct direct() {
    throw new UnsupportedOperationException();
  }

  @Override
  public InputStream input() {
    return new InBlocks() {
      @Override
      public int read(byte[] into, int from, int most) throws IOException {
        awaitBegin();
        if (at == bytes.length && fails) {
          throw new IOException("gone");
        }
        int count = Math.min(most, bytes.length - at);
        System.arraycopy(bytes, at, into, from, count);
        at += count;
        return count == 0 ? -1 : count;
      }
    };
  }

  /** Waits without end, so that a test notices a tunnel that is not ended by anything else. */
  private void awaitBegin() throws IOException {
    try {
      begin.await();
    } catch (InterruptedException e) {
      throw new IOException(e);
    }
  }

  @Override
  public OutputStream output() {
    return out;
  }

  @Override
  public void idleLimit(Duration time) {
    limit = time;
  }

  @Override
  public Owner outlast() {
    return this::close;
  }

  @Override
  public void endOutput() {
    ended.countDown();
  }

  @Override
  public void close() {
    closed.countDown();
  }

  String written() {
    return out.toString(StandardCharsets.US_ASCII);
  }

  boolean isClosed() {
    return closed.getCount() == 0;
  }

  boolean isEnded() {
    return ended.getCount() == 0;
  }

  static void await(CountDownLatch latch) throws IOException {
    try {
      if (!latch.await(30, TimeUnit.SECONDS)) {
        throw new IOException("waited in vain");
      }
    } catch (InterruptedException e) {
      throw new IOException(e);
    }
  }
}
