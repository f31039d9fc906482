package portcullis.http.client;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import portcullis.http.message.DirectOutput;

/** The output of a channel. Every write goes out at once. */
final class ChannelOutput extends OutputStream implements DirectOutput {
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
  public void write(ByteBuffer[] buffers) throws IOException {
    ByteBuffer last = buffers[buffers.length - 1];
    do {
      channel.write(buffers);
    } while (last.hasRemaining());
  }
}
