package portcullis.service;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.function.Supplier;
import portcullis.keys.PublishedKeys;
import portcullis.message.Answer;
import portcullis.message.Fields;
import portcullis.message.Incoming;
import portcullis.message.Refused;
import portcullis.message.Target;

/** What operators and upstreams ask the program itself: whether it is alive, and the keys that its tokens verify with. */
final class Management implements Layer.Handler {
  private static final String JSON = "application/json";

  private final Supplier<PublishedKeys> keys;

  Management(Supplier<PublishedKeys> keys) {
    this.keys = keys;
  }

  @Override
  public void handle(Transaction transaction) throws IOException {
    transaction.answer(switch (transaction.arrival()) {
      case Refused refused -> Answer.of(refused.status()).with("Connection", "close");
      case Incoming incoming -> answer(incoming);
    });
  }

  private Answer answer(Incoming incoming) {
    String path = incoming.target() instanceof Target.Resource resource ? resource.path() : "*";
    return switch (path) {
      case "/.well-known/health" -> get(incoming, Answer.of(200, JSON, "{\"status\":\"ok\"}"));
      case "/.well-known/jwks" -> get(incoming, keys(incoming));
      default -> Answer.of(404, "text/plain; charset=utf-8", "404 page not found\n");
    };
  }

  private static Answer get(Incoming incoming, Answer answer) {
    return incoming.method().equals("GET") ? answer : Answer.of(405).with("Allow", "GET");
  }

  private Answer keys(Incoming incoming) {
    PublishedKeys published = keys.get();
    boolean known = incoming.fields().all("If-None-Match").stream()
        .anyMatch(tags -> tags.equals("*") || tags.contains(published.etag()));
    if (known) {
      return Answer.of(304).with("ETag", published.etag());
    }
    return new Answer(200, Fields.of("Content-Type", JSON, "ETag", published.etag()),
        published.json().getBytes(StandardCharsets.UTF_8));
  }
}
