package portcullis.http.message;

import com.sun.net.httpserver.HttpExchange;

/** What has come in on a connection: a request that can be judged, or one that is refused before anybody judges it. */
public sealed interface Arrival permits Incoming, Refused {
  /** Checks what the server behind the exchange does not; on the stock server more than on ours. */
  static Arrival of(HttpExchange exchange) {
    return RequestValidation.check(exchange, false);
  }

  /** The same for a service that does not care by which name it is called: a host that is none is {@code invalid}. */
  static Arrival underAnyHost(HttpExchange exchange) {
    return RequestValidation.check(exchange, true);
  }
}
