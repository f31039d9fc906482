package portcullis.serve.service;

import java.util.Locale;
import java.util.Optional;
import portcullis.observe.telemetry.AccessEvent;

/** Records how a tunnel ended: by the side that was the first to end it, and what was wrong with it. Thread safe. */
final class TunnelEnd {
  /** The status of a close frame without one (RFC 6455, 7.1.5). */
  static final int NO_STATUS = 1005;
  private static final int NO_CLOSE_FRAME = 1006;
  private static final String IDLE = "nothing has passed for longer than `timeout.idle`";

  private Optional<Side> by = Optional.empty();
  private int status = NO_CLOSE_FRAME;
  private boolean idle;
  private String error = "";

  /** Who ends a tunnel. */
  enum Side {
    CLIENT, UPSTREAM, PORTCULLIS;

    String text() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** Records that a side has ended its output or has gone. */
  synchronized void endedBy(Side side) {
    by = by.or(() -> Optional.of(side));
  }

  /** Records that a close frame with this status has passed or is sent. */
  synchronized void closedBy(Side side, int code) {
    if (by.isEmpty()) {
      endedBy(side);
      status = code;
    }
  }

  /** Records that it is ended since nothing has passed for too long. */
  synchronized void endedIdle() {
    if (by.isEmpty()) {
      endedBy(Side.PORTCULLIS);
      idle = true;
      error = error.isEmpty() ? IDLE : error;
    }
  }

  /** Records a frame that is invalid. */
  synchronized void invalid(Side from, String why) {
    error = error.isEmpty() ? "invalid WebSocket frame from the " + from.text() + ": " + why : error;
  }

  synchronized boolean isIdle() {
    return idle;
  }

  /** Returns what was wrong; empty if nothing was. @param stops whether the service ends what no side has ended */
  synchronized String error(boolean stops) {
    boolean isBrokenOff = stops && by.orElse(Side.PORTCULLIS) == Side.PORTCULLIS;
    return error.isEmpty() && isBrokenOff ? ForwardedRequest.STOPPED : error;
  }

  /** Adds how a WebSocket ended. */
  synchronized void describe(AccessEvent event) {
    event.add("_ended_by", by.orElse(Side.PORTCULLIS).text()).add("_close_status", status);
  }
}
