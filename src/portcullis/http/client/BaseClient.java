package portcullis.http.client;

import java.io.IOException;
import java.net.Authenticator;
import java.net.CookieHandler;
import java.net.ProxySelector;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import portcullis.http.message.WireRequest;

/**
 * An {@link HttpClient} without cookies, credentials and redirects. Asynchronous requests run {@link #send} on a
 * virtual thread; subclasses implement it, and override the settings that differ.
 */
public abstract class BaseClient extends HttpClient {
  /**
   * Returns how many requests like this one its origin can process at once over the allowed connections; the greatest
   * number if that is not known yet or not bounded. A client that wraps another returns the number of that one.
   */
  public int places(WireRequest request) {
    return Integer.MAX_VALUE;
  }

  /** Returns {@link #places(WireRequest)} of a client; the greatest number for one that does not have it. */
  public static int places(HttpClient client, WireRequest request) {
    return client instanceof BaseClient base ? base.places(request) : Integer.MAX_VALUE;
  }

  /**
   * Sends a request and waits a while for its response, whose body is read as a stream. A client that can wait for it
   * without a thread, or wraps another one, overrides this.
   */
  public AwaitedResponse begin(WireRequest request) throws IOException, InterruptedException {
    return AwaitedResponse.of(send(request, HttpResponse.BodyHandlers.ofInputStream()));
  }

  /** Returns {@link #begin(WireRequest)} of a client; one that does not have it waits for the response. */
  public static AwaitedResponse begin(HttpClient client, WireRequest request) throws IOException, InterruptedException {
    return client instanceof BaseClient base ? base.begin(request)
        : AwaitedResponse.of(client.send(request, HttpResponse.BodyHandlers.ofInputStream()));
  }

  @Override
  public <T> CompletableFuture<HttpResponse<T>> sendAsync(HttpRequest request, HttpResponse.BodyHandler<T> handler) {
    CompletableFuture<HttpResponse<T>> future = new CompletableFuture<>();
    Thread thread = Thread.ofVirtual().name("client-send").unstarted(() -> complete(future, request, handler));
    future.whenComplete((_, _) -> {
      if (future.isCancelled()) {
        thread.interrupt();
      }
    });
    thread.start();
    return future;
  }

  private <T> void complete(CompletableFuture<HttpResponse<T>> future, HttpRequest request,
      HttpResponse.BodyHandler<T> handler) {
    try {
      future.complete(send(request, handler));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      future.completeExceptionally(e);
    } catch (IOException | RuntimeException | Error e) {
      future.completeExceptionally(e);
    }
  }

  /** Ignores the handler of pushes: server push is disabled. */
  @Override
  public <T> CompletableFuture<HttpResponse<T>> sendAsync(HttpRequest request, HttpResponse.BodyHandler<T> handler,
      HttpResponse.PushPromiseHandler<T> pushes) {
    return sendAsync(request, handler);
  }

  @Override
  public Optional<CookieHandler> cookieHandler() {
    return Optional.empty();
  }

  @Override
  public Optional<Duration> connectTimeout() {
    return Optional.empty();
  }

  @Override
  public Redirect followRedirects() {
    return Redirect.NEVER;
  }

  @Override
  public Optional<ProxySelector> proxy() {
    return Optional.empty();
  }

  @Override
  public SSLContext sslContext() {
    throw new UnsupportedOperationException("this client has no TLS settings");
  }

  @Override
  public SSLParameters sslParameters() {
    throw new UnsupportedOperationException("this client has no TLS settings");
  }

  @Override
  public Optional<Authenticator> authenticator() {
    return Optional.empty();
  }

  @Override
  public Version version() {
    return Version.HTTP_1_1;
  }

  @Override
  public Optional<Executor> executor() {
    return Optional.empty();
  }
}
