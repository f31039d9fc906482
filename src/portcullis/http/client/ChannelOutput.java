package portcullis.http.client;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import portcullis.http.message.DirectOutput;

/** The output of a channel. Every write goes out at once. */
final class ChannelOutput extends OutputStream implements DirectOutput {
  private static final int STEP = 16 * 1024;

  private final SocketChannel channel;
  private final OutputStream out;

  ChannelOutput(SocketChannel channel) throws IOException {
    this.channel = channel;
    this.out = channel.socket().getOutputStream();
  }

  @Override
  public void write(int octet) throws IOException {
    out.write(octet);
  }

  @Override
  public void write(byte[] bytes, int offset, int length) throws IOException {
    out.write(bytes, offset, length);
  }

  @Override
  public void write(ByteBuffer[] buffers, Runnable progress) throws IOException {
    for (long left = left(buffers), marked = left; left > 0; left = left(buffers)) {
      if (marked - left >= STEP) {
        marked = left;
        progress.run();
      }
      if (buffers.length == 1) {
        channel.write(buffers[0]);
      } else {
        channel.write(buffers);
      }
    }
  }

  private static long left(ByteBuffer[] buffers) {
    long out = 0;
    for (ByteBuffer buffer : buffers) {
      out += buffer.remaining();
    }
    return out;
  }
}
