package portcullis.http.client;

import java.io.IOException;
import java.net.SocketTimeoutException;
import portcullis.http.message.Fields;

/** The body of a response on a stream of HTTP/2. */
final class Http2Body extends ResponseBody {
  private final Http2Stream in;

  Http2Body(Exchange exchange, Http2Stream in, long idle) {
    super(exchange, idle);
    this.in = in;
  }

  @Override
  boolean isComplete() {
    return in.isComplete();
  }

  @Override
  public Fields trailers() {
    return in.trailers();
  }

  @Override
  int receive(byte[] into, int offset, int length, long nanos) throws IOException, InterruptedException {
    int n = in.take(into, offset, length, System.nanoTime() + nanos);
    if (n == 0) {
      throw new SocketTimeoutException("nothing comes");
    }
    return n;
  }

  @Override
  public int available() {
    return in.available();
  }
}
