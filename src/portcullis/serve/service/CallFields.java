package portcullis.serve.service;

import java.util.Optional;
import portcullis.http.grpc.Code;
import portcullis.http.message.Grammar;
import portcullis.http.message.ResponseWriter;
import portcullis.http.message.TrustedProxies;
import portcullis.http.message.ValidRequest;
import portcullis.observe.telemetry.AccessEvent;

/** Adds the fields of gRPC calls. */
record CallFields(TrustedProxies proxies) implements AccessFields {
  @Override
  public void begin(Transaction transaction, AccessEvent event) {
    event.addLong("_grpc_method", Grammar.text(transaction.exchange().getRequestURI().getRawPath()));
    if (transaction.arrival() instanceof ValidRequest incoming && proxies.trusts(incoming.peer())) {
      value(incoming, "X-Forwarded-For").ifPresent(value -> event.add("_x_forwarded_for", value));
      value(incoming, "Forwarded").ifPresent(value -> event.add("_forwarded", value));
    }
  }

  private static Optional<String> value(ValidRequest incoming, String name) {
    return incoming.fields().joined(name).map(Grammar::text);
  }

  @Override
  public void status(ResponseWriter reply, Optional<Code> code, AccessEvent event) {
    code.ifPresentOrElse(known -> event.add("_grpc_status_code", known.number()),
        () -> event.add("_http_status_code", reply.status()));
  }
}
