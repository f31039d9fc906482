package portcullis.http.client;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import portcullis.http.message.Fields;
import portcullis.http.wire.BodyOutput;
import portcullis.http.wire.DeadlineTimer;
import portcullis.http.wire.Framing;
import portcullis.http.wire.WireOutput;

/** The body of a request on a connection of HTTP/1.1, each write bounded. */
final class BodySink implements Upload.Sink {
  private final BodyOutput body;
  private final DeadlineTimer.Deadline deadline;
  private final long idle;

  /**
   * Creates the body that follows a head that has been sent.
   *
   * @param length in bytes; -1 for chunks
   * @param deadline of its own, which ends with it
   */
  BodySink(long length, WireOutput out, DeadlineTimer.Deadline deadline, Duration idle) {
    this.body = BodyOutput.of(length < 0 ? Framing.CHUNKED : new Framing.Length(length), out);
    this.deadline = deadline;
    this.idle = idle.toNanos();
  }

  @Override
  public void write(byte[] bytes, int length) throws IOException {
    deadline.set(idle);
    body.write(bytes, 0, length);
    body.flush();
    deadline.clear();
  }

  @Override
  public boolean isDirect() {
    return body.isDirect();
  }

  @Override
  public void write(ByteBuffer bytes) throws IOException {
    deadline.set(idle);
    body.write(bytes, () -> deadline.set(idle));
    deadline.clear();
  }

  @Override
  public void end(Fields trailers) throws IOException {
    deadline.set(idle);
    body.trail(trailers);
    body.close();
    deadline.clear();
  }

  @Override
  public void close() {
    deadline.close();
  }
}
