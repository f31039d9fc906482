package portcullis.verify;

import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.http.HttpClient;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.util.function.Consumer;
import portcullis.http.message.WireRequest;
import portcullis.policy.replay.CannedAnswer;
import portcullis.policy.replay.ReplayClient;

/** Sends calls through another client and records the responses. Thread safe if the consumer is. */
final class RecordingClient extends ReplayClient {
  /** More than an endpoint accepts by default; what is beyond is lost. */
  private static final int LARGEST = 16 << 20;

  private final HttpClient next;
  private final Consumer<Recorded> calls;
  private final Consumer<Failed> failures;

  /** A response to a call, as it was received. */
  record Recorded(String method, String url, int status, HttpHeaders fields, byte[] body) {}

  /** A call that got no response. */
  record Failed(String method, String url, CannedAnswer.Failure failure) {}

  RecordingClient(HttpClient next, Consumer<Recorded> calls, Consumer<Failed> failures) {
    this.next = next;
    this.calls = calls;
    this.failures = failures;
  }

  @Override
  public <T> HttpResponse<T> send(HttpRequest request, HttpResponse.BodyHandler<T> handler) throws IOException {
    try {
      HttpResponse<InputStream> response = next.send(request, HttpResponse.BodyHandlers.ofInputStream());
      byte[] body;
      try (InputStream in = response.body()) {
        body = in.readNBytes(LARGEST);
      }
      calls.accept(new Recorded(request.method(), url(request), response.statusCode(), response.headers(), body));
      return answered(request, response.statusCode(), response.headers(),
          body(handler, response.statusCode(), response.headers(), body));
    } catch (IOException e) {
      failures.accept(new Failed(request.method(), url(request), switch (e) {
        case ConnectException _ -> CannedAnswer.Failure.REFUSED;
        case HttpTimeoutException _ -> CannedAnswer.Failure.TIMEOUT;
        default -> CannedAnswer.Failure.RESET;
      }));
      throw e;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }

  private static String url(HttpRequest request) {
    return request instanceof WireRequest wire
        ? wire.parts().origin().getScheme() + "://" + wire.parts().origin().getRawAuthority() + wire.parts().target()
        : request.uri().toString();
  }
}
