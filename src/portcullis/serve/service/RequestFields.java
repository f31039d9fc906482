package portcullis.serve.service;

import com.sun.net.httpserver.HttpExchange;
import java.util.Objects;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import portcullis.http.grpc.Code;
import portcullis.http.message.Grammar;
import portcullis.http.message.ResponseWriter;
import portcullis.http.message.Target;
import portcullis.http.message.TrustedProxies;
import portcullis.http.message.ValidRequest;
import portcullis.observe.telemetry.AccessEvent;
import portcullis.observe.telemetry.SafeUrl;

/** Adds the fields of HTTP requests. */
record RequestFields(TrustedProxies proxies) implements AccessFields {
  /** A host up to its end, with a user or without, or many of them would take their square. */
  private static final Pattern FORWARDED_HOST = Pattern.compile("(?i)(host=)([^;,\"]*+)(\"?)([^;,\"]*+)");

  @Override
  public void begin(Transaction transaction, AccessEvent event) {
    HttpExchange exchange = transaction.exchange();
    event.add("_http_method", exchange.getRequestMethod());
    if (transaction.arrival() instanceof ValidRequest incoming) {
      event.addLong("_http_path", path(incoming.target()));
      event.add("_http_user_agent", first(incoming, "User-Agent"));
      event.add("_http_host", first(incoming, "Host"));
      event.plain("_http_scheme", transaction.scheme());
      if (proxies.trusts(incoming.peer())) {
        forwarded(incoming, event);
      }
    } else {
      event.addLong("_http_path",
          SafeUrl.withoutUser(Objects.requireNonNullElse(exchange.getRequestURI().getRawPath(), "")));
      event.add("_http_user_agent", first(exchange, "User-Agent"));
      event.add("_http_host", hostWithoutUser(first(exchange, "Host")));
      event.plain("_http_scheme", transaction.scheme());
    }
  }

  /** Masks who is named before the host in a {@code Host} field, perhaps with a password. */
  static String hostWithoutUser(String host) {
    int at = host.lastIndexOf('@');
    return at < 0 ? host : "***" + host.substring(at);
  }

  /** Masks likewise in a {@code Forwarded} field. */
  static String forwardedWithoutUser(String value) {
    return value.indexOf('@') < 0 ? value
        : FORWARDED_HOST.matcher(value).replaceAll(
            found -> Matcher.quoteReplacement(found.group(1) + hostWithoutUser(found.group(2)) + found.group(3)
                + hostWithoutUser(found.group(4))));
  }

  private static void forwarded(ValidRequest incoming, AccessEvent event) {
    UnaryOperator<String> plain = UnaryOperator.identity();
    joined(incoming, "X-Forwarded-Proto", "_http_x_forwarded_proto", plain, event);
    joined(incoming, "X-Forwarded-Host", "_http_x_forwarded_host", RequestFields::hostWithoutUser, event);
    joined(incoming, "X-Forwarded-Uri")
        .ifPresent(value -> event.addLong("_http_x_forwarded_uri", SafeUrl.target(value)));
    joined(incoming, "X-Forwarded-For", "_http_x_forwarded_for", plain, event);
    joined(incoming, "Forwarded", "_http_forwarded", RequestFields::forwardedWithoutUser, event);
  }

  private static void joined(ValidRequest incoming, String name, String as, UnaryOperator<String> shown,
      AccessEvent event) {
    joined(incoming, name).ifPresent(value -> event.add(as, shown.apply(value)));
  }

  private static Optional<String> joined(ValidRequest incoming, String name) {
    return incoming.fields().joined(name).map(Grammar::text);
  }

  private static String first(ValidRequest incoming, String name) {
    return incoming.fields().first(name).map(Grammar::text).orElse("");
  }

  private static String first(HttpExchange exchange, String name) {
    return Optional.ofNullable(exchange.getRequestHeaders().getFirst(name)).map(Grammar::text).orElse("");
  }

  private static String path(Target target) {
    return switch (target) {
      case Target.Resource resource -> resource.text();
      case Target.Server _ -> "*";
    };
  }

  @Override
  public void status(ResponseWriter reply, Optional<Code> code, AccessEvent event) {
    event.add("_body_bytes_sent", reply.sent());
    event.add("_http_status_code", reply.status());
  }
}
