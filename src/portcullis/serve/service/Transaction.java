package portcullis.serve.service;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsExchange;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import portcullis.http.grpc.Code;
import portcullis.http.message.AddressText;
import portcullis.http.message.Answer;
import portcullis.http.message.Arrival;
import portcullis.http.message.Field;
import portcullis.http.message.Fields;
import portcullis.http.message.Reply;
import portcullis.policy.decision.Decision;
import portcullis.policy.pipeline.Observer;

/** One request on its way through the layers, and what has become of it; for the request's thread. */
final class Transaction {
  private final HttpExchange exchange;
  private final Arrival arrival;
  private final Instant start;
  private final Reply reply;
  private Optional<Boolean> granted = Optional.empty();
  private Optional<Decision> decision = Optional.empty();
  private String subject = "";
  private String error = "";
  private List<Field> grants = List.of();
  private Optional<Code> code = Optional.empty();
  private Optional<Code> callStatus = Optional.empty();
  private Optional<String> requestId = Optional.empty();
  private Observer observer = Observer.NOBODY;

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
    return AddressText.ofPeer(exchange);
  }

  /** Returns the observer of the decision. */
  Observer observer() {
    return observer;
  }

  void watchedBy(Observer who) {
    observer = who;
  }

  void answer(Answer answer) throws IOException {
    reply.send(grants.isEmpty() ? answer : new Answer(answer.status(), granted(answer.fields()), answer.body()));
  }

  /** Sets the CORS headers of the answer, which replace all others. */
  void grant(List<Field> fields) {
    grants = fields;
  }

  /** The fields of an answer, with our grants in place of any that it has. */
  Fields granted(Fields fields) {
    if (grants.isEmpty()) {
      return fields;
    }
    List<Field> out = new ArrayList<>();
    fields.without(f -> f.name().toLowerCase(Locale.ROOT).startsWith("access-control-")).forEach(out::add);
    out.addAll(grants);
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
  void granted(String who) {
    granted = Optional.of(true);
    subject = who;
  }

  /** Notes that the request was not allowed, and why. */
  void denied(String why) {
    granted = Optional.of(false);
    error = why;
  }

  /** Notes what went wrong with a request, whether it was allowed or not. */
  void failed(String why) {
    error = why;
  }

  /** Notes the status of a gRPC call; of a check the code in its answer. */
  void called(Code told) {
    code = Optional.of(told);
  }

  /** Notes the status of a call of gRPC; of a check that was answered it is good, whatever the answer says. */
  void travelled(Code status) {
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
  Optional<Boolean> granted() {
    return granted;
  }

  /** What lines of the log on this request have in common; made when it is asked for first. */
  String requestId() {
    requestId = Optional
        .of(requestId.orElseGet(() -> HexFormat.of().toHexDigits(ThreadLocalRandom.current().nextLong())));
    return requestId.get();
  }

  /** The same where there are such lines. */
  Optional<String> knownRequestId() {
    return requestId;
  }

  String subject() {
    return subject;
  }

  String error() {
    return error;
  }
}
