package portcullis.http.client;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpResponse;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;
import portcullis.fixture.RawUpstream;
import portcullis.http.message.Fields;
import portcullis.http.message.WireRequest;

/** A wire request in the making, for tests. */
record Ask(String method, URI origin, String target, Fields fields, InputStream body, long length,
    Supplier<Fields> trailers,
    List<String> interim, Duration head, Duration idle) {
  static final Duration LONG = Duration.ofSeconds(20);
  static final Duration SHORT = Duration.ofMillis(200);

  /** What a test changes. */
  interface Change {
    Ask of(Ask ask);
  }

  static Ask get(RawUpstream upstream, String target) {
    return new Ask("GET", upstream.uri(""), target, Fields.of("Host", upstream.host()), InputStream.nullInputStream(),
        0,
        () -> Fields.NONE, new CopyOnWriteArrayList<>(), LONG, LONG);
  }

  Ask method(String other) {
    return new Ask(other, origin, target, fields, body, length, trailers, interim, head, idle);
  }

  Ask field(String name, String value) {
    return new Ask(method, origin, target, fields.with(name, value), body, length, trailers, interim, head, idle);
  }

  Ask body(byte[] bytes) {
    return body(new ByteArrayInputStream(bytes), bytes.length);
  }

  /** A body in chunks where the length is -1. */
  Ask body(InputStream from, long size) {
    return new Ask("POST", origin, target, fields, from, size, trailers, interim, head, idle);
  }

  Ask trailers(Supplier<Fields> lines) {
    return new Ask(method, origin, target, fields, body, length, lines, interim, head, idle);
  }

  Ask to(URI other) {
    return new Ask(method, other, target, fields, body, length, trailers, interim, head, idle);
  }

  Ask head(Duration limit) {
    return new Ask(method, origin, target, fields, body, length, trailers, interim, limit, idle);
  }

  Ask idle(Duration limit) {
    return new Ask(method, origin, target, fields, body, length, trailers, interim, head, limit);
  }

  WireRequest request() {
    return new WireRequest(new WireRequest.Parts(method, origin, target, fields, body, length, trailers,
        (status, lines) -> interim.add(status + " " + lines), head, idle));
  }

  ClientResponse<InputStream> send(WireClient client) throws IOException, InterruptedException {
    return (ClientResponse<InputStream>) client.send(request(), BodyHandlers.ofInputStream());
  }

  /** Status and body. */
  String answer(WireClient client) throws IOException, InterruptedException {
    return text(send(client));
  }

  static String text(HttpResponse<InputStream> answer) throws IOException {
    try (InputStream body = answer.body()) {
      return answer.statusCode() + " " + new String(body.readAllBytes(), java.nio.charset.StandardCharsets.ISO_8859_1);
    }
  }

  static HttpRequest.Builder plain(RawUpstream upstream, String path) {
    return HttpRequest.newBuilder(upstream.uri(path));
  }

  static WireClient client() {
    return client(ClientLimits.DEFAULT);
  }

  static WireClient client(ClientLimits limits) {
    try {
      return new WireClient(limits, SSLContext.getDefault());
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Status and body, or the kind of error. */
  String outcome(WireClient client) throws InterruptedException {
    try {
      return answer(client);
    } catch (IOException e) {
      return e instanceof ClientException ? e.getClass().getSimpleName() : e.toString();
    }
  }

  /** Waits for something that others do, at most ten seconds. */
  static boolean within(BooleanSupplier condition) {
    long end = System.nanoTime() + 10_000_000_000L;
    while (!condition.getAsBoolean() && System.nanoTime() < end) {
      LockSupport.parkNanos(1_000_000);
    }
    return condition.getAsBoolean();
  }

  /** Lets others come first: what is said after it should arrive apart from what was said before. */
  static void pause() {
    LockSupport.parkNanos(50_000_000);
  }
}
