package portcullis.observe.otel;

import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.common.export.Compressor;
import io.opentelemetry.sdk.common.export.HttpResponse;
import io.opentelemetry.sdk.common.export.HttpSender;
import io.opentelemetry.sdk.common.export.HttpSenderConfig;
import io.opentelemetry.sdk.common.export.MessageWriter;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import portcullis.http.message.Field;
import portcullis.http.message.Fields;

/** Sends exports by HTTP (OTLP specification, OTLP/HTTP). Thread safe. */
final class HttpPosts implements HttpSender {
  private static final Set<Integer> TRANSIENT = Set.of(429, 502, 503, 504);

  private final HttpSenderConfig config;
  private final Exchange exchange;
  private final Optional<Compressor> compressor;

  HttpPosts(HttpSenderConfig config, Exchange exchange) {
    this.config = config;
    this.exchange = exchange;
    this.compressor = Optional.ofNullable(config.getCompressor());
  }

  @Override
  public void send(MessageWriter message, Consumer<HttpResponse> answered, Consumer<Throwable> failed) {
    try {
      URI endpoint = config.getEndpoint();
      String path = endpoint.getRawPath().isEmpty() ? "/" : endpoint.getRawPath();
      String target = endpoint.getRawQuery() == null ? path : path + "?" + endpoint.getRawQuery();
      exchange.post(endpoint, target, fields(), Exchange.bytes(message, compressor),
          a -> TRANSIENT.contains(a.status()),
          a -> answered.accept(new Answer(a)), failed);
    } catch (IOException e) {
      failed.accept(e);
    }
  }

  private Fields fields() {
    List<Field> out = new ArrayList<>();
    out.add(new Field("Host", config.getEndpoint().getRawAuthority()));
    config.getHeadersSupplier().get()
        .forEach((name, values) -> values.forEach(value -> out.add(new Field(name, value))));
    out.add(new Field("Content-Type", config.getContentType()));
    compressor.ifPresent(c -> out.add(new Field("Content-Encoding", c.getEncoding())));
    return Fields.of(out);
  }

  @Override
  public CompletableResultCode shutdown() {
    return exchange.end();
  }

  private record Answer(Exchange.Response answered) implements HttpResponse {
    @Override
    public int getStatusCode() {
      return answered.status();
    }

    @Override
    public String getStatusMessage() {
      return "";
    }

    @Override
    public byte[] getResponseBody() {
      return answered.body();
    }
  }
}
