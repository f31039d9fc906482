package portcullis.serve.service;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsExchange;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import portcullis.http.grpc.Code;
import portcullis.http.message.Answer;
import portcullis.http.message.Arrival;
import portcullis.http.message.Field;
import portcullis.http.message.Fields;
import portcullis.http.message.Reply;
import portcullis.http.message.WireExchange;
import portcullis.policy.decision.Decision;
import portcullis.policy.pipeline.Observer;

/** One request on its way through the layers, and what has become of it; for the request's thread. */
final class Transaction {
  private final HttpExchange exchange;
  private final Arrival arrival;
  private final Instant start;
  private final Reply reply;
  private Optional<Boolean> allowed = Optional.empty();
  private Optional<Decision> decision = Optional.empty();
  private String subject = "";
  private String error = "";
  private List<Field> corsHeaders = List.of();
  private Optional<Code> code = Optional.empty();
  private Optional<Code> callStatus = Optional.empty();
  private Observer observer = Observer.NONE;

  /** @param arrival of the exchange */
  Transaction(HttpExchange exchange, Arrival arrival, Instant start) {
    this.exchange = exchange;
    this.start = start;
    this.arrival = arrival;
    this.reply = Reply.to(exchange);
  }

  HttpExchange exchange() {
    return exchange;
  }

  Arrival arrival() {
    return arrival;
  }

  Instant start() {
    return start;
  }

  Reply reply() {
    return reply;
  }

  /** Of the connection. */
  String scheme() {
    return exchange instanceof HttpsExchange ? "https" : "http";
  }

  /** The address of the other end of the connection. */
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

  void answer(Answer answer) throws IOException {
    reply.send(
        corsHeaders.isEmpty() ? answer : new Answer(answer.status(), withCorsHeaders(answer.fields()), answer.body()));
  }

  /** Sets the CORS headers of the answer, which replace all others. */
  void setCorsHeaders(List<Field> fields) {
    corsHeaders = fields;
  }

  /** The fields of an answer, with our CORS headers in place of any that it has. */
  Fields withCorsHeaders(Fields fields) {
    if (corsHeaders.isEmpty()) {
      return fields;
    }
    List<Field> out = new ArrayList<>();
    fields.without(f -> f.name().toLowerCase(Locale.ROOT).startsWith("access-control-")).forEach(out::add);
    out.addAll(corsHeaders);
    return Fields.of(out);
  }

  /** Notes what was decided, and by which rule. */
  void decided(Decision made) {
    decision = Optional.of(made);
  }

  /** Returns what was decided; empty where nothing was. */
  Optional<Decision> decision() {
    return decision;
  }

  /** Notes that the request was allowed. */
  void markAllowed(String subjectId) {
    allowed = Optional.of(true);
    subject = subjectId;
  }

  /** Notes that the request was not allowed, and why. */
  void markDenied(String reason) {
    allowed = Optional.of(false);
    error = reason;
  }

  /** Notes what went wrong with a request, whether it was allowed or not. */
  void markFailed(String reason) {
    error = reason;
  }

  /** Notes the status of a gRPC call; of a check the code in its answer. */
  void setCode(Code value) {
    code = Optional.of(value);
  }

  /** Notes the status of a call of gRPC; of a check that was answered it is good, whatever the answer says. */
  void setCallStatus(Code status) {
    callStatus = Optional.of(status);
  }

  /** The status of a call of gRPC; empty where it was none, or had no answer. */
  Optional<Code> callStatus() {
    return callStatus;
  }

  /** Returns the status of a gRPC call; empty for other requests and for calls without an answer. */
  Optional<Code> code() {
    return code;
  }

  /** Returns whether access was allowed; empty where nothing was decided. */
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
