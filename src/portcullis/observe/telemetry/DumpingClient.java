package portcullis.observe.telemetry;

import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import portcullis.http.message.WireRequest;
import portcullis.http.message.WireResponse;

/** A client that tells all it sends and gets at level trace, secrets included. For any threads. */
public final class DumpingClient extends DelegatingClient {
  private final Log log;

  public DumpingClient(HttpClient inner, Log log) {
    super(inner);
    this.log = log;
  }

  /** Bodies are dumped of streams, which is all that is asked for in this program. */
  @Override
  public <T> HttpResponse<T> send(HttpRequest request, HttpResponse.BodyHandler<T> handler)
      throws IOException, InterruptedException {
    if (!(request instanceof WireRequest wire)) {
      return sent(request, handler);
    }
    WireRequest.Parts parts = wire.parts();
    Copy copy = new Copy(parts.method() + " " + parts.target() + " HTTP/1.1", parts.fields());
    WireRequest copied = new WireRequest(
        new WireRequest.Parts(parts.method(), parts.origin(), parts.target(), parts.fields(),
            copy.of(parts.body(), () -> {}), parts.length(), parts.trailers(), parts.interim(), parts.headLimit(),
            parts.idleLimit()));
    try {
      HttpResponse<T> response = sent(copied, handler);
      log.trace("Outbound Request: \n" + copy);
      return dumped(response);
    } catch (IOException e) {
      log.trace("Outbound Request: \n" + copy);
      log.trace("Failed sending request", "_error", String.valueOf(e.getMessage()));
      throw e;
    }
  }

  @SuppressWarnings("unchecked") // a stream in place of a stream
  private <T> HttpResponse<T> dumped(HttpResponse<T> response) {
    if (!(response instanceof WireResponse wire && response.body() instanceof InputStream body)) {
      return response;
    }
    Copy copy = new Copy("HTTP/1.1 " + response.statusCode(), wire.fields());
    return (HttpResponse<T>) new WatchedAnswer(response, copy.of(body, () -> log.trace("Inbound Response: \n" + copy)));
  }
}
