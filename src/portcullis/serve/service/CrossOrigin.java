package portcullis.serve.service;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import portcullis.http.message.Field;
import portcullis.http.message.Fields;
import portcullis.http.message.Grammar;
import portcullis.http.message.Response;
import portcullis.http.message.ValidRequest;

/**
 * Adds the configured CORS headers (WHATWG Fetch, 3.2). Preflight requests are answered here, without evaluating rules;
 * CORS headers of upstreams are replaced.
 */
final class CrossOrigin implements Layer {
  private static final String ANY = "*";

  private final ListenerSettings.Cors settings;

  CrossOrigin(ListenerSettings.Cors settings) {
    this.settings = settings;
  }

  @Override
  public void handle(Transaction transaction, Handler next) throws IOException {
    if (!(transaction.arrival() instanceof ValidRequest incoming)) {
      next.handle(transaction);
      return;
    }
    Optional<String> wanted = incoming.fields().first("Access-Control-Request-Method");
    if (incoming.method().equals("OPTIONS") && wanted.isPresent()) {
      transaction.answer(new Response(204, Fields.of(preflight(incoming.fields(), wanted.get())), new byte[0]));
      return;
    }
    transaction.setCorsHeaders(actual(incoming));
    next.handle(transaction);
  }

  private List<Field> preflight(Fields request, String method) {
    List<Field> out = new ArrayList<>();
    out.add(new Field("Vary", "Origin, Access-Control-Request-Method, Access-Control-Request-Headers"));
    Optional<String> origin = allowedOrigin(request);
    Optional<String> headers = request.joined("Access-Control-Request-Headers");
    if (origin.isEmpty() || !isAllowed(method) || !headers.map(this::areAllowed).orElse(true)) {
      return out;
    }
    out.add(new Field("Access-Control-Allow-Origin", origin.get()));
    out.add(new Field("Access-Control-Allow-Methods", method));
    headers.ifPresent(names -> out.add(new Field("Access-Control-Allow-Headers", names)));
    credentials(origin.get(), out);
    if (settings.age().toSeconds() > 0) {
      out.add(new Field("Access-Control-Max-Age", Long.toString(settings.age().toSeconds())));
    }
    return out;
  }

  private List<Field> actual(ValidRequest incoming) {
    List<Field> out = new ArrayList<>();
    out.add(new Field("Vary", "Origin"));
    Optional<String> origin = allowedOrigin(incoming.fields());
    if (origin.isEmpty() || !isAllowed(incoming.method())) {
      return out;
    }
    out.add(new Field("Access-Control-Allow-Origin", origin.get()));
    if (!settings.exposed().isEmpty()) {
      out.add(new Field("Access-Control-Expose-Headers", String.join(", ", settings.exposed())));
    }
    credentials(origin.get(), out);
    return out;
  }

  /** Adds permission for credentials, never together with {@code *}: any page could use them. */
  private void credentials(String origin, List<Field> out) {
    if (settings.credentials() && !origin.equals(ANY)) {
      out.add(new Field("Access-Control-Allow-Credentials", "true"));
    }
  }

  /** Returns the allowed origin: the one of the request or {@code *}. */
  private Optional<String> allowedOrigin(Fields request) {
    List<String> origins = request.all("Origin");
    if (origins.size() != 1) {
      return Optional.empty();
    }
    if (settings.origins().contains(ANY)) {
      return Optional.of(ANY);
    }
    return settings.origins().stream().anyMatch(pattern -> fits(pattern, origins.getFirst()))
        ? Optional.of(origins.getFirst())
        : Optional.empty();
  }

  /** Matches an origin; a star stands for any characters, letter case is ignored. */
  private static boolean fits(String pattern, String origin) {
    String wanted = pattern.toLowerCase(Locale.ROOT);
    String got = origin.toLowerCase(Locale.ROOT);
    int star = wanted.indexOf('*');
    if (star < 0) {
      return wanted.equals(got);
    }
    String before = wanted.substring(0, star);
    String behind = wanted.substring(star + 1);
    return got.length() > before.length() + behind.length() && got.startsWith(before) && got.endsWith(behind);
  }

  private boolean isAllowed(String method) {
    return method.equals("OPTIONS") || settings.methods().contains(method);
  }

  private boolean areAllowed(String names) {
    List<String> simple = List.of("accept", "content-language", "origin");
    return settings.headers().contains(ANY)
        || Grammar.list(names).stream().allMatch(name -> simple.contains(name.toLowerCase(Locale.ROOT))
            || settings.headers().stream().anyMatch(name::equalsIgnoreCase));
  }
}
