package portcullis.observe.otel;

import java.util.List;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import portcullis.observe.telemetry.Log;

/** Forwards warnings of the SDK, which it limits to a few per minute, to our log. */
final class SdkLogHandler extends Handler {
  private static final SimpleFormatter FORMATTER = new SimpleFormatter();

  private final Log log;
  /** Referenced here, as unreferenced loggers are collected together with their settings. */
  private final List<Logger> loggers = List.of(Logger.getLogger("io.opentelemetry"));

  private SdkLogHandler(Log log) {
    this.log = log;
  }

  static SdkLogHandler install(Log log) {
    SdkLogHandler out = new SdkLogHandler(log);
    out.loggers.forEach(logger -> {
      logger.setUseParentHandlers(false);
      logger.addHandler(out);
    });
    return out;
  }

  @Override
  public void publish(LogRecord event) {
    // the caller of an exporter reports the failure again
    if (event.getLevel().intValue() >= Level.WARNING.intValue() && !"Exporter failed".equals(event.getMessage())) {
      String cause = event.getThrown() == null || event.getThrown().getMessage() == null ? ""
          : ": " + event.getThrown().getMessage();
      log.warn("OTEL Error", "_error", FORMATTER.formatMessage(event) + cause);
    }
  }

  @Override
  public void flush() {
    // the log flushes itself
  }

  @Override
  public void close() {
    loggers.forEach(logger -> logger.removeHandler(this));
  }
}
