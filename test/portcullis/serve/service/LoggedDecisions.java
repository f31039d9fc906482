package portcullis.serve.service;

import java.io.IOException;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import portcullis.config.Yaml;
import portcullis.http.client.ClientLimits;
import portcullis.http.client.WireClient;
import portcullis.lang.source.Problems;
import portcullis.lang.source.SourceFile;
import portcullis.observe.client.AnswerRecorder;
import portcullis.observe.decisions.DecisionLog;
import portcullis.observe.decisions.DecisionLogSettings;
import portcullis.observe.decisions.SharedAnswers;
import portcullis.observe.tracing.Tracer;

/** The decision log of a service in a test. */
final class LoggedDecisions {
  private final Path file;
  private final String mechanisms;
  private final String rules;
  private final Optional<Tracer> tracer;

  LoggedDecisions(Path folder, String mechanisms, String rules) {
    this(folder, mechanisms, rules, Optional.empty());
  }

  LoggedDecisions(Path folder, String mechanisms, String rules, Optional<Tracer> tracer) {
    this.tracer = tracer;
    this.file = folder.resolve("decisions.log");
    this.mechanisms = mechanisms;
    this.rules = rules;
  }

  /**
   * The lines after these requests, each over a connection of its own.
   *
   * @param proxy whether the service is the proxy rather than the decision service
   * @param settings of the log besides its file
   */
  List<String> lines(boolean proxy, String settings, String... requests) throws Exception {
    return lines(settings, (services, setup, client) -> send(services, proxy ? Optional.of(client) : Optional.empty(),
        setup, requests));
  }

  /** The lines after checks of these paths, as Envoy calls for them. */
  List<String> checked(String settings, String... paths) throws Exception {
    return lines(settings, (services, setup, _) -> {
      Listener listener = services.envoy(ListenerSettings.defaults(0), Optional.empty(), setup.decider(), () -> true);
      try (EnvoyCaller envoy = new EnvoyCaller(listener.port())) {
        for (String path : paths) {
          envoy.check(path);
        }
      } finally {
        listener.stop(Duration.ofSeconds(5));
      }
    });
  }

  private interface Use {
    void of(Services services, DeciderSetup setup, HttpClient client) throws Exception;
  }

  private List<String> lines(String settings, Use use) throws Exception {
    Problems problems = new Problems();
    String text = "file: {path: \"" + file + "\"}\n" + settings;
    try (WireClient client = new WireClient(ClientLimits.DEFAULT, SSLContext.getDefault())) {
      DeciderSetup setup = new DeciderSetup(new AnswerRecorder(client, new SharedAnswers()), mechanisms, rules);
      DecisionLogSettings read = Yaml.read(new SourceFile("c.yaml", text), problems)
          .flatMap(node -> DecisionLogSettings.decoder().decode(node, problems))
          .orElseThrow(() -> new AssertionError(problems.sorted().toString()));
      try (DecisionLog log = DecisionLog.start(read, setup.log(), InstantSource.system(), problems).orElseThrow()) {
        use.of(new Services(new TelemetrySinks(tracer, Optional.empty(), Optional.of(log)), setup.log(),
            InstantSource.system()), setup, client);
      }
    }
    return Files.readAllLines(file).stream().sorted(Comparator.comparing(LoggedDecisions::begun)).toList();
  }

  /** A client may have a response, and send the next request, before the line of the first is written. */
  private static Instant begun(String line) {
    return Instant.parse(line.substring("{\"time\":\"".length(), line.indexOf('Z') + 1));
  }

  private static void send(Services services, Optional<HttpClient> proxy, DeciderSetup setup, String... requests)
      throws IOException {
    ListenerSettings.Cors cors = new ListenerSettings.Cors(List.of("https://shop.test"), List.of("GET"), List.of(),
        List.of(), false, Duration.ZERO);
    ListenerSettings listening = ListenerSettings.defaults(0).with(ListenerSettings.CORS, Optional.of(cors));
    Listener listener = proxy.isPresent()
        ? services.proxy(listening, Optional.empty(), setup.decider(), proxy.get())
        : services.decision(listening, Optional.empty(), setup.decider());
    try {
      for (String request : requests) {
        OneRequest.answer(listener.port(), request);
      }
    } finally {
      listener.stop(Duration.ofSeconds(5));
    }
  }
}
