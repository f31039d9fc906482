package portcullis.serve.stream;

import java.time.Duration;
import java.util.Locale;

/** The kinds of exchanges with an upstream. */
public enum StreamKind {
  /** A connection after an upgrade that is not a WebSocket. */
  UPGRADE(Duration.ZERO),
  WEBSOCKET(Duration.ZERO),
  /** Server-sent events. */
  EVENTS(Duration.ZERO),
  /** A gRPC call; most of them are short. */
  CALL(Duration.ofSeconds(1)),
  /** Any other request with its response. */
  ANSWER(Duration.ofSeconds(10));

  private final Duration grace;

  StreamKind(Duration grace) {
    this.grace = grace;
  }

  /** Returns for how long one may last before it ends with its credential: it is short unless it lasts longer. */
  Duration grace() {
    return grace;
  }

  /** Returns the name in metrics, as {@code websocket}. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }
}
