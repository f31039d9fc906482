package portcullis.http.server;

import java.io.IOException;
import java.util.Optional;
import portcullis.http.message.Fields;
import portcullis.http.wire.MalformedMessageException;
import portcullis.http.wire.RequestHead;

/** Serves the requests of one connection of HTTP/1, one after the other, on the calling thread. */
final class Http1 {
  // any but CONNECT; those that clients know (RFC 9110, 15.5.6)
  private static final Fields ALLOWED = Fields.of("Allow", "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS");
  /** After so many requests, or one if the next is there already, other connections get the processor. */
  private static final int TURN = 4;

  private final Connection connection;
  private final ServerLimits limits;
  private final Dispatch dispatch;
  private final RejectionListener refusals;
  private final Http1Head heads;
  private int served;
  private Fields checkedFields = Fields.NONE;
  private Optional<RequestCheck> checked = Optional.empty();

  Http1(Connection connection, ServerLimits limits, Dispatch dispatch, RejectionListener refusals, DateHeader date) {
    this.connection = connection;
    this.limits = limits;
    this.dispatch = dispatch;
    this.refusals = refusals;
    this.heads = new Http1Head(date);
  }

  /**
   * Serves until the connection has no more to say, and closes it, unless it has become a tunnel that lasts, or its
   * exchange is paused.
   */
  void serve() throws IOException {
    serve(exchange());
  }

  private void serve(boolean goesOn) throws IOException {
    for (boolean more = goesOn; more; more = exchange()) {
      connection.endOnDrain(true);
      served++;
      boolean isNextThere = connection.input().hasBuffered();
      if (isNextThere || served % TURN == 0) {
        Thread.yield();
      }
      if (isNextThere) {
        connection.streams().timed().checkSlice();
        connection.pace().head();
      } else {
        connection.pace().another();
        connection.output().shrink();
      }
    }
    if (connection.lasting().isEmpty() && connection.paused().isEmpty()) {
      connection.close();
    }
  }

  /**
   * Goes on with an exchange that was paused, and serves what follows.
   *
   * @param late whether nothing came for too long
   */
  void resume(boolean late) throws IOException {
    Http1Response response = connection.paused().orElseThrow();
    boolean done = false;
    try {
      response.resume(late);
      done = true;
    } finally {
      if (!response.isPaused() || !done) {
        connection.pause(Optional.empty());
        response.over();
      }
    }
    if (connection.paused().isEmpty()) {
      serve(response.end());
    }
  }

  /** Answers invalid input and closes the connection. */
  void refuse(MalformedMessageException error) throws IOException {
    refuse(Optional.empty(), error);
    connection.close();
  }

  private boolean exchange() throws IOException {
    Optional<RequestHead> head = Optional.empty();
    RequestCheck check;
    try {
      head = RequestHead.read(connection.input(), limits.head());
      connection.endOnDrain(false);
      if (head.isEmpty()) {
        connection.drop();
        return false;
      }
      check = check(head.get());
    } catch (MalformedMessageException e) {
      refuse(head, e);
      return false;
    }
    RequestHead request = head.get();
    Http1Carrier carrier = new Http1Carrier(connection, request, check, limits, heads);
    dispatch.handle(request, request.minor() == 1 ? "HTTP/1.1" : "HTTP/1.0", connection, carrier);
    return connection.paused().isEmpty() && carrier.end();
  }

  // The same fields mean the same, except where the method or the form of the target matters. The target is its own.
  private RequestCheck check(RequestHead head) throws MalformedMessageException {
    boolean known = head.fields().equals(checkedFields) && checked.isPresent() && head.minor() == 1;
    if (known && head.target().charAt(0) == '/' && !head.method().equals("CONNECT")) {
      return checked.get().withTarget(head);
    }
    RequestCheck out = RequestCheck.of(head, limits.maxBodyBytes());
    if (head.minor() == 1) {
      checkedFields = head.fields();
      checked = Optional.of(out);
    }
    return out;
  }

  // A client that sent no request in time, or only a part of one when the server stopped, gets no answer.
  private void refuse(Optional<RequestHead> head, MalformedMessageException error) throws IOException {
    if (head.isEmpty() && (connection.pace().isBefore() || connection.isDraining())) {
      return;
    }
    refusals.refused(connection.peer(), head, error.status(), error.reason());
    RequestHead answered = head.orElse(new RequestHead("GET", "/", 1, Fields.NONE));
    heads.write(connection.output(), answered, error.status(), error.status() == 405 ? ALLOWED : Fields.NONE, 0, false);
    connection.output().flush();
  }
}
