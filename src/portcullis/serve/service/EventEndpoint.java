package portcullis.serve.service;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Semaphore;
import portcullis.http.message.Forwarding;
import portcullis.http.message.Query;
import portcullis.http.message.Response;
import portcullis.http.message.Target;
import portcullis.http.message.TrustedProxies;
import portcullis.http.message.ValidRequest;
import portcullis.lang.value.JsonText;
import portcullis.lang.value.Value;
import portcullis.observe.telemetry.Log;
import portcullis.policy.event.EventKind;
import portcullis.policy.event.EventReceiver;
import portcullis.policy.event.EventRefusal;

/**
 * Receives logout tokens (OpenID Connect Back-Channel Logout 1.0, 2.5) and security events that are pushed (RFC 8935)
 * at paths of the main service; other requests go on to its handler. Thread safe.
 */
final class EventEndpoint implements Layer.Handler {
  static final String LOGOUT = "/.well-known/backchannel-logout";
  static final String EVENTS = "/.well-known/security-events";

  private static final int LARGEST = 32 << 10;
  private static final int AT_ONCE = 64;
  private static final String FORM = "application/x-www-form-urlencoded";
  private static final String EVENT = "application/secevent+jwt";

  private final EventReceiver receiver;
  private final TrustedProxies proxies;
  private final Layer.Handler others;
  private final Log log;
  private final Semaphore places = new Semaphore(AT_ONCE);

  EventEndpoint(EventReceiver receiver, TrustedProxies proxies, Layer.Handler others, Log log) {
    this.receiver = receiver;
    this.proxies = proxies;
    this.others = others;
    this.log = log;
  }

  @Override
  public boolean decides() {
    return others.decides();
  }

  @Override
  public void handle(Transaction transaction) throws IOException {
    if (transaction.arrival() instanceof ValidRequest incoming
        && incoming.target() instanceof Target.Resource resource && isOurs(resource.path())
        && !Forwarding.namesResource(incoming, proxies)) {
      transaction.answer(answer(incoming, resource.path().equals(LOGOUT) ? EventKind.LOGOUT : EventKind.EVENT)
          .with("Cache-Control", "no-store").with("X-Content-Type-Options", "nosniff"));
    } else {
      others.handle(transaction);
    }
  }

  private static boolean isOurs(String path) {
    return path.equals(LOGOUT) || path.equals(EVENTS);
  }

  private Response answer(ValidRequest incoming, EventKind kind) throws IOException {
    if (!incoming.method().equals("POST")) {
      return Response.of(405).with("Allow", "POST");
    }
    try {
      return answer(kind, token(incoming, kind));
    } catch (EventRefusal e) {
      log.warn("Security event refused", "_error", e.getMessage(), "_client", incoming.client());
      return refused(kind, e);
    }
  }

  /** Takes a place only now that the token is there, so that clients that send slowly do not keep others out. */
  private Response answer(EventKind kind, String token) throws EventRefusal {
    if (!places.tryAcquire()) {
      throw new EventRefusal(EventRefusal.Code.UNAVAILABLE, "too many tokens at once");
    }
    try {
      EventReceiver.Outcome outcome = receiver.receive(kind, token);
      log.debug("Security event received", "_outcome", outcome.name().toLowerCase(Locale.ROOT));
      return accepted(kind, outcome);
    } finally {
      places.release();
    }
  }

  private static String token(ValidRequest incoming, EventKind kind) throws IOException, EventRefusal {
    String type = incoming.fields().joined("Content-Type").orElse("").replaceFirst(";.*", "").strip();
    if (!type.equalsIgnoreCase(kind == EventKind.LOGOUT ? FORM : EVENT)) {
      throw new EventRefusal(EventRefusal.Code.INVALID_REQUEST,
          "the content type is not " + (kind == EventKind.LOGOUT ? FORM : EVENT));
    }
    byte[] body;
    try (InputStream in = incoming.content().stream()) {
      body = in.readNBytes(LARGEST + 1);
    }
    if (body.length > LARGEST) {
      throw new EventRefusal(EventRefusal.Code.INVALID_REQUEST, "the request is longer than " + LARGEST + " bytes");
    }
    String text = new String(body, StandardCharsets.ISO_8859_1);
    return switch (kind) {
      case LOGOUT -> only(Query.parameters(text));
      case EVENT -> text.strip();
    };
  }

  private static String only(Map<String, List<String>> form) throws EventRefusal {
    List<String> all = form.getOrDefault("logout_token", List.of());
    if (all.size() != 1) {
      throw new EventRefusal(EventRefusal.Code.INVALID_REQUEST, "`logout_token` is missing or repeated");
    }
    return all.getFirst();
  }

  /** The response to a repeated event was lost (RFC 8935, 2.2); a repeated logout token has been replayed. */
  private static Response accepted(EventKind kind, EventReceiver.Outcome outcome) {
    return switch (kind) {
      case LOGOUT -> outcome == EventReceiver.Outcome.REPEATED
          ? refused(kind, new EventRefusal(EventRefusal.Code.INVALID_REQUEST, "the logout token was used before"))
          : Response.of(200);
      case EVENT -> Response.of(202);
    };
  }

  private static Response refused(EventKind kind, EventRefusal refusal) {
    boolean isBusy = refusal.code() == EventRefusal.Code.UNAVAILABLE;
    String code = isBusy ? "temporarily_unavailable" : refusal.code().name().toLowerCase(Locale.ROOT);
    Value.Dict body = kind == EventKind.EVENT
        ? new Value.Dict(Map.of("err", Value.of(code), "description", Value.of(refusal.getMessage())))
        : new Value.Dict(Map.of("error", Value.of(isBusy ? code : "invalid_request"), "error_description",
            Value.of(refusal.getMessage())));
    Response response = Response.of(isBusy ? 503 : 400, "application/json", JsonText.plain(body))
        .with("Content-Language", "en");
    return isBusy ? response.with("Retry-After", "10") : response;
  }
}
