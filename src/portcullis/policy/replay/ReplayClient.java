package portcullis.policy.replay;

import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Flow;
import javax.net.ssl.SSLSession;
import portcullis.http.client.BaseClient;
import portcullis.http.message.Field;
import portcullis.http.message.WireRequest;
import portcullis.observe.decisions.CallKey;

/** Answers calls with the answers at hand, and records them; opens no connection. Thread safe. */
public class ReplayClient extends BaseClient {
  private volatile CallRecord current = new CallRecord(List.of());

  /** Answers later calls by this record, and adds them to it. */
  public void use(CallRecord next) {
    current = next;
  }

  @Override
  public <T> HttpResponse<T> send(HttpRequest request, HttpResponse.BodyHandler<T> handler) throws IOException {
    CallRecord calls = current;
    Call call = call(request, calls.step());
    CannedAnswer stub = calls.answer(call)
        .orElseThrow(() -> new ConnectException("there is no answer to " + call.name()));
    if (stub.failure().isPresent()) {
      throw switch (stub.failure().get()) {
        case REFUSED -> new ConnectException("connection refused, by the stub");
        case RESET -> new IOException("connection reset, by the stub");
        case TIMEOUT -> new HttpTimeoutException("no answer in time, by the stub");
      };
    }
    Duration limit = request.timeout().orElse(Duration.ofDays(1));
    if (stub.delay().compareTo(limit) > 0) {
      throw new HttpTimeoutException("no answer within " + limit.toMillis() + " ms, by the stub");
    }
    Map<String, List<String>> fields = new LinkedHashMap<>();
    for (Field field : stub.fields()) {
      fields.computeIfAbsent(field.name(), _ -> new ArrayList<>()).add(field.value());
    }
    HttpHeaders headers = HttpHeaders.of(fields, (_, _) -> true);
    return new Answered<>(stub.status(), request, headers, body(handler, stub.status(), headers, stub.body()));
  }

  private static Call call(HttpRequest request, String step) throws IOException {
    if (request instanceof WireRequest wire) {
      byte[] body = wire.parts().body().readAllBytes();
      String url = wire.parts().origin().getScheme() + "://" + wire.parts().origin().getRawAuthority()
          + wire.parts().target();
      return new Call(step, wire.method(), url, wire.parts().fields(), new String(body, StandardCharsets.UTF_8),
          CallKey.of(wire.method(), url, wire.parts().fields(), body));
    }
    throw new IOException("only requests of endpoints are answered");
  }

  /** Returns what the handler makes of the whole body. */
  protected static <T> T body(HttpResponse.BodyHandler<T> handler, int status, HttpHeaders headers, byte[] body) {
    HttpResponse.BodySubscriber<T> subscriber = handler.apply(new HttpResponse.ResponseInfo() {
      @Override
      public int statusCode() {
        return status;
      }

      @Override
      public HttpHeaders headers() {
        return headers;
      }

      @Override
      public Version version() {
        return Version.HTTP_1_1;
      }
    });
    subscriber.onSubscribe(new Flow.Subscription() {
      @Override
      public void request(long n) {
        // the whole body is published at once below
      }

      @Override
      public void cancel() {
        // there is nothing to release
      }
    });
    if (body.length > 0) {
      subscriber.onNext(List.of(ByteBuffer.wrap(body)));
    }
    subscriber.onComplete();
    return subscriber.getBody().toCompletableFuture().join();
  }

  /** Returns a response with its body at hand. */
  protected static <T> HttpResponse<T> answered(HttpRequest request, int status, HttpHeaders headers, T body) {
    return new Answered<>(status, request, headers, body);
  }

  private record Answered<T>(int statusCode, HttpRequest request, HttpHeaders headers, T body)
      implements HttpResponse<T> {
    @Override
    public Optional<HttpResponse<T>> previousResponse() {
      return Optional.empty();
    }

    @Override
    public Optional<SSLSession> sslSession() {
      return Optional.empty();
    }

    @Override
    public URI uri() {
      return request.uri();
    }

    @Override
    public Version version() {
      return Version.HTTP_1_1;
    }
  }
}
