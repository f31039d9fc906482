package portcullis.cli;

import java.io.IOException;
import java.net.ConnectException;
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
import portcullis.serve.runtime.ConfigurationFile;
import portcullis.serve.runtime.EnvironmentOverrides;
import portcullis.serve.runtime.Settings;
import portcullis.serve.service.ListenerSettings;
import portcullis.serve.service.TlsSettings;

/**
 * A management service that a command calls.
 *
 * @param tls which certificates it may show; empty for those that the system trusts
 * @param key the file of the key of locks in its configuration; empty if that is not given, or has none
 */
record ManagementService(String url, Optional<SSLContext> tls, Optional<Path> key) {
  static final String CA = "--ca";
  private static final String ENDPOINT = "--endpoint";

  static final Arguments.Option URL_OPTION = new Arguments.Option(ENDPOINT, "-e", "URL",
      "of the management service, as http://127.0.0.1:4457");
  static final Arguments.Option CONFIG_OPTION = new Arguments.Option(Flags.CONFIG, "-c", "FILE",
      "the configuration of the service, instead of a URL");
  static final Arguments.Option PREFIX_OPTION = new Arguments.Option(Flags.PREFIX, "", "PREFIX",
      "of environment variables that override the configuration");
  static final Arguments.Option CA_OPTION = new Arguments.Option(CA, "", "FILE",
      "PEM file of the certificates to trust, instead of the system's");
  static final Duration TIMEOUT = Duration.ofSeconds(10);

  /** Returns the service; empty if the configuration has errors, which are printed. */
  static Optional<ManagementService> of(Arguments arguments, Console console)
      throws Arguments.UsageException, KeyMaterialException {
    Optional<String> url = arguments.value(ENDPOINT).filter(e -> !e.isBlank());
    Optional<SSLContext> trusted = Optional.empty();
    if (arguments.has(CA)) {
      trusted = Optional.of(trusting(arguments.value(CA).orElseThrow()));
    }
    if (url.isPresent()) {
      return Optional.of(new ManagementService(url.get(), trusted, Optional.empty()));
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
    return Optional.of(new ManagementService(
        (tls.isPresent() ? "https://" : "http://") + reachable(management.host()) + ":"
            + management.port(),
        trusted,
        management.get(ListenerSettings.LOCKS).keyFile().map(file -> Path.of(file.text()))));
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

  /** Returns what kept the service from answering. */
  static String reason(IOException error) {
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
}
