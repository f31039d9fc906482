package portcullis.http.client;

import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import portcullis.http.message.Field;
import portcullis.http.message.Fields;
import portcullis.http.message.WireRequest;

/** Converts requests of the JDK's builder to requests with explicit target, fields and body. */
final class PlainRequest {
  private PlainRequest() {}

  static WireRequest.Parts parts(HttpRequest request, ClientLimits limits) {
    List<Field> lines = new ArrayList<>();
    request.headers().map().forEach((name, values) -> values.forEach(value -> lines.add(new Field(name, value))));
    Optional<BodyPublisher> publisher = request.bodyPublisher().filter(body -> body.contentLength() != 0);
    if (request.expectContinue() && publisher.isPresent()) {
      lines.add(new Field("Expect", "100-continue"));
    }
    InputStream body = publisher.<InputStream>map(p -> new PublishedBody(p, limits.bodyIdle()))
        .orElseGet(InputStream::nullInputStream);
    long length = publisher.map(BodyPublisher::contentLength).map(n -> Math.max(n, -1)).orElse(0L);
    return new WireRequest.Parts(request.method(), request.uri(), target(request.uri()), Fields.of(lines), body, length,
        () -> Fields.NONE, (_, _) -> {}, request.timeout().orElse(limits.head()), limits.bodyIdle());
  }

  /** {@code origin-form = absolute-path [ "?" query ]} (RFC 9112, 3.2.1); what is not ASCII is escaped. */
  private static String target(URI uri) {
    URI plain = uri.toString().chars().allMatch(c -> c < 128) ? uri : URI.create(uri.toASCIIString());
    String path = plain.getRawPath() == null || plain.getRawPath().isEmpty() ? "/" : plain.getRawPath();
    return plain.getRawQuery() == null ? path : path + "?" + plain.getRawQuery();
  }
}
