package portcullis.observe.otel;

import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.common.export.Compressor;
import io.opentelemetry.sdk.common.export.MessageWriter;
import io.opentelemetry.sdk.common.export.RetryPolicy;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URI;
import java.net.http.HttpResponse;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Predicate;
import javax.net.ssl.SSLContext;
import portcullis.http.client.ClientLimits;
import portcullis.http.client.WireClient;
import portcullis.http.message.Fields;
import portcullis.http.message.WireRequest;
import portcullis.http.message.WireResponse;

/**
 * Posts messages to a collector with our own client. Transient failures are retried within the timeout of an export,
 * but no longer once closing has begun. Thread safe.
 */
final class Exchange {
  private static final int MAX_RESPONSE = 4 << 20;

  private final URI endpoint;
  private final Duration timeout;
  private final Optional<RetryPolicy> retry;
  private final WireClient client;
  private final CountDownLatch closing = new CountDownLatch(1);

  /** A response. */
  record Response(int status, Fields fields, Fields trailers, byte[] body) {}

  private Exchange(URI endpoint, Duration timeout, Optional<RetryPolicy> retry, WireClient client) {
    this.endpoint = endpoint;
    this.timeout = timeout;
    this.retry = retry;
    this.client = client;
  }

  /** @param tls null for the default of the JDK, as the SDK passes it */
  static Exchange to(URI endpoint, Duration timeout, RetryPolicy retry, SSLContext tls) {
    try {
      SSLContext context = tls == null ? SSLContext.getDefault() : tls;
      return new Exchange(endpoint, timeout, Optional.ofNullable(retry), new WireClient(ClientLimits.DEFAULT, context));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("TLS is not available", e);
    }
  }

  /** Posts on another thread. */
  void post(URI origin, String target, Fields fields, byte[] body, Predicate<Response> transientFailure,
      Consumer<Response> received,
      Consumer<Throwable> failed) {
    Thread.ofVirtual().name("telemetry export").start(() -> {
      try {
        received.accept(posted(origin, target, fields, body, transientFailure));
      } catch (IOException | RuntimeException e) {
        failed.accept(new IOException(endpoint + ": " + e.getMessage(), e));
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        failed.accept(e);
      }
    });
  }

  private Response posted(URI origin, String target, Fields fields, byte[] body, Predicate<Response> transientFailure)
      throws IOException, InterruptedException {
    Duration wait = retry.map(RetryPolicy::getInitialBackoff).orElse(Duration.ZERO);
    long end = System.nanoTime() + timeout.toNanos();
    for (int left = retry.map(RetryPolicy::getMaxAttempts).orElse(1); left > 1 && closing.getCount() > 0
        && System.nanoTime() + wait.toNanos() - end < 0; left--) {
      try {
        Response response = once(origin, target, fields, body);
        if (!transientFailure.test(response)) {
          return response;
        }
      } catch (IOException e) {
        if (closing.getCount() == 0) {
          throw e;
        }
      }
      closing.await(wait.toMillis() * (80 + ThreadLocalRandom.current().nextInt(40)) / 100, TimeUnit.MILLISECONDS);
      wait = longer(wait);
    }
    return once(origin, target, fields, body);
  }

  private Duration longer(Duration wait) {
    Duration next = Duration.ofMillis((long) (wait.toMillis() * retry.orElseThrow().getBackoffMultiplier()));
    return next.compareTo(retry.orElseThrow().getMaxBackoff()) > 0 ? retry.orElseThrow().getMaxBackoff() : next;
  }

  private Response once(URI origin, String target, Fields fields, byte[] body)
      throws IOException, InterruptedException {
    WireRequest request = new WireRequest(
        new WireRequest.Parts("POST", origin, target, fields, new ByteArrayInputStream(body),
            body.length, () -> Fields.NONE, (_, _) -> {}, timeout, timeout));
    HttpResponse<InputStream> response = client.send(request, HttpResponse.BodyHandlers.ofInputStream());
    try (InputStream in = response.body()) {
      byte[] content = in.readNBytes(MAX_RESPONSE);
      if (in.read() >= 0) {
        throw new IOException("the response is longer than " + MAX_RESPONSE + " bytes");
      }
      WireResponse wire = (WireResponse) response;
      return new Response(response.statusCode(), wire.fields(), wire.trailers(), content);
    }
  }

  /** Returns the message, compressed if configured. */
  static byte[] bytes(MessageWriter writer, Optional<Compressor> compressor) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream(Math.max(32, writer.getContentLength()));
    try (OutputStream to = compressor.isPresent() ? compressor.get().compress(out) : out) {
      writer.writeMessage(to);
    }
    return out.toByteArray();
  }

  /** Stops retries; requests in progress are tried once more at most. */
  void close() {
    closing.countDown();
  }

  CompletableResultCode end() {
    close();
    client.shutdownNow();
    client.close();
    return CompletableResultCode.ofSuccess();
  }
}
