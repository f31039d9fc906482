package portcullis.http.client;

import java.io.IOException;
import java.time.Duration;
import portcullis.http.h2.FrameOutput;
import portcullis.http.message.Fields;

/** The body of a request on a stream of HTTP/2, as fast as the upstream takes it (RFC 9113, 5.2). */
final class Http2Sink implements Upload.Sink {
  private final Http2Connection connection;
  private final Http2Stream stream;
  private final long idle;

  Http2Sink(Http2Connection connection, Http2Stream stream, Duration idle) {
    this.connection = connection;
    this.stream = stream;
    this.idle = idle.toNanos();
  }

  @Override
  public void write(byte[] bytes, int length) throws IOException {
    FrameOutput frames = connection.frames();
    for (int at = 0; at < length;) {
      int from = at;
      int n = connection.flow().take(stream.window(), Math.min(length - at, frames.maxFrame()), idle);
      frames.write(() -> frames.data(stream.id(), bytes, from, n, false));
      at += n;
    }
  }

  @Override
  public void end(Fields trailers) throws IOException {
    FrameOutput frames = connection.frames();
    if (trailers.isEmpty()) {
      frames.write(() -> frames.data(stream.id(), new byte[0], 0, 0, true));
    } else {
      frames.write(() -> frames.headers(stream.id(), Fields.NONE, trailers, true));
    }
  }

  @Override
  public void close() {}
}
