package portcullis.cli;

import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.TrustManager;
import portcullis.config.Enforcement;
import portcullis.crypto.keys.ClientTls;
import portcullis.crypto.keys.KeyEntry;
import portcullis.crypto.keys.KeyMaterialException;
import portcullis.crypto.keys.TrustStore;
import portcullis.lang.source.Problems;
import portcullis.lang.value.Json;
import portcullis.lang.value.JsonText;
import portcullis.lang.value.Value;
import portcullis.lang.value.ValueException;
import portcullis.serve.runtime.ConfigurationFile;
import portcullis.serve.runtime.EnvironmentOverrides;
import portcullis.serve.runtime.Settings;
import portcullis.serve.service.ListenerSettings;
import portcullis.serve.service.TlsSettings;

/** Requests the health of a running service from its management service. */
final class Health {
  private static final String CA = "--ca";
  private static final String ENDPOINT = "--endpoint";
  private static final String INSECURE = "--insecure";

  static final List<Arguments.Option> OPTIONS = List.of(
      new Arguments.Option(ENDPOINT, "-e", "URL", "of the management service, as http://127.0.0.1:4457"),
      new Arguments.Option(Flags.CONFIG, "-c", "FILE", "the configuration of the service, instead of a URL"),
      new Arguments.Option(Flags.PREFIX, "", "PREFIX", "of environment variables that override the configuration"),
      new Arguments.Option(CA, "", "FILE", "PEM file of the certificates to trust, instead of the system's"),
      new Arguments.Option("--output", "-o", "text|json|yaml", "output format"),
      new Arguments.Option(INSECURE, "", "", "not allowed: certificates are always verified, name one to trust by "
          + "`--ca`"));

  private static final Duration TIMEOUT = Duration.ofSeconds(10);

  private final Console console;

  Health(Console console) {
    this.console = console;
  }

  /** Where the management service is, and which certificates it may show; empty for those that the system trusts. */
  private record Place(String url, Optional<SSLContext> tls) {}

  int run(Arguments arguments) throws Arguments.UsageException {
    if (arguments.on(INSECURE)) {
      throw new Arguments.UsageException(
          "`health` has no `" + INSECURE + "`: nothing of the configuration is enforced, "
              + "and certificates are always verified; `" + Flags.CONFIG + " FILE` trusts that of the service itself, `"
              + CA
              + " FILE` those of an issuer");
    }
    String form = arguments.value("--output").orElse("text");
    try {
      Optional<Place> place = place(arguments);
      return place.isPresent() ? request(place.get(), form) : 1;
    } catch (KeyMaterialException e) {
      return failed(e.getMessage(), form);
    }
  }

  /** Empty if the configuration has errors, which are printed. */
  private Optional<Place> place(Arguments arguments) throws Arguments.UsageException, KeyMaterialException {
    Optional<String> url = arguments.value(ENDPOINT).filter(e -> !e.isBlank());
    Optional<SSLContext> trusted = Optional.empty();
    if (arguments.has(CA)) {
      trusted = Optional.of(trusting(arguments.value(CA).orElseThrow()));
    }
    if (url.isPresent()) {
      return Optional.of(new Place(url.get(), trusted));
    }
    if (!arguments.has(Flags.CONFIG)) {
      throw new Arguments.UsageException("name the management service by `--endpoint URL` or `--config FILE`");
    }
    Problems problems = new Problems();
    Optional<Settings> settings = new ConfigurationFile(arguments.value(Flags.CONFIG),
        EnvironmentOverrides.ofProcess(arguments.value(Flags.PREFIX)), Enforcement.NONE).settings(problems);
    if (settings.isEmpty()) {
      console.show(problems);
      return Optional.empty();
    }
    ListenerSettings management = settings.get().management();
    Optional<TlsSettings> tls = management.tls();
    if (tls.isPresent() && trusted.isEmpty()) {
      trusted = Optional.of(trusting(tls.get().keys(Instant.now())));
    }
    return Optional.of(new Place((tls.isPresent() ? "https://" : "http://") + reachable(management.host()) + ":"
        + management.port(), trusted));
  }

  /** Returns the host of a URL for a service that listens on this one. */
  private static String reachable(String host) {
    return switch (host) {
      case "", "0.0.0.0" -> "127.0.0.1";
      case "::", "[::]" -> "[::1]";
      default -> host.contains(":") && !host.startsWith("[") ? "[" + host + "]" : host;
    };
  }

  private static SSLContext trusting(String file) throws KeyMaterialException, Arguments.UsageException {
    try {
      return ClientTls.of(Optional.of(TrustStore.read(Path.of(file))), Optional.empty()).context();
    } catch (InvalidPathException _) {
      throw new Arguments.UsageException("`" + CA + "` is not the path of a file: `" + file + "`");
    }
  }

  /** Trusts exactly the certificates that the configuration has for the service, whatever hosts they name. */
  private static SSLContext trusting(List<KeyEntry> keys) {
    List<X509Certificate> own = keys.stream().flatMap(key -> key.chain().stream().limit(1)).toList();
    try {
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(null, new TrustManager[] {new PinnedCertificates(own)}, null);
      return context;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  private int request(Place place, String form) throws Arguments.UsageException {
    HttpClient.Builder builder = HttpClient.newBuilder().connectTimeout(TIMEOUT);
    place.tls.ifPresent(builder::sslContext);
    try (HttpClient client = builder.build()) {
      URI uri = URI.create(place.url.replaceAll("/+$", "") + "/.well-known/health");
      HttpResponse<String> answer = client.send(HttpRequest.newBuilder(uri).timeout(TIMEOUT).build(),
          HttpResponse.BodyHandlers.ofString());
      if (answer.statusCode() != 200) {
        return failed("unexpected status " + answer.statusCode() + " from " + uri, form);
      }
      return show(answer.body(), form);
    } catch (IOException e) {
      return failed(place.url + ": " + reason(e), form);
    } catch (IllegalArgumentException e) {
      throw new Arguments.UsageException("invalid URL `" + place.url + "`: use http:// or https://, a host and a port");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return 1;
  }

  /** Returns what kept the service from answering. */
  private static String reason(IOException error) {
    for (Throwable cause = error; cause != null; cause = cause.getCause()) {
      if (cause instanceof CertificateException) {
        return "certificate not trusted: " + cause.getMessage() + "; name its issuer's certificate by `" + CA
            + " FILE`, or the configuration of the service by `" + Flags.CONFIG + " FILE`";
      }
    }
    return switch (error) {
      case SSLException _ -> "no TLS connection: " + error.getMessage();
      case HttpTimeoutException _ -> "no answer within " + TIMEOUT.toSeconds() + " s";
      case ConnectException _ -> "no answer, connection refused";
      default -> "no answer" + (error.getMessage() == null ? "" : ": " + error.getMessage());
    };
  }

  private int show(String body, String form) {
    try {
      Value status = Json.read(body) instanceof Value.Dict d ? d.get("status").orElse(Value.NULL) : Value.NULL;
      if (!(status instanceof Value.Str text)) {
        return failed("the answer has no `status`", form);
      }
      console.say(switch (form) {
        case "json" -> body;
        case "yaml" -> "status: " + text.value();
        default -> text.value();
      });
      return 0;
    } catch (ValueException e) {
      return failed("the answer is not JSON", form);
    }
  }

  /** Reports the error in the output format, so that programs can read it too. */
  private int failed(String why, String form) {
    switch (form) {
      case "json" -> console.say(JsonText.plain(Value.dict("error", Value.of(why))));
      case "yaml" -> console.say("error: " + JsonText.plain(Value.of(why)));
      default -> console.complain(why);
    }
    return 1;
  }
}
