package portcullis.observe.otel;

import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.common.export.Compressor;
import io.opentelemetry.sdk.common.export.GrpcResponse;
import io.opentelemetry.sdk.common.export.GrpcSender;
import io.opentelemetry.sdk.common.export.GrpcSenderConfig;
import io.opentelemetry.sdk.common.export.GrpcStatusCode;
import io.opentelemetry.sdk.common.export.MessageWriter;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import portcullis.http.message.Field;
import portcullis.http.message.Fields;
import portcullis.lang.value.Digits;

/** Sends exports as unary gRPC calls: one message in a POST of HTTP/2 (gRPC over HTTP2). Thread safe. */
final class GrpcCalls implements GrpcSender {
  private static final int PREFIX = 5;
  /** CANCELLED, DEADLINE_EXCEEDED, ABORTED, OUT_OF_RANGE, UNAVAILABLE, DATA_LOSS (OTLP specification, failures). */
  private static final Set<Integer> TRANSIENT = Set.of(1, 4, 10, 11, 14, 15);

  private final GrpcSenderConfig config;
  private final Exchange exchange;
  private final Optional<Compressor> compressor;
  private final URI origin;

  GrpcCalls(GrpcSenderConfig config, Exchange exchange) {
    this.config = config;
    this.exchange = exchange;
    this.compressor = Optional.ofNullable(config.getCompressor());
    boolean clear = config.getEndpoint().getScheme().equals("http");
    this.origin = URI.create((clear ? "h2c" : "https") + "://" + config.getEndpoint().getRawAuthority());
  }

  @Override
  public void send(MessageWriter message, Consumer<GrpcResponse> answered, Consumer<Throwable> failed) {
    try {
      byte[] bytes = Exchange.bytes(message, compressor);
      byte[] framed = ByteBuffer.allocate(PREFIX + bytes.length).put((byte) (compressor.isPresent() ? 1 : 0))
          .putInt(bytes.length).put(bytes).array();
      exchange.post(origin, "/" + config.getFullMethodName(), fields(), framed, a -> TRANSIENT.contains(status(a)),
          a -> answered.accept(new Answer(a)), failed);
    } catch (IOException e) {
      failed.accept(e);
    }
  }

  private Fields fields() {
    List<Field> out = new ArrayList<>();
    out.add(new Field("Host", config.getEndpoint().getRawAuthority()));
    out.add(new Field("te", "trailers"));
    out.add(new Field("content-type", "application/grpc"));
    compressor.ifPresent(c -> out.add(new Field("grpc-encoding", c.getEncoding())));
    out.add(new Field("grpc-timeout", config.getTimeout().toMillis() + "m"));
    config.getHeadersSupplier().get()
        .forEach((name, values) -> values.forEach(value -> out.add(new Field(name.toLowerCase(Locale.ROOT), value))));
    return Fields.of(out);
  }

  /**
   * Returns the status from the trailers, or from the header of a response without a message, or from the HTTP
   * status.
   */
  private static int status(Exchange.Response answered) {
    String text = answered.trailers().first("grpc-status").or(() -> answered.fields().first("grpc-status")).orElse("");
    boolean digits = Digits.are(text, 2);
    if (digits) {
      return Integer.parseInt(text);
    }
    return answered.status() == 502 || answered.status() == 503 || answered.status() == 504 ? 14 : 2;
  }

  @Override
  public CompletableResultCode shutdown() {
    return exchange.end();
  }

  private record Answer(Exchange.Response answered) implements GrpcResponse {
    @Override
    public GrpcStatusCode getStatusCode() {
      return GrpcStatusCode.fromValue(status(answered));
    }

    @Override
    public String getStatusDescription() {
      return answered.trailers().first("grpc-message").or(() -> answered.fields().first("grpc-message")).orElse("");
    }

    @Override
    public byte[] getResponseMessage() {
      byte[] body = answered.body();
      return body.length <= PREFIX ? new byte[0] : Arrays.copyOfRange(body, PREFIX, body.length);
    }
  }
}
