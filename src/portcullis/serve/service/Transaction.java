package portcullis.serve.service;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsExchange;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import portcullis.background.BackgroundTask;
import portcullis.http.grpc.Code;
import portcullis.http.message.Field;
import portcullis.http.message.Fields;
import portcullis.http.message.IncomingRequest;
import portcullis.http.message.Response;
import portcullis.http.message.ResponseWriter;
import portcullis.http.message.WireExchange;
import portcullis.observe.telemetry.RequestId;
import portcullis.policy.decision.Decision;
import portcullis.policy.pipeline.Observer;
import portcullis.serve.debug.DebugToken;

/** One request in its passage through the layers, and its outcome. For the thread of the request. */
final class Transaction {
  private final HttpExchange exchange;
  private IncomingRequest arrival;
  private final Instant start;
  private final ResponseWriter reply;
  private Optional<Boolean> allowed = Optional.empty();
  private Optional<Decision> decision = Optional.empty();
  private boolean keepsDecision;
  private boolean refused;
  private boolean ended;
  private String subject = "";
  private String error = "";
  private List<Field> corsHeaders = List.of();
  private Optional<Field> id = Optional.empty();
  private Optional<Code> code = Optional.empty();
  private Optional<Code> callStatus = Optional.empty();
  private Observer observer = Observer.NONE;
  private Fields forwarded = Fields.NONE;
  private Optional<DebugToken> debugToken = Optional.empty();
  private Optional<Field> explanation = Optional.empty();
  private Optional<Afterwards> afterwards = Optional.empty();
  private Optional<TunnelEnd> tunnelEnd = Optional.empty();
  /** What is to be done once another thread has gone on with it. */
  private Optional<List<Runnable>> suspended = Optional.empty();

  /** @param arrival the parsed or refused request of the exchange */
  Transaction(HttpExchange exchange, IncomingRequest arrival, Instant start) {
    this.exchange = exchange;
    this.start = start;
    this.arrival = arrival;
    this.reply = ResponseWriter.to(exchange);
  }

  /** Lets the request outlast its handler. @param end gets what is to be done once it is over */
  void outlast(Afterwards end) {
    afterwards = Optional.of(end);
  }

  /** Sets where the end of the WebSocket is recorded that it becomes. */
  void endsAs(TunnelEnd end) {
    tunnelEnd = Optional.of(end);
  }

  /** Returns how its WebSocket ends; empty if it has become none. */
  Optional<TunnelEnd> tunnelEnd() {
    return tunnelEnd;
  }

  /** Returns whether it outlasts its handler: for hours perhaps, in which nothing is to be kept in vain. */
  boolean outlasts() {
    return afterwards.isPresent();
  }

  /**
   * Does something at the end of the request: now, on the way out of its handler, or once it is over where it outlasts
   * that.
   */
  void atEnd(Afterwards.End action) {
    if (suspended.isPresent()) {
      suspended.get().add(() -> atEnd(action));
    } else if (afterwards.isPresent()) {
      afterwards.get().add(action);
    } else {
      action.run(error);
    }
  }

  /**
   * Lets the handler return before there is a response; {@link #atReturn} then waits for another thread.
   *
   * @param rest run by that thread, with the id and the trace of the request
   * @return starts that thread, once the handler has returned; without effect later
   */
  Runnable suspend(WireExchange.Continuation rest) {
    List<Runnable> ends = new ArrayList<>(4);
    suspended = Optional.of(ends);
    return WireExchange.of(exchange).suspend(kept(() -> {
      suspended = Optional.empty();
      try {
        rest.run();
      } finally {
        ends.forEach(BackgroundTask::guarded);
      }
    }));
  }

  private static WireExchange.Continuation kept(WireExchange.Continuation work) {
    AtomicReference<Optional<IOException>> failure = new AtomicReference<>(Optional.empty());
    Runnable kept = RequestId.kept(() -> {
      try {
        work.run();
      } catch (IOException e) {
        failure.set(Optional.of(e));
      }
    });
    return () -> {
      kept.run();
      if (failure.get().isPresent()) {
        throw failure.get().get();
      }
    };
  }

  /** Keeps its decision and what was sent for {@link #atReturn}. */
  void keepDecision() {
    keepsDecision = true;
  }

  /** Keeps no more than another thread needs that goes on with it, which may be a long time off. */
  private void forget() {
    if (!keepsDecision) {
      decision = Optional.empty();
      forwarded = Fields.NONE;
    }
  }

  /** Returns whether the handler returns before there is a response. */
  boolean isSuspended() {
    return suspended.isPresent();
  }

  /** Does something on the way out of the handler: now, or once that is so for another thread that goes on with it. */
  void atReturn(Runnable action) {
    if (suspended.isPresent()) {
      suspended.get().add(action);
    } else {
      action.run();
    }
  }

  /** Releases what is counted of the request: now, or where it is kept for {@link #atReturn} then. */
  void atRelease(Runnable action) {
    if (keepsDecision) {
      atReturn(action);
    } else {
      action.run();
    }
  }

  /** Records that the handler has returned. */
  void returned() {
    if (suspended.isPresent()) {
      forget();
      suspended.get().add(this::returned);
    } else {
      afterwards.ifPresent(Afterwards::returned);
    }
  }

  HttpExchange exchange() {
    return exchange;
  }

  IncomingRequest arrival() {
    return arrival;
  }

  Instant start() {
    return start;
  }

  ResponseWriter reply() {
    return reply;
  }

  /** Returns the scheme of the connection. */
  String scheme() {
    return exchange instanceof HttpsExchange ? "https" : "http";
  }

  /** Returns the address of the client end of the connection. */
  String client() {
    return WireExchange.of(exchange).client();
  }

  /** Returns the observer of the decision. */
  Observer observer() {
    return observer;
  }

  void observeWith(Observer who) {
    observer = who;
  }

  /** Sends an answer of our own; an id that a rule has set stays. */
  void answer(Response answer) throws IOException {
    Fields identified = answer.fields().has(RequestIds.HEADER) ? answer.fields()
        : RequestIds.replaced(answer.fields(), id);
    reply.send(
        corsHeaders.isEmpty() && id.isEmpty() && explanation.isEmpty() ? answer
            : new Response(answer.status(), withCorsHeaders(withExplanation(identified)), answer.body()));
  }

  /** Sets the CORS headers of the response, which replace all others. */
  void setCorsHeaders(List<Field> fields) {
    corsHeaders = fields;
  }

  /** Sets the id of the request as a header, which its response has too. */
  void identify(Field header) {
    id = Optional.of(header);
  }

  /** Returns the id of the request as a header; empty if it has none that other programs know. */
  Optional<Field> id() {
    return id;
  }

  /** Replaces the request by a changed one. */
  void replace(IncomingRequest request) {
    arrival = request;
  }

  /** Returns the fields of an upstream's response with the id and the CORS headers set here instead of its own. */
  Fields withOwnHeaders(Fields fields) {
    return withCorsHeaders(withExplanation(RequestIds.replaced(fields, id)));
  }

  /** Returns the fields with the id of the explanation, if there is one. */
  Fields withExplanation(Fields fields) {
    return explanation.isEmpty() ? fields
        : fields.without(explanation.get().name()).with(explanation.get().name(), explanation.get().value());
  }

  /** Sets the valid debug token of the request. */
  void debugBy(DebugToken token) {
    debugToken = Optional.of(token);
  }

  /** Returns the valid debug token of the request; empty if it has none. */
  Optional<DebugToken> debugToken() {
    return debugToken;
  }

  /** Sets the id of the explanation as a header, which the response has too. */
  void explainedBy(Field header) {
    explanation = Optional.of(header);
  }

  private Fields withCorsHeaders(Fields fields) {
    if (corsHeaders.isEmpty()) {
      return fields;
    }
    List<Field> out = new ArrayList<>();
    fields.without(f -> f.name().toLowerCase(Locale.ROOT).startsWith("access-control-")).forEach(out::add);
    out.addAll(corsHeaders);
    return Fields.of(out);
  }

  /** Records the decision and its rule. */
  void decided(Decision made) {
    decision = Optional.of(made);
  }

  /** Records the fields of the request that is sent to the upstream. */
  void forwarded(Fields fields) {
    forwarded = fields;
  }

  /** Returns the fields of the request that was sent to the upstream; none if none was sent. */
  Fields forwarded() {
    return forwarded;
  }

  /** Returns the decision; empty if none was made. */
  Optional<Decision> decision() {
    return decision;
  }

  /** Records that the request was allowed. */
  void markAllowed(String subjectId) {
    allowed = Optional.of(true);
    subject = subjectId;
  }

  /** Records that the request was denied, and why. */
  void markDenied(String reason) {
    allowed = Optional.of(false);
    error = reason;
  }

  /** Records that the path of the request was refused, by its rule or without one, and why. */
  void markRefused(String reason) {
    markDenied(reason);
    refused = true;
  }

  /** Returns whether its path was refused. */
  boolean refused() {
    return refused;
  }

  /** Records what went wrong with a request, whether it was allowed or not. */
  void markFailed(String reason) {
    error = reason;
  }

  /** Records that it was ended by us, or by a client that left, before its response was whole, and why. */
  void markEnded(String reason) {
    error = reason;
    ended = true;
  }

  /** Returns the kind of its error, as the decision log has it, where the decision itself has none. */
  String errorKind() {
    return !allowed.orElse(false) ? "precondition_error" : ended ? "ended" : "upstream_error";
  }

  /** Records the status of a gRPC call; of a check, the code in its response. */
  void setCode(Code value) {
    code = Optional.of(value);
  }

  /** Records the status of a gRPC call; a check that was answered has status OK, whatever its response says. */
  void setCallStatus(Code status) {
    callStatus = Optional.of(status);
  }

  /** Returns the status of a gRPC call; empty for other requests and for calls without a response. */
  Optional<Code> callStatus() {
    return callStatus;
  }

  /** Returns the status of a gRPC call; empty for other requests and for calls without an answer. */
  Optional<Code> code() {
    return code;
  }

  /** Returns whether access was allowed; empty if nothing was decided. */
  Optional<Boolean> allowed() {
    return allowed;
  }

  String subject() {
    return subject;
  }

  String error() {
    return error;
  }
}
