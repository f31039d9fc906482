package portcullis.observe.telemetry;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import portcullis.http.client.AnswerLate;
import portcullis.http.client.BadAnswer;
import portcullis.http.client.BrokenBody;
import portcullis.http.client.BrokenSource;
import portcullis.http.client.ClientFault;
import portcullis.http.client.ConnectLate;
import portcullis.http.client.NoAnswer;
import portcullis.http.client.Unreachable;
import portcullis.http.message.Field;
import portcullis.http.message.Fields;
import portcullis.http.message.WireRequest;
import portcullis.http.message.WireResponse;
import portcullis.observe.tracing.Span;
import portcullis.observe.tracing.Trace;
import portcullis.observe.tracing.Tracer;

/**
 * A client whose calls are part of traces, which the other party is told of, and are measured, up to the end of the
 * answer's body. For any threads.
 */
public final class WatchedClient extends DelegatingClient {
  private final Optional<Tracer> tracer;
  private final Optional<CallInstruments> instruments;

  public WatchedClient(HttpClient inner, Optional<Tracer> tracer, Optional<CallInstruments> instruments) {
    super(inner);
    this.tracer = tracer;
    this.instruments = instruments;
  }

  @Override
  public <T> HttpResponse<T> send(HttpRequest request, HttpResponse.BodyHandler<T> handler)
      throws IOException, InterruptedException {
    if (!(request instanceof WireRequest wire)) {
      return sent(request, handler);
    }
    Optional<Span> span = tracer.map(t -> begun(t, Methods.of(wire.method())));
    span.filter(Span::recorded).ifPresent(s -> describe(s, wire.parts()));
    Call call = new Call(wire.parts(), span, System.nanoTime());
    String error = "interrupted";
    try {
      HttpResponse<T> response = sent(span.isEmpty() ? wire : carrying(wire, tracer.get(), span.get()), handler);
      error = "";
      return watched(response, call);
    } catch (IOException e) {
      error = type(e);
      throw e;
    } catch (RuntimeException e) {
      error = "unsayable";
      throw e;
    } finally {
      if (!error.isEmpty()) {
        end(call, 0, "", error);
      }
    }
  }

  /** What is noted of a call when it is over. */
  private record Call(WireRequest.Parts parts, Optional<Span> span, long begin) {}

  /** The call is over with the stream that is the answer's body, else with the head. */
  @SuppressWarnings("unchecked") // a stream in place of a stream
  private <T> HttpResponse<T> watched(HttpResponse<T> response, Call call) {
    int status = response.statusCode();
    String version = response.version() == HttpClient.Version.HTTP_2 ? "2" : "1.1";
    if (response instanceof WireResponse wire && wire.tunnel().isEmpty()
        && response.body() instanceof InputStream body) {
      return (HttpResponse<T>) new WatchedAnswer(response,
          new WatchedBody(body, fault -> end(call, status, version, fault.map(WatchedClient::type).orElse(""))));
    }
    end(call, status, version, "");
    return response;
  }

  private static Span begun(Tracer tracer, String name) {
    return Trace.current().map(trace -> trace.call(name)).orElseGet(() -> tracer.root(name, Span.Kind.CLIENT));
  }

  private static void describe(Span span, WireRequest.Parts parts) {
    URI origin = parts.origin();
    String scheme = scheme(origin);
    String authority = origin.getRawAuthority().substring(origin.getRawAuthority().lastIndexOf('@') + 1);
    span.set("http.request.method", Methods.of(parts.method()));
    span.set("server.address", origin.getHost());
    span.set("server.port", port(origin));
    span.set("url.scheme", scheme);
    span.set("url.full", scheme + "://" + authority + SafeUrl.target(parts.target()));
  }

  private static WireRequest carrying(WireRequest request, Tracer tracer, Span span) {
    WireRequest.Parts parts = request.parts();
    List<Field> lines = new ArrayList<>(parts.fields().size() + 3);
    parts.fields().stream().filter(field -> !tracer.carries(field.name())).forEach(lines::add);
    span.carried().forEach(lines::add);
    return new WireRequest(
        new WireRequest.Parts(parts.method(), parts.origin(), parts.target(), Fields.of(lines), parts.body(),
            parts.length(), parts.trailers(), parts.interim(), parts.headLimit(), parts.idleLimit()));
  }

  /**
   * Notes that a call is over.
   *
   * @param version of HTTP, empty where no answer came
   * @param fault what went wrong, where a status does not tell
   */
  private void end(Call call, int status, String version, String fault) {
    long nanos = System.nanoTime() - call.begin();
    call.span().ifPresent(s -> {
      if (s.recorded()) {
        if (status > 0) {
          s.set("http.response.status_code", status);
          s.set("network.protocol.name", "http");
          s.set("network.protocol.version", version);
        }
        String error = fault.isEmpty() && status >= 400 ? Integer.toString(status) : fault;
        if (!error.isEmpty()) {
          s.failed(error);
        }
      }
      s.end();
    });
    WireRequest.Parts parts = call.parts();
    URI origin = parts.origin();
    instruments.ifPresent(i -> i.note(Methods.of(parts.method()), status, origin.getHost(), port(origin),
        scheme(origin), version, fault, nanos,
        parts.length()));
  }

  private static String scheme(URI origin) {
    return origin.getScheme().equals("h2c") ? "http" : origin.getScheme();
  }

  private static int port(URI origin) {
    return origin.getPort() > 0 ? origin.getPort() : scheme(origin).equals("https") ? 443 : 80;
  }

  private static String type(IOException e) {
    if (!(e instanceof ClientFault fault)) {
      return e instanceof HttpTimeoutException ? "timeout" : "io";
    }
    return switch (fault) {
      case Unreachable _ -> "unreachable";
      case ConnectLate _ -> "connect_timeout";
      case NoAnswer _ -> "no_answer";
      case AnswerLate _ -> "timeout";
      case BadAnswer _ -> "bad_answer";
      case BrokenBody _ -> "broken_body";
      case BrokenSource _ -> "broken_request";
    };
  }
}
