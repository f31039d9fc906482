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
import java.util.function.Consumer;
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
    WireRequest.Parts parts = request.parts();
    String method = Methods.of(parts.method());
    return new Call(this, method, parts, tracer.map(t -> started(t, method)), System.nanoTime());
  }

  private WireRequest sent(WireRequest request, Call call) {
    return call.span.isEmpty() ? request : propagating(request, tracer.orElseThrow(), call.span.get());
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
        call.end(error);
      }
    }
  }

  /** All that is kept of a call in progress, since its response may last for hours. For one thread at a time. */
  private static final class Call implements Consumer<Optional<IOException>> {
    private final InstrumentedClient client;
    private final String method;
    private final URI origin;
    private final String target;
    private final long length;
    private final Optional<Span> span;
    private final long begin;
    /** Empty without a response. */
    private String version = "";
    /** 0 without a response. */
    private int status;

    Call(InstrumentedClient client, String method, WireRequest.Parts parts, Optional<Span> span, long begin) {
      this.client = client;
      this.method = method;
      this.origin = parts.origin();
      this.target = parts.target();
      this.length = parts.length();
      this.span = span;
      this.begin = begin;
    }

    /** Ends with the response's body. */
    @Override
    public void accept(Optional<IOException> error) {
      end(error.map(InstrumentedClient::type).orElse(""));
    }

    /** @param error type of the error; empty for a call that ended with a status */
    void end(String error) {
      long nanos = System.nanoTime() - begin;
      span.ifPresent(s -> {
        if (s.recorded()) {
          describe(s, error);
        }
        s.end();
      });
      client.instruments.ifPresent(i -> i.record(method, status, origin.getHost(), port(origin), scheme(origin),
          version, error, nanos, length));
    }

    private void describe(Span ending, String error) {
      String scheme = scheme(origin);
      String authority = origin.getRawAuthority().substring(origin.getRawAuthority().lastIndexOf('@') + 1);
      ending.set("http.request.method", method);
      ending.set("server.address", origin.getHost());
      ending.set("server.port", port(origin));
      ending.set("url.scheme", scheme);
      ending.set("url.full", scheme + "://" + authority + SafeUrl.target(target));
      if (status > 0) {
        ending.set("http.response.status_code", status);
        ending.set("network.protocol.name", "http");
        ending.set("network.protocol.version", version);
      }
      String type = error.isEmpty() && status >= 400 ? Integer.toString(status) : error;
      if (!type.isEmpty()) {
        ending.failed(type);
      }
    }
  }

  /** Ends the call when the body is read or closed, or now for a response without a body stream. */
  @SuppressWarnings("unchecked") // an InputStream replaces an InputStream
  private static <T> HttpResponse<T> observed(HttpResponse<T> response, Call call) {
    call.status = response.statusCode();
    call.version = response.version() == HttpClient.Version.HTTP_2 ? "2" : "1.1";
    if (response instanceof WireResponse wire && wire.tunnel().isEmpty()
        && response.body() instanceof InputStream body) {
      return (HttpResponse<T>) new ObservedResponse(response, ObservedBody.of(body, call));
    }
    call.end("");
    return response;
  }

  private static Span started(Tracer tracer, String name) {
    return Trace.current().map(trace -> trace.call(name)).orElseGet(() -> tracer.root(name, Span.Kind.CLIENT));
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
