package portcullis.observe.client;

import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import portcullis.http.client.BaseClient;
import portcullis.http.message.WireRequest;
import portcullis.http.message.WireResponse;
import portcullis.observe.telemetry.Log;
import portcullis.observe.telemetry.MessageCopy;

/** A client that logs every request and response at level trace, including secrets. Thread safe. */
public final class LoggingClient extends BaseClient {
  private final HttpClient inner;
  private final Log log;

  public LoggingClient(HttpClient inner, Log log) {
    this.inner = inner;
    this.log = log;
  }

  @Override
  public int places(WireRequest request) {
    return places(inner, request);
  }

  /** Logs bodies that are read as streams, the only ones in this program. */
  @Override
  public <T> HttpResponse<T> send(HttpRequest request, HttpResponse.BodyHandler<T> handler)
      throws IOException, InterruptedException {
    if (!(request instanceof WireRequest wire)) {
      return inner.send(request, handler);
    }
    WireRequest.Parts parts = wire.parts();
    MessageCopy copy = new MessageCopy(parts.method() + " " + parts.target() + " HTTP/1.1", parts.fields());
    WireRequest copied = new WireRequest(
        new WireRequest.Parts(parts.method(), parts.origin(), parts.target(), parts.fields(),
            copy.of(parts.body(), () -> {}), parts.length(), parts.trailers(), parts.interim(), parts.headLimit(),
            parts.idleLimit()));
    try {
      HttpResponse<T> response = inner.send(copied, handler);
      log.trace("Outbound Request: \n" + copy);
      return logged(response);
    } catch (IOException e) {
      log.trace("Outbound Request: \n" + copy);
      log.trace("Failed sending request", "_error", String.valueOf(e.getMessage()));
      throw e;
    }
  }

  @SuppressWarnings("unchecked") // an InputStream replaces an InputStream
  private <T> HttpResponse<T> logged(HttpResponse<T> response) {
    if (!(response instanceof WireResponse wire && response.body() instanceof InputStream body)) {
      return response;
    }
    MessageCopy copy = new MessageCopy("HTTP/1.1 " + response.statusCode(), wire.fields());
    return (HttpResponse<T>) new ObservedResponse(response,
        copy.of(body, () -> log.trace("Inbound Response: \n" + copy)));
  }
}
