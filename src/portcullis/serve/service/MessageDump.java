package portcullis.serve.service;

import com.sun.net.httpserver.HttpExchange;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import portcullis.http.message.Target;
import portcullis.http.message.ValidRequest;
import portcullis.observe.telemetry.Log;
import portcullis.observe.telemetry.MessageCopy;

/** Logs complete requests and responses at level trace, including secrets. Thread safe. */
final class MessageDump implements Layer {
  private final Log log;

  MessageDump(Log log) {
    this.log = log;
  }

  @Override
  public void handle(Transaction transaction, Handler next) throws IOException {
    if (!(transaction.arrival() instanceof ValidRequest incoming)) {
      next.handle(transaction);
      return;
    }
    HttpExchange exchange = transaction.exchange();
    MessageCopy request = new MessageCopy(incoming.method() + " " + target(incoming) + " " + exchange.getProtocol(),
        incoming.fields());
    exchange.setStreams(copied(request, exchange.getRequestBody(), incoming), null);
    ResponseCopy answered = new ResponseCopy();
    transaction.reply().copyTo(answered);
    try {
      next.handle(transaction);
    } finally {
      log.trace("Request: \n" + request);
      log.trace("Response: \n" + answered.text());
    }
  }

  /**
   * Returns the body, copied as it is read. A body with a short announced length is read at once, so that it is logged
   * even if it is never read otherwise, as in the decision service.
   */
  private static InputStream copied(MessageCopy copy, InputStream body, ValidRequest incoming) throws IOException {
    long length = incoming.content().length().orElse(0);
    if (length <= 0 || length > MessageCopy.LONGEST || incoming.fields().first("Expect").isPresent()) {
      return copy.of(body, () -> {});
    }
    byte[] read = new byte[(int) length];
    int count = 0;
    try {
      for (int n = body.read(read, 0, read.length); n > 0; n = body.read(read, count, read.length - count)) {
        count += n;
      }
    } catch (IOException e) {
      return new Broken(e);
    } finally {
      copy.body(read, 0, count);
    }
    return new SequenceInputStream(new ByteArrayInputStream(read, 0, count), body);
  }

  /** Throws the error of a failed read to the reader of the body. */
  private static final class Broken extends InputStream {
    private final IOException why;

    Broken(IOException why) {
      this.why = why;
    }

    @Override
    public int read() throws IOException {
      throw why;
    }
  }

  private static String target(ValidRequest incoming) {
    return switch (incoming.target()) {
      case Target.Resource(String path, String query) -> query.isEmpty() ? path : path + "?" + query;
      case Target.Server _ -> "*";
    };
  }
}
