package portcullis.observe.otel;

import java.util.List;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import portcullis.observe.telemetry.Log;

/** Tells in our log what the SDK complains of; it says so itself at most a few times a minute. */
final class ExportFaults extends Handler {
  private static final SimpleFormatter FORMATTER = new SimpleFormatter();

  private final Log log;
  /** Held here, as the JVM forgets loggers that nobody holds, and what was set of them. */
  private final List<Logger> loggers = List.of(Logger.getLogger("io.opentelemetry"));

  private ExportFaults(Log log) {
    this.log = log;
  }

  static ExportFaults tellTo(Log log) {
    ExportFaults out = new ExportFaults(log);
    out.loggers.forEach(logger -> {
      logger.setUseParentHandlers(false);
      logger.addHandler(out);
    });
    return out;
  }

  @Override
  public void publish(LogRecord said) {
    // that an exporter failed is said again by who asked it to export
    if (said.getLevel().intValue() >= Level.WARNING.intValue() && !"Exporter failed".equals(said.getMessage())) {
      String cause = said.getThrown() == null || said.getThrown().getMessage() == null ? ""
          : ": " + said.getThrown().getMessage();
      log.warn("OTEL Error", "_error", FORMATTER.formatMessage(said) + cause);
    }
  }

  @Override
  public void flush() {
    // the log does
  }

  @Override
  public void close() {
    loggers.forEach(logger -> logger.removeHandler(this));
  }
}
