package portcullis.serve.runtime;

import java.util.List;
import java.util.Map;
import portcullis.observe.telemetry.Level;
import portcullis.observe.telemetry.Log;

/** Logs warnings at startup about settings that may surprise an operator. */
final class StartupWarnings {
  private static final List<String> OF_GO = List.of("GODEBUG", "GRPC_GO_LOG_VERBOSITY_LEVEL",
      "GRPC_GO_LOG_SEVERITY_LEVEL");

  private StartupWarnings() {}

  static void log(Settings.Logging logging, Map<String, String> environment, Log log) {
    if (!logging.accessLog()) {
      log.warn("Access events are not logged: log.access_log_enabled is false");
    }
    if (logging.level() == Level.TRACE) {
      log.warn("Log level trace: requests, responses and template " + "objects are logged in full, including secrets");
    }
    List<String> variables = OF_GO.stream().filter(environment::containsKey).toList();
    if (!variables.isEmpty()) {
      log.info("Variables of the Go runtime have no effect: " + "messages are logged at log level trace",
          "_variables", String.join(", ", variables));
    }
  }
}
