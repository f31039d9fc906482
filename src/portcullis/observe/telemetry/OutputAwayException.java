package portcullis.observe.telemetry;

import java.io.IOException;

/** An output that cannot be reached, and may be again: it has taken nothing, and lines for it are kept. */
public final class OutputAwayException extends IOException {
  private static final long serialVersionUID = 1;

  public OutputAwayException(String message, IOException cause) {
    super(message, cause);
  }
}
