package portcullis.acceptance;

import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;

/**
 * Somebody who visits the demonstration, and is sent nowhere without wanting to; immutable.
 *
 * @param home the address that it has printed
 * @param accept what is wanted
 * @param credentials a header field by name and value; an empty name for none
 */
record DemoVisitor(HttpClient client, String home, String accept, String field, String value) {
  static DemoVisitor browser(HttpClient client, String home) {
    return new DemoVisitor(client, home, "text/html,application/xhtml+xml;q=0.9,*/*;q=0.8", "", "");
  }

  static DemoVisitor program(HttpClient client, String home) {
    return new DemoVisitor(client, home, "*/*", "", "");
  }

  DemoVisitor with(String name, String content) {
    return new DemoVisitor(client, home, accept, name, content);
  }

  HttpResponse<String> get(String path) throws IOException, InterruptedException {
    return send("GET", path, HttpRequest.BodyPublishers.noBody());
  }

  HttpResponse<String> send(String method, String path) throws IOException, InterruptedException {
    return send(method, path, HttpRequest.BodyPublishers.noBody());
  }

  /** @param pairs names and values in turn */
  HttpResponse<String> post(String path, String... pairs) throws IOException, InterruptedException {
    StringBuilder form = new StringBuilder();
    for (int i = 0; i < pairs.length; i += 2) {
      form.append(i == 0 ? "" : "&").append(pairs[i]).append('=')
          .append(URLEncoder.encode(pairs[i + 1], StandardCharsets.UTF_8));
    }
    return send("POST", path, HttpRequest.BodyPublishers.ofString(form.toString()));
  }

  private HttpResponse<String> send(String method, String path, HttpRequest.BodyPublisher body)
      throws IOException, InterruptedException {
    HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(home).resolve(path)).method(method, body)
        .header("Accept", accept);
    if (!field.isEmpty()) {
      request.header(field, value);
    }
    return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
  }

  /** Follows the login form's way; the result has the session. */
  DemoVisitor signedInAs(String person) throws IOException, InterruptedException {
    HttpResponse<String> answer = post("/login", "user", person);
    String cookie = answer.headers().firstValue("Set-Cookie").orElseThrow();
    return with("Cookie", cookie.substring(0, cookie.indexOf(';')));
  }

  /** With a token of the issuer. */
  DemoVisitor withTokenOf(String person) throws IOException, InterruptedException {
    return with("Authorization", "Bearer " + post("/token", "user", person).body());
  }

  /** Asks until the answer has that status, for half a minute at most. */
  void await(String path, int status) throws IOException, InterruptedException {
    long end = System.nanoTime() + Duration.ofSeconds(30).toNanos();
    while (get(path).statusCode() != status) {
      if (System.nanoTime() > end) {
        throw new AssertionError(path + " never became " + status);
      }
      Thread.sleep(20);
    }
  }

  static Optional<String> location(HttpResponse<?> answer) {
    return answer.headers().firstValue("Location");
  }
}
