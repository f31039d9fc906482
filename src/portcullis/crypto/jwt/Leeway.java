package portcullis.crypto.jwt;

import java.time.Duration;
import java.util.Optional;
import portcullis.config.Decoder;
import portcullis.config.Decoders;
import portcullis.config.Node;
import portcullis.lang.source.Problems;

/** By how much the clock of another service may differ: "usually no more than a few minutes" (RFC 7519, 4.1.4). */
public final class Leeway {
  private static final Duration MOST = Duration.ofMinutes(5);
  private static final String HINT = "at most 5m, as `10s`";

  private Leeway() {}

  /** Returns the decoder of a leeway of at most five minutes. */
  public static Decoder<Duration> bounded() {
    return Decoders.duration().then((time, node, problems) -> {
      if (time.compareTo(MOST) > 0) {
        problems.error(node.at(), node.path(), tooLong(), HINT);
        return Optional.empty();
      }
      return Optional.of(time);
    });
  }

  /** Returns the decoder of a leeway that heimdall has too, and does not bound: a longer one is a warning. */
  public static Decoder<Duration> unbounded() {
    return Decoders.duration().then((time, node, problems) -> {
      warn(time, node, problems);
      return Optional.of(time);
    });
  }

  private static void warn(Duration time, Node node, Problems problems) {
    if (time.compareTo(MOST) > 0) {
      problems.warning(node.at(), node.path(), tooLong(), HINT);
    }
  }

  private static String tooLong() {
    return "what has expired would be accepted for this time";
  }
}
