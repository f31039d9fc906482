package portcullis.demo;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;
import portcullis.crypto.keys.KeyEntry;
import portcullis.crypto.keys.KeyMaterialException;
import portcullis.crypto.keys.KeyRing;

/** A world on free ports, and somebody who asks its services without a proxy between. */
final class Caller implements AutoCloseable {
  static final Path CONFIG = Path.of("config/demo.yaml");
  static final Path RULES = Path.of("rules/demo.yaml");

  final Addresses addresses;
  final World world;
  private final HttpClient client = HttpClient.newHttpClient();

  Caller() {
    try {
      addresses = Addresses.free();
      world = World.start(addresses, CONFIG, RULES);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** @param headers names and values in turn */
  HttpResponse<String> get(int port, String path, String... headers) {
    return send(request(port, path, headers));
  }

  HttpResponse<String> post(int port, String path, String body, String... headers) {
    return send(request(port, path, headers).POST(HttpRequest.BodyPublishers.ofString(body)));
  }

  private static HttpRequest.Builder request(int port, String path, String... headers) {
    HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path));
    return headers.length == 0 ? request : request.headers(headers);
  }

  private HttpResponse<String> send(HttpRequest.Builder request) {
    try {
      return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  /** The file of the key that the proxy signs with. */
  Path keyStore() {
    return Path.of(world.variables().get("PORTCULLIS_DEMO_KEY_STORE"));
  }

  KeyEntry proxyKey() {
    try {
      return KeyRing.parse(Files.readString(keyStore()), "", Instant.now()).first();
    } catch (IOException | KeyMaterialException e) {
      throw new IllegalStateException(e);
    }
  }

  static Optional<String> header(HttpResponse<?> answer, String name) {
    return answer.headers().firstValue(name);
  }

  @Override
  public void close() {
    client.shutdownNow();
    world.close();
  }
}
