package portcullis.policy.endpoint;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import portcullis.fixture.StubService;
import portcullis.lang.value.Value;

/**
 * One test of the corpus: questions one after the other, what is answered where they arrive, and whether they should.
 */
record HttpCacheRow(String suite, Value test) {
  private static final Duration PAUSE = Duration.ofSeconds(3);
  private static final DateTimeFormatter DATE = DateTimeFormatter.ofPattern("EEE, dd MMM uuuu HH:mm:ss 'GMT'",
      Locale.ENGLISH);
  private static final Set<String> DATES = Set.of("date", "expires", "last-modified", "if-modified-since");

  static List<Value> items(Value of, String name) {
    return of instanceof Value.Dict d && d.get(name).orElse(Value.NULL) instanceof Value.Array a ? a.items()
        : List.of();
  }

  static String text(Value of, String name) {
    return of instanceof Value.Dict d && d.get(name).orElse(Value.NULL) instanceof Value.Str t ? t.value() : "";
  }

  private static boolean is(Value of, String name) {
    return of instanceof Value.Dict d && Value.TRUE.equals(d.get(name).orElse(Value.NULL));
  }

  boolean is(String name) {
    return is(test, name);
  }

  String id() {
    return text(test, "id");
  }

  String kind() {
    return text(test, "kind").isEmpty() ? "required" : text(test, "kind");
  }

  /** Whether it is about an answer that is kept at all here. */
  boolean isGood() {
    return Set.of(200, 203, 204).contains(status(items(test, "requests").getFirst()));
  }

  private static int status(Value request) {
    List<Value> status = items(request, "response_status");
    return status.isEmpty() ? 200 : (int) ((Value.Int) status.getFirst()).value();
  }

  /** What it does wrong, if anything. */
  Optional<String> error() {
    AtomicReference<Value> current = new AtomicReference<>(Value.NULL);
    Setup setup = new Setup();
    try (setup;
        StubService stub = new StubService(
            receivedCalls -> answer(current.get(), receivedCalls, setup.clock.instant()))) {
      int step = 0;
      for (Value request : items(test, "requests")) {
        step++;
        current.set(request);
        Optional<String> error = error(setup, stub, request);
        if (error.isPresent()) {
          return Optional.of("request " + step + ": " + error.get());
        }
        setup.later(is(request, "pause_after") ? PAUSE : Duration.ZERO);
      }
    }
    return Optional.empty();
  }

  private static Optional<String> error(Setup setup, StubService stub, Value request) {
    int before = stub.receivedCalls().size();
    String query = text(request, "query_arg").isEmpty() ? "" : "?" + text(request, "query_arg");
    String method = text(request, "request_method").isEmpty() ? "GET" : text(request, "request_method");
    Endpoint endpoint = Setup
        .endpoint("{url: '" + stub.url("/x" + query) + "', method: " + method + ", http_cache: {enabled: true}}");
    try {
      EndpointRequest sent = endpoint.request(Value.Dict.EMPTY);
      fields(request, "request_headers", setup.clock.instant())
          .forEach(f -> sent.forward(f.getFirst(), f.getLast()));
      EndpointResponse reply = endpoint.send(sent, setup.caller);
      Optional<String> receivedCalls = receivedCalls(stub, before, text(request, "expected_type"));
      return receivedCalls.isPresent() ? receivedCalls : headers(reply, request, setup.clock.instant());
    } catch (CallFailure e) {
      return is(request, "disconnect") ? Optional.empty() : Optional.of(e.getMessage());
    }
  }

  private static Optional<String> receivedCalls(StubService stub, int before, String expected) {
    int calls = stub.receivedCalls().size() - before;
    boolean good = switch (expected) {
      case "cached" -> calls == 0;
      case "not_cached" -> calls == 1;
      case "etag_validated" -> calls == 1 && !stub.last().field("If-None-Match").isEmpty();
      case "lm_validated" -> calls == 1 && !stub.last().field("If-Modified-Since").isEmpty();
      default -> true;
    };
    return good ? Optional.empty() : Optional.of("expected " + expected + ", but calls: " + calls);
  }

  private static Optional<String> headers(EndpointResponse reply, Value request, Instant now) {
    for (Value one : items(request, "expected_response_headers")) {
      if (one instanceof Value.Array row && row.items().size() == 2) {
        String name = ((Value.Str) row.items().getFirst()).value();
        String got = String.join(", ", reply.headers().allValues(name));
        boolean relative = row.items().getLast() instanceof Value.Int && DATES.contains(name.toLowerCase(Locale.ROOT));
        if (!relative && !got.equals(value(name, row.items().getLast(), now))) {
          return Optional.of("expected " + row + ", got " + got);
        }
      }
    }
    return Optional.empty();
  }

  /** Names and values. */
  private static List<List<String>> fields(Value request, String which, Instant now) {
    List<List<String>> out = new ArrayList<>();
    for (Value one : items(request, which)) {
      List<Value> row = ((Value.Array) one).items();
      String name = ((Value.Str) row.getFirst()).value();
      out.add(List.of(name, value(name, row.get(1), now)));
    }
    return out;
  }

  /** Numbers in dates are seconds from now. */
  private static String value(String name, Value value, Instant now) {
    return switch (value) {
      case Value.Int n when DATES.contains(name.toLowerCase(Locale.ROOT)) ->
        DATE.format(now.plusSeconds(n.value()).atOffset(ZoneOffset.UTC));
      case Value.Int n -> Long.toString(n.value());
      case Value.Str t -> t.value();
      default -> "";
    };
  }

  private static String answer(Value request, StubService.ReceivedRequest receivedCalls, Instant now) {
    if (is(request, "disconnect")) {
      return "";
    }
    String[] lines = fields(request, "response_headers", now).stream().map(f -> f.getFirst() + ": " + f.getLast())
        .toArray(String[]::new);
    boolean confirms = text(request, "expected_type").endsWith("validated")
        && receivedCalls.fields().stream().anyMatch(f -> f.is("If-None-Match") || f.is("If-Modified-Since"));
    return StubService.answer(confirms ? 304 : status(request), text(request, "response_body"), lines);
  }
}
