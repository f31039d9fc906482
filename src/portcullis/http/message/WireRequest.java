package portcullis.http.message;

import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.function.Supplier;

/**
 * A request that our client sends exactly as it is written here: target byte for byte, lines in their order and
 * spelling, {@code Host} included. Other clients send what {@link HttpRequest} can say: {@code Host} is that of the
 * origin, nothing is upgraded, trailers and interim answers are lost.
 */
public final class WireRequest extends HttpRequest {
  /**
   * The parts of it.
   *
   * @param origin where to connect: {@code http://host:port} or {@code https://host:port}
   * @param target the request-target, in origin form
   * @param fields all lines but framing and connection ones, which the client writes itself; with {@code Upgrade} where
   *     one is wanted
   * @param body the content; read once, closed by the client
   * @param length of the body in bytes; 0 for none, -1 for one that is sent in chunks
   * @param trailers called once the body has ended
   * @param interim receives every interim answer but 100 and 101, as status and lines
   * @param headLimit how long to wait for the head of the final answer once the request is sent
   * @param idleLimit how long a read of the answer's body may wait
   */
  public record Parts(String method, URI origin, String target, Fields fields, InputStream body, long length,
      Supplier<Fields> trailers, BiConsumer<Integer, Fields> interim, Duration headLimit, Duration idleLimit) {
    private static final Supplier<Fields> NO_TRAILERS = () -> Fields.NONE;

    /** Returns the same with another body. */
    public Parts with(InputStream other) {
      return new Parts(method, origin, target, fields, other, length, trailers, interim, headLimit, idleLimit);
    }

    /** Returns what is left of them once the request has been sent, and will not be sent again. */
    public Parts sent() {
      return new Parts(method, origin, target, Fields.NONE, InputStream.nullInputStream(), length, NO_TRAILERS, interim,
          headLimit,
          idleLimit);
    }
  }

  private final Parts parts;

  public WireRequest(Parts parts) {
    this.parts = parts;
  }

  public Parts parts() {
    return parts;
  }

  /** For other clients than ours, which takes the body from {@link Parts#body}. */
  @Override
  public Optional<BodyPublisher> bodyPublisher() {
    return switch (Long.signum(parts.length())) {
      case 0 -> Optional.empty();
      case 1 -> Optional.of(BodyPublishers.fromPublisher(BodyPublishers.ofInputStream(parts::body), parts.length()));
      default -> Optional.of(BodyPublishers.ofInputStream(parts::body));
    };
  }

  @Override
  public String method() {
    return parts.method();
  }

  @Override
  public Optional<Duration> timeout() {
    return Optional.of(parts.headLimit());
  }

  @Override
  public boolean expectContinue() {
    return false;
  }

  /**
   * For other clients than ours, which takes origin and target from {@link #parts}.
   *
   * @throws IllegalArgumentException if the target is not valid in a URI
   */
  @Override
  public URI uri() {
    return URI.create(parts.origin().getScheme() + "://" + parts.origin().getRawAuthority() + parts.target());
  }

  @Override
  public Optional<HttpClient.Version> version() {
    return Optional.empty();
  }

  /** For other clients than ours, without the lines that they write themselves. */
  @Override
  public HttpHeaders headers() {
    Map<String, List<String>> out = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    parts.fields().without(f -> ConnectionFields.isConnectionSpecific(f.name()) || f.is("Content-Length")
        || f.is("Expect") || f.is("Host"))
        .forEach(f -> out.computeIfAbsent(f.name(), _ -> new ArrayList<>()).add(f.value()));
    return HttpHeaders.of(out, (_, _) -> true);
  }
}
