package portcullis.http.server;

import com.sun.net.httpserver.Authenticator;
import com.sun.net.httpserver.Filter;
import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import javax.net.ssl.SSLSession;
import portcullis.http.message.Fields;
import portcullis.http.message.WireExchange;
import portcullis.http.wire.MalformedMessageException;
import portcullis.http.wire.RequestHead;

/** Hands requests to their contexts' handlers, on the calling thread unless there is an executor. For any threads. */
final class Dispatch {
  private final Contexts contexts;
  private final RequestSlots slots;
  private final RejectionListener refusals;
  private volatile Optional<Executor> executor = Optional.empty();

  Dispatch(Contexts contexts, RequestSlots slots, RejectionListener refusals) {
    this.contexts = contexts;
    this.slots = slots;
    this.refusals = refusals;
  }

  /** Returns the number of requests in progress. */
  int requests() {
    return slots.count();
  }

  void executor(Optional<Executor> one) {
    executor = one;
  }

  Optional<Executor> executor() {
    return executor;
  }

  /**
   * Lets a request be handled to its end. Whatever its handler does, an answer has been begun afterwards or cannot be.
   */
  void handle(RequestHead head, String protocol, Connection connection, Carrier carrier) throws IOException {
    Optional<Context> context = contexts.find(head.target());
    if (context.isEmpty() || context.get().handler().isEmpty()) {
      carrier.respond(404, Fields.NONE, 0).close();
      return;
    }
    Exchange exchange = new Exchange(head, protocol, connection, carrier, context.get());
    RequestSlots.Slot slot = slots.take(connection.peer().getAddress(), head.fields());
    if (slot instanceof RequestSlots.Slot.Refused(String reason)) {
      refusals.refused(connection.peer(), Optional.of(head), 503, reason);
      refuse(exchange, 503);
      return;
    }
    try {
      run(exchange, context.get());
    } finally {
      returned(exchange, carrier, slot);
    }
  }

  private void returned(Exchange exchange, Carrier carrier, RequestSlots.Slot slot) {
    Optional<Exchange.Suspended> suspended = exchange.resume();
    if (suspended.isEmpty()) {
      carrier.afterwards(() -> slots.release(slot));
      return;
    }
    carrier.suspend(suspended.get().suspension(), () -> {
      try {
        guarded(exchange, suspended.get().rest());
      } finally {
        returned(exchange, carrier, slot);
      }
    });
  }

  private void run(Exchange exchange, Context context) throws IOException {
    Optional<Executor> other = executor;
    if (other.isEmpty()) {
      guarded(exchange, context);
      return;
    }
    CountDownLatch done = new CountDownLatch(1);
    try {
      other.get().execute(() -> {
        try {
          guarded(exchange, context);
        } finally {
          done.countDown();
        }
      });
      done.await();
    } catch (RejectedExecutionException e) {
      failed(exchange, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      exchange.abort();
    }
  }

  private void guarded(Exchange exchange, Context context) {
    guarded(exchange, () -> {
      HttpExchange seen = seen(exchange);
      if (context.authenticator().isEmpty() || isKnown(exchange, seen, context.authenticator().get())) {
        filtered(seen, context);
      }
    });
  }

  private void guarded(Exchange exchange, WireExchange.Continuation handling) {
    try {
      handling.run();
      if (exchange.isSuspended()) {
        return;
      }
      if (!exchange.isAnswered()) {
        throw new IOException("the handler returned without an answer");
      }
      exchange.end();
    } catch (MalformedMessageException e) {
      refusedBody(exchange, e);
    } catch (Throwable e) {
      failed(exchange, e);
    }
  }

  private static HttpExchange seen(Exchange exchange) {
    Optional<SSLSession> session = exchange.connection().session();
    return session.isPresent() ? new SecureExchange(exchange, session.get()) : exchange;
  }

  private static void filtered(HttpExchange exchange, Context context) throws IOException {
    List<Filter> filters = context.getFilters();
    if (filters.isEmpty()) {
      context.getHandler().handle(exchange);
    } else {
      new Filter.Chain(filters, context.getHandler()).doFilter(exchange);
    }
  }

  private static boolean isKnown(Exchange exchange, HttpExchange seen, Authenticator authenticator) throws IOException {
    switch (authenticator.authenticate(seen)) {
      case Authenticator.Success success -> exchange.principal(success.getPrincipal());
      case Authenticator.Failure failure -> exchange.sendResponseHeaders(failure.getResponseCode(), -1);
      case Authenticator.Retry retry -> exchange.sendResponseHeaders(retry.getResponseCode(), -1);
      default -> throw new IllegalStateException("an authenticator's result of an unknown kind");
    }
    return exchange.getPrincipal() != null;
  }

  // The client's error, which the handler did not answer itself.
  private void refusedBody(Exchange exchange, MalformedMessageException error) {
    if (exchange.isAnswered()) {
      exchange.abort();
      return;
    }
    refusals.refused(exchange.getRemoteAddress(), Optional.of(exchange.head()), error.status(), error.reason());
    refuse(exchange, error.status());
  }

  private void failed(Exchange exchange, Throwable error) {
    refusals.failed(exchange.getRemoteAddress(), exchange.head(), error);
    if (exchange.isAnswered()) {
      exchange.abort();
    } else {
      refuse(exchange, 500);
    }
  }

  private static void refuse(Exchange exchange, int status) {
    try {
      exchange.respond(status, Fields.of("Connection", "close"), 0);
    } catch (IOException e) {
      exchange.abort();
    }
  }
}
