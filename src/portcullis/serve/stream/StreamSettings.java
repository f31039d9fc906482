package portcullis.serve.stream;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import portcullis.config.Decoder;
import portcullis.config.Decoders;
import portcullis.config.Key;

/**
 * The settings of long-lived exchanges.
 *
 * @param maxAge after which one is ended; empty for no limit
 */
public record StreamSettings(Optional<Duration> maxAge) {
  public static final StreamSettings DEFAULT = new StreamSettings(Optional.empty());

  public static Decoder<StreamSettings> decoder() {
    Key<Optional<Duration>> age = Key.optional("max_age", Decoders.duration(),
        "how long a WebSocket, a stream of events, a gRPC call or another response may last; by default without limit")
        .restricting();
    return Decoders.object("streams", List.of(age), p -> new StreamSettings(p.get(age).filter(one -> !one.isZero())));
  }
}
