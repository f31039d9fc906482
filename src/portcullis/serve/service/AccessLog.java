package portcullis.serve.service;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.InstantSource;
import java.util.Optional;
import portcullis.http.grpc.Code;
import portcullis.http.message.AddressText;
import portcullis.http.message.Field;
import portcullis.http.message.Grammar;
import portcullis.http.message.Response;
import portcullis.http.message.ResponseWriter;
import portcullis.http.server.RejectionListener;
import portcullis.http.wire.RequestHead;
import portcullis.observe.telemetry.AccessEvent;
import portcullis.observe.telemetry.Causes;
import portcullis.observe.telemetry.Log;
import portcullis.observe.telemetry.RequestId;
import portcullis.observe.telemetry.SafeUrl;
import portcullis.policy.decision.Decision;
import portcullis.policy.mechanism.StepFailure;
import portcullis.policy.rule.Rule;

/** Logs the start and the end of every request. A request that cannot be logged is refused with 503. */
final class AccessLog implements Layer, RejectionListener {
  private static final int SWITCHED = 101;

  private final Log log;
  private final InstantSource clock;
  private final AccessFields fields;
  private final RequestIds ids;

  AccessLog(Log log, InstantSource clock, AccessFields fields, RequestIds ids) {
    this.ids = ids;
    this.log = log;
    this.clock = clock;
    this.fields = fields;
  }

  @Override
  public void handle(Transaction transaction, Handler next) throws IOException {
    try (RequestId _ = ids.assign(transaction)) {
      logged(transaction, next);
    }
  }

  private void logged(Transaction transaction, Handler next) throws IOException {
    if (!log.logsAccess()) {
      next.handle(transaction);
      return;
    }
    long start = transaction.start().toEpochMilli();
    AccessEvent event = log.access("TX started", start).add("_tx_start", transaction.start().getEpochSecond())
        .plain("_client_ip", transaction.client());
    fields.begin(transaction, event);
    if (!event.logStart()) {
      transaction.answer(Response.of(503));
      return;
    }
    try {
      next.handle(transaction);
    } finally {
      ResponseWriter reply = transaction.reply();
      Optional<Code> code = transaction.code();
      boolean lasts = transaction.outlasts() || transaction.isSuspended();
      boolean isSent = !lasts || reply.status() == SWITCHED;
      if (isSent) {
        fields.status(reply, code, event);
      }
      outcome(transaction, event);
      if (lasts) {
        event.rest();
      }
      Optional<TunnelEnd> socket = transaction.tunnelEnd();
      transaction.atEnd(error -> {
        if (!isSent) {
          fields.status(reply, code, event);
        }
        long end = clock.millis();
        event.beginEnd("TX finished", error, end);
        socket.ifPresent(known -> known.describe(event));
        event.add("_tx_duration_ms", end - start).logEnd();
      });
    }
  }

  private static void outcome(Transaction transaction, AccessEvent event) {
    transaction.id().map(Field::value).filter(id -> !RequestId.text().equals(Optional.of(id)))
        .ifPresent(id -> event.add("_http_x_request_id", id));
    transaction.allowed().ifPresent(granted -> event.add("_access_granted", granted));
    if (transaction.allowed().orElse(false) && !transaction.subject().isEmpty()) {
      event.add("_subject", transaction.subject());
    }
    transaction.decision().ifPresent(decision -> {
      switch (decision) {
        case Decision.Allow allow -> rule(allow.rule(), event);
        case Decision.Own _ -> {
        }
        case Decision.Refuse refuse -> {
          refuse.rule().ifPresent(rule -> rule(rule, event));
          step(refuse.stepFailure(), event);
        }
      }
    });
  }

  private static void rule(Rule rule, AccessEvent event) {
    if (rule.isDefault()) {
      event.add("_rule", "default");
    } else {
      event.add("_rule", rule.id()).add("_rule_set", rule.source());
    }
  }

  private static void step(StepFailure failure, AccessEvent event) {
    if (!failure.step().isEmpty()) {
      event.add("_step", failure.step());
    }
  }

  /** Logs a message that was refused before it could be handled as a single event, since no transaction began. */
  @Override
  public void refused(InetSocketAddress peer, Optional<RequestHead> head, int status, String reason) {
    if (!log.logsAccess()) {
      return;
    }
    long now = clock.millis();
    AccessEvent event = log.access("TX refused", now).add("_tx_start", now / 1000)
        .add("_client_ip", AddressText.of(peer.getAddress()));
    head.ifPresent(h -> event.add("_http_method", h.method())
        .addLong("_http_path", SafeUrl.withoutUser(Grammar.text(h.target().split("\\?", 2)[0])))
        .add("_http_user_agent", h.fields().first("User-Agent").map(Grammar::text).orElse(""))
        .add("_http_host", RequestFields.hostWithoutUser(h.fields().first("Host").map(Grammar::text).orElse(""))));
    event.add("_body_bytes_sent", 0).add("_http_status_code", status).add("_tx_duration_ms", 0)
        .add("_access_granted", false)
        .addLong("_error", reason).logOnly();
  }

  @Override
  public void starved(String reason, int ended) {
    log.error("connections cannot be accepted", "_error", reason, "_idle_closed", ended);
  }

  @Override
  public void failed(InetSocketAddress peer, RequestHead head, Throwable stepFailure) {
    if (!(stepFailure instanceof IOException)) {
      log.error("runtime error occurred", "_error", Causes.text(stepFailure));
    }
  }
}
