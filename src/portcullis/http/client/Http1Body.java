package portcullis.http.client;

import java.io.IOException;
import java.net.SocketTimeoutException;
import portcullis.http.message.Fields;
import portcullis.http.wire.BodyInput;
import portcullis.http.wire.DeadlineTimer;

/** The body of a response on a connection of HTTP/1.1. */
final class Http1Body extends ResponseBody {
  private final BodyInput in;
  private final DeadlineTimer.Deadline deadline;

  Http1Body(Exchange exchange, BodyInput in, DeadlineTimer.Deadline deadline, long idle) {
    super(exchange, idle);
    this.in = in;
    this.deadline = deadline;
  }

  @Override
  boolean isComplete() {
    return in.isComplete();
  }

  @Override
  Fields trailers() {
    return in.trailers();
  }

  @Override
  int receive(byte[] into, int offset, int length, long nanos) throws IOException {
    try {
      deadline.set(nanos);
      int n = in.read(into, offset, length);
      if (!deadline.clear()) {
        throw new SocketTimeoutException("nothing comes");
      }
      return n;
    } catch (IOException e) {
      throw deadline.hasPassed() ? new SocketTimeoutException("nothing comes") : e;
    }
  }

  @Override
  public int available() throws IOException {
    return in.isComplete() ? 0 : in.available();
  }
}
