package portcullis.observe.client;

import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Optional;
import javax.net.ssl.SSLSession;
import portcullis.http.message.Fields;
import portcullis.http.message.Tunnel;
import portcullis.http.message.WireResponse;

/** A response with its body replaced by a stream that observes reading. */
record ObservedResponse(HttpResponse<?> inner, InputStream body) implements HttpResponse<InputStream>, WireResponse {
  private WireResponse wire() {
    return (WireResponse) inner;
  }

  @Override
  public Fields fields() {
    return wire().fields();
  }

  @Override
  public Fields trailers() {
    return wire().trailers();
  }

  @Override
  public Optional<Tunnel> tunnel() {
    return wire().tunnel();
  }

  @Override
  public int statusCode() {
    return inner.statusCode();
  }

  @Override
  public HttpRequest request() {
    return inner.request();
  }

  @Override
  public Optional<HttpResponse<InputStream>> previousResponse() {
    return Optional.empty();
  }

  @Override
  public HttpHeaders headers() {
    return inner.headers();
  }

  @Override
  public Optional<SSLSession> sslSession() {
    return inner.sslSession();
  }

  @Override
  public URI uri() {
    return inner.uri();
  }

  @Override
  public HttpClient.Version version() {
    return inner.version();
  }
}
