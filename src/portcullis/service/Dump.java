package portcullis.service;

import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import portcullis.message.Incoming;
import portcullis.message.Target;
import portcullis.telemetry.Copy;
import portcullis.telemetry.Log;

/** Tells all that comes in and goes out at level trace, secrets included. Thread safe. */
final class Dump implements Layer {
  private final Log log;

  Dump(Log log) {
    this.log = log;
  }

  @Override
  public void handle(Transaction transaction, Handler next) throws IOException {
    if (!(transaction.arrival() instanceof Incoming incoming)) {
      next.handle(transaction);
      return;
    }
    HttpExchange exchange = transaction.exchange();
    Copy request = new Copy(incoming.method() + " " + target(incoming) + " " + exchange.getProtocol(), incoming.fields());
    exchange.setStreams(request.of(exchange.getRequestBody(), () -> {}), null);
    Answered answered = new Answered();
    transaction.reply().copyTo(answered);
    try {
      next.handle(transaction);
    } finally {
      log.trace("Request: \n" + request);
      log.trace("Response: \n" + answered.text());
    }
  }

  private static String target(Incoming incoming) {
    return switch (incoming.target()) {
      case Target.Resource(String path, String query) -> query.isEmpty() ? path : path + "?" + query;
      case Target.Server _ -> "*";
    };
  }
}
