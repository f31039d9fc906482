package portcullis.serve.service;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Supplier;
import portcullis.http.client.AwaitedResponse;
import portcullis.http.client.BaseClient;
import portcullis.http.client.RequestBodyException;
import portcullis.http.message.ConnectionFields;
import portcullis.http.message.Content;
import portcullis.http.message.Field;
import portcullis.http.message.Fields;
import portcullis.http.message.Forwarding;
import portcullis.http.message.GrpcCall;
import portcullis.http.message.HasStatus;
import portcullis.http.message.NameSet;
import portcullis.http.message.PausableBody;
import portcullis.http.message.Response;
import portcullis.http.message.ResponseStatusException;
import portcullis.http.message.ResponseWriter;
import portcullis.http.message.Trailers;
import portcullis.http.message.TrustedProxies;
import portcullis.http.message.Tunnel;
import portcullis.http.message.ValidRequest;
import portcullis.http.message.WireExchange;
import portcullis.http.message.WireRequest;
import portcullis.http.message.WireResponse;
import portcullis.observe.telemetry.Level;
import portcullis.observe.telemetry.Log;
import portcullis.policy.decision.Decision;
import portcullis.policy.decision.ErrorResponses;
import portcullis.policy.mechanism.Failure;
import portcullis.policy.rule.Backend;
import portcullis.serve.stream.LiveStream;
import portcullis.serve.stream.StreamControl;
import portcullis.serve.stream.StreamKind;
import portcullis.serve.stream.StreamRegistry;

/** Sends allowed requests to their upstreams and the responses back, streaming both ways. Thread safe. */
final class Forwarder {
  private static final String WEBSOCKET = "websocket";
  /** For so many milliseconds a head waits for the first of its body. */
  private static final int HEAD_PATIENCE = 20;
  private static final String EVENT_STREAM = "text/event-stream";

  private final HttpClient client;
  private final ListenerSettings.Timeouts timeouts;
  private final NameSet stripped;
  private final TrustedProxies proxies;
  private final Optional<UpstreamShares> shares;
  private final StreamRegistry streams;
  private final ErrorResponses errors;
  private final Log log;
  private final Tunnels tunnels = new Tunnels();

  Forwarder(HttpClient client, ListenerSettings settings, ErrorResponses errors, StreamRegistry streams, Log log) {
    this.streams = streams;
    this.client = client;
    this.timeouts = settings.timeouts();
    this.stripped = settings.stripped();
    this.proxies = settings.proxies();
    this.shares = shares(settings);
    this.errors = errors;
    this.log = log;
  }

  /** Forwards a request; requires a decision that allows it. */
  void forward(Transaction transaction, Forwarding forwarding, Decision.Allow allow) throws IOException {
    Optional<Backend> backend = allow.rule().backend();
    try {
      if (backend.isEmpty()) {
        throw new Failure.Internal("No upstream reference defined");
      }
      Outgoing outgoing = Outgoing.of(forwarding, allow, backend.get(), stripped, transaction.id());
      if (log.isEnabled(Level.INFO)) {
        log.info("Forwarding request", "_method", forwarding.method(), "_upstream",
            outgoing.scheme() + "://" + outgoing.host());
      }
      send(transaction, forwarding, outgoing, backend.get(), allow);
    } catch (Failure failure) {
      transaction.markFailed(failure.report());
      transaction.answer(errors.of(failure, forwarding.fields()));
    } catch (ResponseStatusException refusal) {
      transaction.markFailed(refusal.getMessage());
      transaction.answer(Response.of(refusal.status()));
    }
  }

  private void send(Transaction transaction, Forwarding forwarding, Outgoing outgoing, Backend backend,
      Decision.Allow allow)
      throws IOException {
    ClientPresence presence = ClientPresence.of(transaction.exchange());
    transaction.forwarded(outgoing.fields());
    WireRequest request = request(transaction, forwarding, outgoing, backend, allow, presence);
    UpstreamShares.Place place = place(transaction, request);
    ForwardedRequest forwarded = new ForwardedRequest(transaction, allow, presence, streams,
        kind(transaction, outgoing));
    try {
      send(new Sent(transaction, forwarding.fields(), allow.state().response(), forwarded), request, place);
    } finally {
      LiveStream stream = forwarded.stream();
      transaction.atEnd(_ -> {
        place.close();
        stream.close();
      });
    }
  }

  private static StreamKind kind(Transaction transaction, Outgoing outgoing) {
    Optional<String> upgrade = outgoing.fields().first("Upgrade");
    if (upgrade.isPresent()) {
      return upgrade.get().equalsIgnoreCase(WEBSOCKET) ? StreamKind.WEBSOCKET : StreamKind.UPGRADE;
    }
    return GrpcCall.is(outgoing.fields()) && transaction.exchange().getProtocol().startsWith("HTTP/2")
        ? StreamKind.CALL
        : StreamKind.ANSWER;
  }

  /**
   * A request at its upstream, with what is needed once that responds.
   *
   * @param fields of the client's request
   * @param added to the response by its decision
   */
  private record Sent(Transaction transaction, Fields fields, List<Field> added, ForwardedRequest forwarded) {}

  private void send(Sent sent, WireRequest request, UpstreamShares.Place place) throws IOException {
    Optional<AwaitedResponse> awaited = during(sent, () -> begin(request, place));
    if (awaited.isEmpty()) {
      return;
    }
    if (sent.forwarded.presence().mayLeave(awaited.get(), sent.transaction.exchange())) {
      suspend(sent, awaited.get());
    } else {
      receive(sent, awaited.get());
    }
  }

  /** Gives up the thread until the upstream responds or fails, or the request is ended. */
  private void suspend(Sent sent, AwaitedResponse awaited) {
    ClientPresence presence = sent.forwarded.presence();
    sent.forwarded.stream().lasts();
    Runnable wake = sent.transaction.suspend(() -> {
      presence.resume();
      new Recovery(log).handle(sent.transaction, _ -> receive(sent, awaited));
    });
    try {
      presence.suspend(wake);
      awaited.whenComes(wake);
    } catch (RuntimeException | OutOfMemoryError e) {
      wake.run(); // a thread waits for it then
      Recovery.logError(log, e);
    }
  }

  private void receive(Sent sent, AwaitedResponse awaited) throws IOException {
    Optional<HttpResponse<InputStream>> response = during(sent, awaited::get);
    if (response.isEmpty()) {
      return;
    }
    WireResponse wire = WireResponse.of(response.get());
    InputStream body = sent.forwarded.presence().body(response.get().body());
    long length = ConnectionFields.contentLength(wire.fields()).orElse(-1);
    if (length != 0 && wire.tunnel().isEmpty()
        && during(sent, () -> sent.forwarded.presence().begun(body, HEAD_PATIENCE)).isEmpty()) {
      return; // nothing of the response has been sent
    }
    if (sent.forwarded.begin()) {
      answer(sent.transaction, response.get(), body, sent.added, sent.forwarded);
    } else {
      discard(response.get());
      sent.forwarded.refuse(sent.transaction, errors, sent.fields);
    }
  }

  /** Returns the result of a wait for the upstream; empty if it failed, and the request has been answered. */
  private <T> Optional<T> during(Sent sent, ClientPresence.Wait<T> wait) throws IOException {
    ForwardedRequest forwarded = sent.forwarded;
    try {
      return Optional.of(forwarded.presence().during(wait));
    } catch (InterruptedException _) {
      if (forwarded.begin()) {
        forwarded.failure().ifPresentOrElse(sent.transaction::markEnded, Thread.currentThread()::interrupt);
        sent.transaction.reply().abort();
      } else {
        forwarded.refuse(sent.transaction, errors, sent.fields);
      }
    } catch (IOException e) {
      if (forwarded.begin()) {
        failed(sent.transaction, sent.fields, e);
      } else {
        forwarded.refuse(sent.transaction, errors, sent.fields);
      }
    }
    return Optional.empty();
  }

  /** Gives up a response of which nothing has been passed on. */
  private static void discard(HttpResponse<InputStream> response) throws IOException {
    WireResponse.of(response).tunnel().ifPresent(Tunnel::close);
    response.body().close();
  }

  /** Returns an empty optional where nothing is to be shared, as then nothing is spent on it for each request. */
  private static Optional<UpstreamShares> shares(ListenerSettings settings) {
    int percent = settings.limits().peerShare();
    boolean isBounded = settings.upstreamLimits().maxConnections() < Integer.MAX_VALUE;
    return isBounded && percent > 0 && percent < 100
        ? Optional.of(new UpstreamShares(percent, settings.upstreamLimits().connect()))
        : Optional.empty();
  }

  /** Returns the place of a request in the share that its client has of the upstream. */
  private UpstreamShares.Place place(Transaction transaction, WireRequest request) {
    if (shares.isEmpty()) {
      return UpstreamShares.UNCOUNTED;
    }
    String upstream = request.parts().origin() + (request.parts().fields().has("Upgrade") ? " upgrade" : "");
    return shares.get().place(upstream, () -> BaseClient.places(client, request), () -> proxies
        .share(transaction.exchange().getRemoteAddress().getAddress(),
            WireExchange.of(transaction.exchange()).fields()));
  }

  private AwaitedResponse begin(WireRequest request, UpstreamShares.Place place)
      throws IOException, InterruptedException {
    boolean done = false;
    try {
      place.take();
      done = true;
    } finally {
      if (!done) {
        request.parts().body().close();
      }
    }
    return BaseClient.begin(client, request);
  }

  private WireRequest request(Transaction transaction, Forwarding forwarding, Outgoing outgoing, Backend backend,
      Decision.Allow allow, ClientPresence presence) {
    ValidRequest incoming = forwarding.incoming();
    NameSet protectedHeaders = allow.protectedHeaders().headers();
    Content body = allow.state().request().body().forwarded();
    URI origin = backend.origin(outgoing.scheme());
    boolean call = GrpcCall.is(outgoing.fields()) && transaction.exchange().getProtocol().startsWith("HTTP/2")
        && !origin.getScheme().equals("http"); // over HTTP/1.1 a silent one would occupy a connection of its own
    if (call) {
      WireExchange.of(transaction.exchange()).allowPauses();
    }
    return new WireRequest(new WireRequest.Parts(forwarding.method(), origin,
        outgoing.target(), outgoing.fields(), body.stream(), body.length().orElse(-1),
        () -> Trailers.passedOn(incoming.trailers().get(), protectedHeaders),
        (status, fields) -> presence.aside(() -> inform(transaction, status, fields)),
        call ? timeouts.idle() : timeouts.read(), timeouts.idle()));
  }

  private static void inform(Transaction transaction, int status, Fields fields) {
    try {
      transaction.reply().inform(status, ConnectionFields.endToEndOfResponse(fields));
    } catch (IOException _) {
      // the client has gone: the final answer will find out
    }
  }

  private void answer(Transaction transaction, HttpResponse<InputStream> response, InputStream body, List<Field> added,
      ForwardedRequest exchange) throws IOException {
    WireResponse wire = WireResponse.of(response);
    if (wire.tunnel().isPresent()) {
      tunnel(transaction, wire, added, exchange);
      return;
    }
    exchange.stream().becomes(kind(exchange.stream().kind(), wire.fields()));
    Fields fields = withOwn(transaction.withOwnHeaders(ConnectionFields.endToEndOfResponse(wire.fields())),
        added);
    long length = ConnectionFields.contentLength(wire.fields()).orElse(-1);
    Supplier<Fields> trailers = body instanceof PausableBody lasting ? lasting::trailers
        : () -> Trailers.passedOn(wire.trailers(), NameSet.EMPTY);
    ResponseWriter.End end = transaction.reply().stream(response.statusCode(), fields, length, body, trailers);
    switch (end) {
      case WHOLE -> {
      }
      case PAUSED -> exchange.pause(transaction);
      case SOURCE_FAILED, CLIENT_LEFT -> exchange.mark(transaction, end);
    }
  }

  /** Returns the fields of an upstream's response with those that the decision adds. */
  private static Fields withOwn(Fields fields, List<Field> added) {
    Fields out = fields;
    for (Field field : added) {
      out = out.with(field.name(), field.value());
    }
    return out;
  }

  /** Returns the kind of an exchange whose response has these fields. */
  private static StreamKind kind(StreamKind expected, Fields response) {
    boolean events = response.first("Content-Type")
        .filter(type -> type.toLowerCase(Locale.ROOT).startsWith(EVENT_STREAM)).isPresent();
    boolean call = expected == StreamKind.CALL;
    return call ? expected : events ? StreamKind.EVENTS : StreamKind.ANSWER;
  }

  private void tunnel(Transaction transaction, WireResponse response, List<Field> added,
      ForwardedRequest exchange) throws IOException {
    Tunnel upstream = response.tunnel().orElseThrow();
    try {
      Fields fields = transaction.withExplanation(
          RequestIds.replaced(ConnectionFields.endToEndOfResponse(response.fields()), transaction.id()));
      String protocol = response.fields().first("Upgrade").orElse("");
      Tunnel client = transaction.reply().upgrade(withOwn(fields, added).with("Upgrade", protocol));
      try {
        tunnel(transaction, client, upstream, protocol.equalsIgnoreCase(WEBSOCKET), exchange.stream());
      } finally {
        close(transaction, client);
      }
    } finally {
      close(transaction, upstream);
    }
  }

  /** One that outlasts this request's handler is closed at its end. */
  private static void close(Transaction transaction, Tunnel tunnel) {
    if (!transaction.outlasts()) {
      tunnel.close();
    }
  }

  private void tunnel(Transaction transaction, Tunnel client, Tunnel upstream, boolean isWebSocket, LiveStream stream)
      throws IOException {
    Afterwards afterwards = new Afterwards();
    Tunnels.Kind kind = new Tunnels.Kind(isWebSocket, new TunnelEnd());
    StreamControl control;
    if (client.isDirect() && upstream.isDirect()) {
      Tunnel.Direct near = client.direct();
      Tunnel.Direct far = upstream.direct();
      control = tunnels.relay(near, far, kind, timeouts.idle(),
          ended(stream, near.owner(), far.owner(), afterwards, kind.end()));
    } else {
      control = tunnels.copy(client, upstream, kind, timeouts.idle(),
          ended(stream, client.outlast(), upstream.outlast(), afterwards, kind.end()));
    }
    if (isWebSocket) {
      transaction.endsAs(kind.end());
    }
    transaction.outlast(afterwards);
    stream.becomes(isWebSocket ? StreamKind.WEBSOCKET : StreamKind.UPGRADE, control);
    transaction.reply().forget();
  }

  private static Runnable ended(LiveStream stream, Tunnel.Owner client, Tunnel.Owner upstream, Afterwards afterwards,
      TunnelEnd end) {
    return () -> {
      upstream.close();
      if (end.isIdle()) {
        stream.endedIdle();
      }
      afterwards.over(ForwardedRequest.failure(stream).orElseGet(() -> end.error(stream.isStopping())));
      client.close(); // the request counts as one of its client's until then
    };
  }

  private void failed(Transaction transaction, Fields request, IOException e) throws IOException {
    if (e instanceof RequestBodyException source) {
      int status = status(source.getCause());
      transaction.markFailed(switch (status) {
        case 408 -> "the request was not complete in time";
        case 413 -> "the body of the request is longer than allowed";
        default -> "the body of the request is broken";
      });
      transaction.answer(Response.of(status).with("Connection", "close"));
      return;
    }
    boolean silent = e instanceof HttpTimeoutException && !(e instanceof HttpConnectTimeoutException);
    Failure.Communication failure = new Failure.Communication("Failed to proxy request",
        Optional.ofNullable(e.getMessage()).orElse(e.getClass().getSimpleName()), silent);
    log.error("Proxying error", "_error", failure.report());
    transaction.markFailed(failure.report());
    transaction.answer(errors.ofUpstream(failure, request));
  }

  private static int status(Throwable error) {
    return error instanceof HasStatus answerable ? answerable.status() : 400;
  }
}
