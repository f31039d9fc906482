package portcullis.serve.service;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import portcullis.crypto.keys.PublishedKeys;
import portcullis.http.message.Fields;
import portcullis.http.message.RejectedRequest;
import portcullis.http.message.Response;
import portcullis.http.message.Target;
import portcullis.http.message.ValidRequest;
import portcullis.lang.value.JsonText;
import portcullis.lang.value.Value;
import portcullis.policy.mechanism.OwnEndpoints;
import portcullis.serve.stream.LiveStream;

/**
 * Serves the management endpoints: liveness, readiness, status, the key set of issued tokens and explanations, which
 * are read-only, locks, and the console.
 * The status, and the reasons why the program is not ready, are returned only to requests under a listed host name, so
 * that pages in a browser cannot read them.
 */
final class Management implements Layer.Handler {
  private static final String JSON = "application/json";

  private final Supplier<PublishedKeys> keys;
  private final StatusSource condition;
  private final List<String> statusHosts;
  private final Optional<LockEndpoint> locks;
  private final Optional<ConsoleEndpoint> console;
  private final Optional<ExplanationEndpoint> explanations;

  Management(Supplier<PublishedKeys> keys, StatusSource condition, List<String> statusHosts,
      ManagementEndpoints optional) {
    this.locks = optional.locks();
    this.console = optional.console();
    this.explanations = optional.explanations().map(ExplanationEndpoint::new);
    this.keys = keys;
    this.condition = condition;
    this.statusHosts = statusHosts;
  }

  @Override
  public void handle(Transaction transaction) throws IOException {
    switch (transaction.arrival()) {
      case RejectedRequest refused -> transaction.answer(Response.of(refused.status()).with("Connection", "close"));
      case ValidRequest incoming when console.isPresent() && isOfConsole(incoming) ->
        answer(transaction, console.get().answer(incoming));
      case ValidRequest incoming -> transaction.answer(answer(incoming));
    }
  }

  private static void answer(Transaction transaction, ConsoleEndpoint.Answer answer) throws IOException {
    switch (answer) {
      case ConsoleEndpoint.Whole(Response response) -> transaction.answer(response);
      case ConsoleEndpoint.Live live -> stream(transaction, live);
    }
  }

  private static void stream(Transaction transaction, ConsoleEndpoint.Live live) throws IOException {
    try (InputStream body = live.body(); LiveStream _ = live.registered().apply(transaction.reply()::abort)) {
      transaction.reply().stream(200, transaction.withOwnHeaders(live.fields()), -1, body, () -> Fields.NONE);
    }
  }

  /** Returns whether a request is for the console, or for the endpoints of mechanisms that decide who may use it. */
  private static boolean isOfConsole(ValidRequest incoming) {
    return incoming.target() instanceof Target.Resource resource && (resource.path().equals(ConsoleEndpoint.PATH)
        || resource.path().startsWith(ConsoleEndpoint.PATH + "/") || resource.path().startsWith(OwnEndpoints.PREFIX));
  }

  private Response answer(ValidRequest incoming) {
    String path = incoming.target() instanceof Target.Resource resource ? resource.path() : "*";
    return switch (path) {
      case "/.well-known/health" -> get(incoming, () -> Response.of(200, JSON, "{\"status\":\"ok\"}"));
      case "/.well-known/jwks" -> get(incoming, () -> keys(incoming));
      case "/live" -> get(incoming, () -> passing(200, Value.dict("status", Value.of("live"))));
      case "/ready" -> get(incoming, () -> ready(incoming));
      case "/status" -> get(incoming, () -> status(incoming));
      case "*" -> Response.of(200);
      case String lock when isLock(lock) -> StatusAccess.isAllowed(incoming, statusHosts)
          ? locks.orElseThrow().answer(incoming, lock)
          : unlisted();
      case String explanation when explanations.isPresent() && path.startsWith(ExplanationEndpoint.PATH) ->
        get(incoming, () -> StatusAccess.isAllowed(incoming, statusHosts)
            ? explanations.orElseThrow().answer(explanation)
            : unlisted());
      default -> Response.of(404, "text/plain; charset=utf-8", "404 page not found\n");
    };
  }

  private static Response get(ValidRequest incoming, Supplier<Response> answer) {
    return incoming.method().equals("GET") ? answer.get() : Response.of(405).with("Allow", "GET");
  }

  /** Returns a response that must not be cached. */
  private static Response passing(int status, Value.Dict document) {
    return Response.of(status, JSON, JsonText.plain(document)).with("Cache-Control", "no-store")
        .with("X-Content-Type-Options", "nosniff");
  }

  private Response ready(ValidRequest incoming) {
    List<String> unreadyReasons = condition.unreadyReasons();
    Map<String, Value> out = new LinkedHashMap<>();
    out.put("status", Value.of(unreadyReasons.isEmpty() ? "ready" : "not ready"));
    if (StatusAccess.isAllowed(incoming, statusHosts)) {
      out.put("reasons", Value.Array.ofStrings(unreadyReasons));
    }
    return passing(unreadyReasons.isEmpty() ? 200 : 503, new Value.Dict(out));
  }

  private Response status(ValidRequest incoming) {
    return StatusAccess.isAllowed(incoming, statusHosts)
        ? passing(200, condition.report().document(condition.unreadyReasons()))
        : unlisted();
  }

  private static Response unlisted() {
    return passing(403,
        Value.dict("error", Value.of("this host name or origin is not listed in management.status_hosts")));
  }

  private boolean isLock(String path) {
    return locks.isPresent() && (path.equals(LockEndpoint.PATH) || path.startsWith(LockEndpoint.PATH + "/"));
  }

  private Response keys(ValidRequest incoming) {
    PublishedKeys published = keys.get();
    boolean known = incoming.fields().all("If-None-Match").stream()
        .anyMatch(tags -> tags.equals("*") || tags.contains(published.etag()));
    if (known) {
      return Response.of(304).with("ETag", published.etag());
    }
    return new Response(200, Fields.of("Content-Type", JSON, "ETag", published.etag()),
        published.json().getBytes(StandardCharsets.UTF_8));
  }
}
