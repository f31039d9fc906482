package portcullis.service;

import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import portcullis.message.AddressText;
import portcullis.message.Answer;
import portcullis.message.Grammar;
import portcullis.message.Incoming;
import portcullis.message.Target;
import portcullis.message.TrustedProxies;
import portcullis.server.Refusals;
import portcullis.telemetry.Log;
import portcullis.wire.RequestHead;

/** Tells the beginning and the end of every request. One that cannot be told is not served. */
final class AccessLog implements Layer, Refusals {
  private static final Map<String, String> FORWARDED = Map.of("X-Forwarded-Proto", "_http_x_forwarded_proto",
      "X-Forwarded-Host", "_http_x_forwarded_host", "X-Forwarded-Uri", "_http_x_forwarded_uri", "X-Forwarded-For",
      "_http_x_forwarded_for", "Forwarded", "_http_forwarded");

  private final Log log;
  private final InstantSource clock;
  private final TrustedProxies proxies;

  AccessLog(Log log, InstantSource clock, TrustedProxies proxies) {
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
      fields.addAll(outcome(transaction));
      log.finished("TX finished", fields);
    }
  }

  /**
   * Tells of a message that was refused before anything could be done with it, with what is known of it: in one event of its
   * own, as it was no request that could begin.
   */
  @Override
  public void refused(InetSocketAddress peer, Optional<RequestHead> head, int status, String reason) {
    List<Object> out = new ArrayList<>(24);
    add(out, "_tx_start", clock.instant().getEpochSecond());
    add(out, "_client_ip", AddressText.of(peer.getAddress()));
    head.ifPresent(h -> {
      add(out, "_http_method", h.method());
      add(out, "_http_path", Grammar.text(h.target().split("\\?", 2)[0]));
      add(out, "_http_user_agent", h.fields().first("User-Agent").map(Grammar::text).orElse(""));
      add(out, "_http_host", h.fields().first("Host").map(Grammar::text).orElse(""));
    });
    add(out, "_body_bytes_sent", 0);
    add(out, "_http_status_code", status);
    add(out, "_tx_duration_ms", 0);
    add(out, "_access_granted", false);
    add(out, "_error", reason);
    log.noted("TX refused", out);
  }

  @Override
  public void failed(InetSocketAddress peer, RequestHead head, Throwable fault) {
    if (!(fault instanceof IOException)) {
      log.error("runtime error occurred", "_error", fault.toString());
    }
  }

  private List<Object> fields(Transaction transaction) {
    HttpExchange exchange = transaction.exchange();
    Optional<Incoming> incoming = transaction.arrival() instanceof Incoming in ? Optional.of(in) : Optional.empty();
    List<Object> out = new ArrayList<>(40);
    add(out, "_tx_start", transaction.start().getEpochSecond());
    add(out, "_client_ip", transaction.client());
    add(out, "_http_method", exchange.getRequestMethod());
    add(out, "_http_path", incoming.map(in -> path(in.target())).orElseGet(() -> exchange.getRequestURI().getRawPath()));
    add(out, "_http_user_agent", header(exchange, incoming, "User-Agent"));
    add(out, "_http_host", header(exchange, incoming, "Host"));
    add(out, "_http_scheme", transaction.scheme());
    incoming.filter(in -> proxies.trusts(in.peer())).ifPresent(in -> FORWARDED.forEach((name, field) ->
        in.fields().joined(name).ifPresent(value -> add(out, field, Grammar.text(value)))));
    return out;
  }

  private static String header(HttpExchange exchange, Optional<Incoming> incoming, String name) {
    Optional<String> value = incoming.isPresent() ? incoming.get().fields().first(name)
        : Optional.ofNullable(exchange.getRequestHeaders().getFirst(name));
    return value.map(Grammar::text).orElse("");
  }

  private static String path(Target target) {
    return switch (target) {
      case Target.Resource resource -> resource.text();
      case Target.Server _ -> "*";
    };
  }

  private List<Object> outcome(Transaction transaction) {
    List<Object> out = new ArrayList<>(12);
    add(out, "_body_bytes_sent", transaction.reply().sent());
    add(out, "_http_status_code", transaction.reply().status());
    add(out, "_tx_duration_ms", Duration.between(transaction.start(), clock.instant()).toMillis());
    transaction.granted().ifPresent(granted -> add(out, "_access_granted", granted));
    if (transaction.granted().orElse(false) && !transaction.subject().isEmpty()) {
      add(out, "_subject", transaction.subject());
    }
    if (!transaction.error().isEmpty()) {
      add(out, "_error", transaction.error());
    }
    return out;
  }

  private static void add(List<Object> fields, String name, Object value) {
    fields.add(name);
    fields.add(value == null ? "" : value);
  }
}
