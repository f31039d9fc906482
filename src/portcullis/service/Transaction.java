package portcullis.service;

import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.time.Instant;
import java.util.Optional;
import portcullis.message.Answer;
import portcullis.message.Arrival;
import portcullis.message.Reply;

/** One request on its way through the layers, and what has become of it; for the request's thread. */
final class Transaction {
  private final HttpExchange exchange;
  private final Arrival arrival;
  private final Instant start;
  private final Reply reply;
  private Optional<Boolean> granted = Optional.empty();
  private String subject = "";
  private String error = "";

  Transaction(HttpExchange exchange, Instant start) {
    this.exchange = exchange;
    this.start = start;
    this.arrival = Arrival.of(exchange);
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

  void answer(Answer answer) throws IOException {
    reply.send(answer);
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

  /** Whether access was granted; empty where nobody decided. */
  Optional<Boolean> granted() {
    return granted;
  }

  String subject() {
    return subject;
  }

  String error() {
    return error;
  }
}
