package portcullis.cli;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import portcullis.crypto.keys.KeyMaterialException;
import portcullis.lang.value.Json;
import portcullis.lang.value.Value;
import portcullis.lang.value.ValueException;

/** Requests documents from the management service that options or a configuration name. */
final class ManagementClient {
  private final Console console;

  ManagementClient(Console console) {
    this.console = console;
  }

  /** Thrown where the service does not respond as expected; an expected outcome, so without stack trace. */
  static final class UnavailableException extends Exception {
    private static final long serialVersionUID = 1;

    UnavailableException(String message) {
      super(message, null, false, false);
    }
  }

  /**
   * Returns the body of a response with status 200; empty if the configuration has errors, which are printed.
   *
   * @param path begins with a slash
   */
  Optional<String> get(Arguments arguments, String path) throws Arguments.UsageException, KeyMaterialException,
      UnavailableException {
    Optional<ManagementService> service = ManagementService.of(arguments, console);
    return service.isPresent() ? Optional.of(get(service.get(), path)) : Optional.empty();
  }

  private static String get(ManagementService service, String path) throws Arguments.UsageException,
      UnavailableException {
    HttpClient.Builder builder = HttpClient.newBuilder().connectTimeout(ManagementService.TIMEOUT);
    service.tls().ifPresent(builder::sslContext);
    try (HttpClient client = builder.build()) {
      URI uri = URI.create(service.url().replaceAll("/+$", "") + path);
      HttpResponse<String> answer = client.send(HttpRequest.newBuilder(uri).timeout(ManagementService.TIMEOUT).build(),
          HttpResponse.BodyHandlers.ofString());
      if (answer.statusCode() == 503 && !reasons(answer.body()).isEmpty()) {
        throw new UnavailableException("not ready: " + reasons(answer.body()));
      }
      if (answer.statusCode() != 200) {
        throw new UnavailableException("unexpected status " + answer.statusCode() + " from " + uri);
      }
      return answer.body();
    } catch (IOException e) {
      throw new UnavailableException(service.url() + ": " + ManagementService.reason(e));
    } catch (IllegalArgumentException e) {
      throw new Arguments.UsageException(
          "invalid URL `" + service.url() + "`: use http:// or https://, a host and a port");
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      throw new UnavailableException("interrupted");
    }
  }

  /** Returns what {@code /ready} names, joined by commas. */
  private static String reasons(String body) {
    try {
      Value reasons = Json.read(body) instanceof Value.Dict status ? status.get("reasons").orElse(Value.NULL)
          : Value.NULL;
      return reasons instanceof Value.Array(List<Value> items) ? items.stream()
          .map(reason -> reason instanceof Value.Str(String text) ? text : "").collect(Collectors.joining(", ")) : "";
    } catch (ValueException _) {
      return "";
    }
  }
}
