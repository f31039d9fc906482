package portcullis.http.client;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import javax.net.ssl.SSLSession;
import portcullis.http.message.Fields;
import portcullis.http.message.Tunnel;
import portcullis.http.message.WireResponse;

/** A response with its body, as the caller's handler made it. */
record ClientResponse<T>(HttpRequest request, OpenResponse open, T body) implements HttpResponse<T>, WireResponse {
  @Override
  public int statusCode() {
    return open.head().status();
  }

  @Override
  public Fields fields() {
    return open.head().fields();
  }

  @Override
  public Fields trailers() {
    return open.body().trailers();
  }

  @Override
  public Optional<Tunnel> tunnel() {
    return open.tunnel();
  }

  @Override
  public Optional<HttpResponse<T>> previousResponse() {
    return Optional.empty();
  }

  @Override
  public HttpHeaders headers() {
    return headers(fields());
  }

  static HttpHeaders headers(Fields fields) {
    Map<String, List<String>> out = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    fields.forEach(line -> out.computeIfAbsent(line.name(), _ -> new ArrayList<>(2)).add(line.value()));
    return HttpHeaders.of(out, (_, _) -> true);
  }

  @Override
  public Optional<SSLSession> sslSession() {
    return open.session();
  }

  @Override
  public URI uri() {
    return request.uri();
  }

  @Override
  public HttpClient.Version version() {
    return open.version();
  }

  @Override
  public String toString() {
    return "(" + request.method() + " " + request.uri() + ") " + statusCode();
  }
}
