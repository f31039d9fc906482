package portcullis.observe.client;

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
import portcullis.http.client.AwaitedResponse;
import portcullis.http.client.BaseClient;
import portcullis.http.client.ClientException;
import portcullis.http.client.ConnectTimeoutException;
import portcullis.http.client.InvalidResponseException;
import portcullis.http.client.NoResponseException;
import portcullis.http.client.RequestBodyException;
import portcullis.http.client.ResponseBodyException;
import portcullis.http.client.ResponseTimeoutException;
import portcullis.http.client.UnreachableException;
import portcullis.http.message.Field;
import portcullis.http.message.Fields;
import portcullis.http.message.WireRequest;
import portcullis.http.message.WireResponse;
import portcullis.observe.telemetry.Methods;
import portcullis.observe.telemetry.ObservedBody;
import portcullis.observe.telemetry.SafeUrl;
import portcullis.observe.tracing.Span;
import portcullis.observe.tracing.Trace;
import portcullis.observe.tracing.Tracer;

/**
 * A client that traces and measures its calls, from sending the request to the end of the response body, and propagates
 * the trace context to the server. Thread safe.
 */
public final class InstrumentedClient extends BaseClient {
  private final HttpClient inner;
  private final Optional<Tracer> tracer;
  private final Optional<ClientInstruments> instruments;

  public InstrumentedClient(HttpClient inner, Optional<Tracer> tracer, Optional<ClientInstruments> instruments) {
    this.inner = inner;
    this.tracer = tracer;
    this.instruments = instruments;
  }

  @Override
  public int places(WireRequest request) {
    return places(inner, request);
  }

  @Override
  public <T> HttpResponse<T> send(HttpRequest request, HttpResponse.BodyHandler<T> handler)
      throws IOException, InterruptedException {
    if (!(request instanceof WireRequest wire)) {
      return inner.send(request, handler);
    }
    Call call = started(wire);
    return observed(recorded(call, () -> inner.send(sent(wire, call), handler)), call);
  }

  @Override
  public AwaitedResponse begin(WireRequest request) throws IOException, InterruptedException {
    Call call = started(request);
    AwaitedResponse awaited = recorded(call, () -> begin(inner, sent(request, call)));
    return new AwaitedResponse() {
      @Override
      public boolean isQuiet() {
        return awaited.isQuiet();
      }

      @Override
      public boolean comes(int millis) {
        return awaited.comes(millis);
      }

      @Override
      public void whenComes(Runnable action) {
        awaited.whenComes(action);
      }

      @Override
      public HttpResponse<InputStream> get() throws IOException, InterruptedException {
        return observed(recorded(call, awaited::get), call);
      }
    };
  }

  private Call started(WireRequest request) {
    Optional<Span> span = tracer.map(t -> started(t, Methods.of(request.method())));
    span.filter(Span::recorded).ifPresent(s -> describe(s, request.parts()));
    URI origin = request.parts().origin();
    return new Call(Methods.of(request.method()), scheme(origin), origin.getHost(), port(origin),
        request.parts().length(), span, System.nanoTime());
  }

  private WireRequest sent(WireRequest request, Call call) {
    return call.span().isEmpty() ? request : propagating(request, tracer.orElseThrow(), call.span().get());
  }

  private interface Step<T> {
    T result() throws IOException, InterruptedException;
  }

  /** Does a part of a call, which ends if that fails. */
  private <T> T recorded(Call call, Step<T> step) throws IOException, InterruptedException {
    String error = "interrupted";
    try {
      T result = step.result();
      error = "";
      return result;
    } catch (IOException e) {
      error = type(e);
      throw e;
    } catch (RuntimeException e) {
      error = "invalid_request";
      throw e;
    } finally {
      if (!error.isEmpty()) {
        end(call, 0, "", error);
      }
    }
  }

  /** All that is kept of a call in progress, since its response may last for hours. */
  private record Call(String method, String scheme, String host, int port, long length, Optional<Span> span,
      long begin) {}

  /** Ends the call when the body is read or closed, or now for a response without a body stream. */
  @SuppressWarnings("unchecked") // an InputStream replaces an InputStream
  private <T> HttpResponse<T> observed(HttpResponse<T> response, Call call) {
    int status = response.statusCode();
    String version = response.version() == HttpClient.Version.HTTP_2 ? "2" : "1.1";
    if (response instanceof WireResponse wire && wire.tunnel().isEmpty()
        && response.body() instanceof InputStream body) {
      return (HttpResponse<T>) new ObservedResponse(response,
          ObservedBody.of(body, error -> end(call, status, version, error.map(InstrumentedClient::type).orElse(""))));
    }
    end(call, status, version, "");
    return response;
  }

  private static Span started(Tracer tracer, String name) {
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

  private static WireRequest propagating(WireRequest request, Tracer tracer, Span span) {
    WireRequest.Parts parts = request.parts();
    List<Field> lines = new ArrayList<>(parts.fields().size() + 3);
    parts.fields().stream().filter(field -> !tracer.propagates(field.name())).forEach(lines::add);
    span.propagationFields().forEach(lines::add);
    return new WireRequest(
        new WireRequest.Parts(parts.method(), parts.origin(), parts.target(), Fields.of(lines), parts.body(),
            parts.length(), parts.trailers(), parts.interim(), parts.headLimit(), parts.idleLimit()));
  }

  /**
   * Ends the span and records the metrics of a call.
   *
   * @param status 0 without a response
   * @param version of HTTP, empty without a response
   * @param error type of the error; empty for a call that ended with a status
   */
  private void end(Call call, int status, String version, String error) {
    long nanos = System.nanoTime() - call.begin();
    call.span().ifPresent(s -> {
      if (s.recorded()) {
        if (status > 0) {
          s.set("http.response.status_code", status);
          s.set("network.protocol.name", "http");
          s.set("network.protocol.version", version);
        }
        String type = error.isEmpty() && status >= 400 ? Integer.toString(status) : error;
        if (!type.isEmpty()) {
          s.failed(type);
        }
      }
      s.end();
    });
    instruments.ifPresent(i -> i.record(call.method(), status, call.host(), call.port(), call.scheme(), version, error,
        nanos, call.length()));
  }

  private static String scheme(URI origin) {
    return origin.getScheme().equals("h2c") ? "http" : origin.getScheme();
  }

  private static int port(URI origin) {
    return origin.getPort() > 0 ? origin.getPort() : scheme(origin).equals("https") ? 443 : 80;
  }

  private static String type(IOException e) {
    if (!(e instanceof ClientException failure)) {
      return e instanceof HttpTimeoutException ? "timeout" : "io";
    }
    return switch (failure) {
      case UnreachableException _ -> "unreachable";
      case ConnectTimeoutException _ -> "connect_timeout";
      case NoResponseException _ -> "no_answer";
      case ResponseTimeoutException _ -> "timeout";
      case InvalidResponseException _ -> "bad_answer";
      case ResponseBodyException _ -> "broken_body";
      case RequestBodyException _ -> "broken_request";
    };
  }
}
