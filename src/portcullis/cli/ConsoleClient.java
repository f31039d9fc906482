package portcullis.cli;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import portcullis.crypto.keys.KeyMaterialException;
import portcullis.lang.source.FileFailure;
import portcullis.lang.source.TerminalText;

/** Requests what the console of a running service shows, with credentials that its steps accept. */
final class ConsoleClient implements AutoCloseable {
  private static final String CREDENTIALS = "--credentials";
  private static final int LARGEST = 64 << 10;

  /** The options of commands that use it. */
  static final List<Arguments.Option> OPTIONS = List.of(
      new Arguments.Option(CREDENTIALS, "", "FILE",
          "header fields that management.console.execute accepts, a line each, as `Authorization: Bearer …`; `-` for "
              + "standard input"),
      ManagementService.URL_OPTION, ManagementService.CONFIG_OPTION, ManagementService.PREFIX_OPTION,
      ManagementService.CA_OPTION);

  private final ManagementService service;
  private final List<String> fields;
  private final HttpClient client;

  private ConsoleClient(ManagementService service, List<String> fields, HttpClient client) {
    this.service = service;
    this.fields = fields;
    this.client = client;
  }

  /** Returns a client; empty if the configuration has errors, which are printed. */
  static Optional<ConsoleClient> of(Arguments arguments, Console console)
      throws Arguments.UsageException, KeyMaterialException {
    List<String> fields = credentials(arguments.value(CREDENTIALS));
    return ManagementService.of(arguments, console).map(service -> {
      HttpClient.Builder builder = HttpClient.newBuilder().connectTimeout(ManagementService.TIMEOUT);
      service.tls().ifPresent(builder::sslContext);
      return new ConsoleClient(service, fields, builder.build());
    });
  }

  private static List<String> credentials(Optional<String> file) throws Arguments.UsageException {
    if (file.isEmpty()) {
      return List.of();
    }
    try (InputStream in = file.get().equals("-") ? System.in : Files.newInputStream(Path.of(file.get()))) {
      return new String(in.readNBytes(LARGEST), StandardCharsets.UTF_8).lines().filter(line -> !line.isBlank())
          .toList();
    } catch (IOException e) {
      throw new Arguments.UsageException("cannot read `" + file.get() + "`: " + FileFailure.reason(e));
    } catch (InvalidPathException _) {
      throw new Arguments.UsageException("`" + CREDENTIALS + "` is not the path of a file: `" + file.get() + "`");
    }
  }

  String url() {
    return service.url();
  }

  /**
   * Returns the body of a response, to be closed.
   *
   * @param path below the path of the console, begins with a slash
   * @param type the media type that it has to have
   */
  InputStream open(String path, String type) throws ManagementClient.UnavailableException, Arguments.UsageException {
    try {
      HttpRequest.Builder request = HttpRequest
          .newBuilder(URI.create(service.url().replaceAll("/+$", "") + "/console" + path))
          .timeout(ManagementService.TIMEOUT);
      for (String line : fields) {
        int colon = line.indexOf(':');
        request.header(line.substring(0, Math.max(colon, 0)).strip(), line.substring(colon + 1).strip());
      }
      HttpResponse<InputStream> answer = client.send(request.build(), HttpResponse.BodyHandlers.ofInputStream());
      String received = answer.headers().firstValue("Content-Type").orElse("");
      if (answer.statusCode() == 200 && received.split(";", 2)[0].strip().equalsIgnoreCase(type)) {
        return answer.body();
      }
      answer.body().close();
      if (answer.statusCode() == 200) {
        throw new ManagementClient.UnavailableException(service.url() + " is not a management service: the type of its "
            + "answer is `" + TerminalText.of(received) + "`, `" + type + "` is expected");
      }
      throw new ManagementClient.UnavailableException(refusal(answer.statusCode()));
    } catch (IOException e) {
      throw new ManagementClient.UnavailableException(service.url() + ": " + ManagementService.reason(e));
    } catch (IllegalArgumentException _) {
      throw new Arguments.UsageException("the URL `" + service.url() + "` or a line of `" + CREDENTIALS
          + "` is invalid: as http://127.0.0.1:4457, and `Authorization: Bearer …`");
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      throw new ManagementClient.UnavailableException("interrupted");
    }
  }

  private String refusal(int status) {
    return service.url() + switch (status) {
      case 401 -> fields.isEmpty()
          ? " requires credentials: if it is the management service, give those that management.console.execute "
              + "accepts by `" + CREDENTIALS + "`"
          : " does not accept the credentials: if it is the management service, management.console.execute says which "
              + "it does";
      case 403 -> " refuses access: management.console.execute does not allow it, or the host is not one of "
          + "management.status_hosts";
      case 404 -> " has no console: set management.console.enabled";
      case 429 -> " refuses the credentials for now, after failed attempts or too many requests: try again later, or "
          + "end a lockout by `portcullis unlock " + LockCommands.LOCKOUT + " ADDRESS`";
      case 503 -> " takes no reader at the moment: it stops, or has too many readers of live pages";
      default -> " answered with status " + status;
    };
  }

  @Override
  public void close() {
    client.shutdownNow();
  }
}
