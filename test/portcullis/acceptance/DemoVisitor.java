package portcullis.acceptance;

import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import portcullis.fixture.Await;

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
    return post(path, form.toString());
  }

  private HttpResponse<String> post(String path, String form) throws IOException, InterruptedException {
    return send("POST", path, HttpRequest.BodyPublishers.ofString(form));
  }

  private HttpResponse<String> send(String method, String path, HttpRequest.BodyPublisher body)
      throws IOException, InterruptedException {
    HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(home).resolve(path)).method(method, body)
        .header("Accept", accept).header("Sec-Fetch-Site", "none");
    if (!field.isEmpty()) {
      request.header(field, value);
    }
    return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
  }

  /** Goes the way of the login, by the provider's own address; the result has the session. */
  DemoVisitor signedInAs(String person) throws IOException, InterruptedException {
    return signedInAs(person, "/");
  }

  DemoVisitor signedInAs(String person, String returnTo) throws IOException, InterruptedException {
    HttpResponse<String> started = get("/.portcullis/login?return_to=" + returnTo);
    URI chosen = URI.create(location(started).orElseThrow());
    String back = location(post(chosen.resolve("/authorize").toString(), chosen.getRawQuery() + "&user=" + person))
        .orElseThrow();
    HttpResponse<String> done = with("Cookie", cookie(started, "__Host-portcullis-login")).get(back);
    if (!location(done).equals(Optional.of(returnTo))) {
      throw new AssertionError(done.statusCode() + " " + done.headers().map() + done.body());
    }
    return with("Cookie", cookie(done, "__Host-portcullis="));
  }

  private static String cookie(HttpResponse<?> answer, String prefix) {
    return answer.headers().allValues("Set-Cookie").stream().filter(set -> set.startsWith(prefix)).findFirst()
        .map(set -> set.substring(0, set.indexOf(';'))).orElseThrow();
  }

  /** With a token of the issuer. */
  DemoVisitor withTokenOf(String person) throws IOException, InterruptedException {
    return with("Authorization", "Bearer " + post("/token", "user", person).body());
  }

  /** Asks until the answer has that status, for half a minute at most. */
  void await(String path, int status) throws IOException, InterruptedException {
    Await.until(() -> get(path).statusCode() == status, () -> path + " never became " + status);
  }

  static Optional<String> location(HttpResponse<?> answer) {
    return answer.headers().firstValue("Location");
  }
}
