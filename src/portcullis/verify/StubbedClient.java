package portcullis.verify;

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

/** Answers calls with the stubs of the case that runs, and records them; opens no connection. Thread safe. */
class StubbedClient extends BaseClient {
  private volatile CallRecord current = new CallRecord(List.of());

  /** Answers later calls by the stubs of this record, and adds them to it. */
  void use(CallRecord next) {
    current = next;
  }

  @Override
  public <T> HttpResponse<T> send(HttpRequest request, HttpResponse.BodyHandler<T> handler) throws IOException {
    CallRecord calls = current;
    Call call = call(request, calls.step());
    Stub stub = calls.answer(call)
        .orElseThrow(() -> new ConnectException("the test has no stub for " + call.name()));
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
      String body = new String(wire.parts().body().readAllBytes(), StandardCharsets.UTF_8);
      return new Call(step, wire.method(), wire.parts().origin().getScheme() + "://"
          + wire.parts().origin().getRawAuthority() + wire.parts().target(), wire.parts().fields(), body);
    }
    throw new IOException("only requests of endpoints are answered");
  }

  /** Returns what the handler makes of the whole body. */
  static <T> T body(HttpResponse.BodyHandler<T> handler, int status, HttpHeaders headers, byte[] body) {
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

  /** A response with its body at hand. */
  record Answered<T>(int statusCode, HttpRequest request, HttpHeaders headers, T body)
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
