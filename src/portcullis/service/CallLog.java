package portcullis.service;

import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import portcullis.message.Answer;
import portcullis.message.Grammar;
import portcullis.message.Incoming;
import portcullis.message.TrustedProxies;
import portcullis.telemetry.Log;

/** Tells the beginning and the end of every call of gRPC. One that cannot be told is not served. */
final class CallLog implements Layer {
  private final Log log;
  private final InstantSource clock;
  private final TrustedProxies proxies;

  CallLog(Log log, InstantSource clock, TrustedProxies proxies) {
    this.log = log;
    this.clock = clock;
    this.proxies = proxies;
  }

  @Override
  public void handle(Transaction transaction, Handler next) throws IOException {
    if (!log.tellsAccess()) {
      next.handle(transaction);
      return;
    }
    List<Object> fields = fields(transaction);
    if (!log.started("TX started", fields)) {
      transaction.answer(Answer.of(503));
      return;
    }
    try {
      next.handle(transaction);
    } finally {
      outcome(transaction, fields);
      log.finished("TX finished", fields);
    }
  }

  private List<Object> fields(Transaction transaction) {
    List<Object> out = new ArrayList<>(24);
    add(out, "_tx_start", transaction.start().getEpochSecond());
    add(out, "_client_ip", transaction.client());
    add(out, "_grpc_method", Grammar.text(transaction.exchange().getRequestURI().getRawPath()));
    if (transaction.arrival() instanceof Incoming incoming && proxies.trusts(incoming.peer())) {
      said(incoming, "X-Forwarded-For").ifPresent(value -> add(out, "_x_forwarded_for", value));
      said(incoming, "Forwarded").ifPresent(value -> add(out, "_forwarded", value));
    }
    return out;
  }

  private static Optional<String> said(Incoming incoming, String name) {
    return incoming.fields().joined(name).map(Grammar::text);
  }

  private void outcome(Transaction transaction, List<Object> out) {
    transaction.code().ifPresentOrElse(code -> add(out, "_grpc_status_code", code.number()),
        () -> add(out, "_http_status_code", transaction.reply().status()));
    add(out, "_tx_duration_ms", Duration.between(transaction.start(), clock.instant()).toMillis());
    transaction.granted().ifPresent(granted -> add(out, "_access_granted", granted));
    if (transaction.granted().orElse(false) && !transaction.subject().isEmpty()) {
      add(out, "_subject", transaction.subject());
    }
    if (!transaction.error().isEmpty()) {
      add(out, "_error", transaction.error());
    }
  }

  private static void add(List<Object> fields, String name, Object value) {
    fields.add(name);
    fields.add(value == null ? "" : value);
  }
}
