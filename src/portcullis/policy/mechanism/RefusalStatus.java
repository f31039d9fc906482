package portcullis.policy.mechanism;

import java.util.Optional;
import portcullis.config.Decoder;
import portcullis.config.Decoders;

/** The status of a refusal in a configuration. */
public final class RefusalStatus {
  private static final int GOOD = 200;
  private static final int REDIRECTION = 300;

  private RefusalStatus() {}

  /** Returns the decoder of a status, which warns of one that lets the request pass. @param least the lowest one */
  public static Decoder<Integer> decoder(int least) {
    return Decoders.number(least, 599).then((code, node, problems) -> {
      if (code >= GOOD && code < REDIRECTION) {
        problems.warning(node.at(), node.path(), "with the status " + code + " a refused request passes where a proxy "
            + "asks the decision service", "write 400 or more where there is one");
      }
      return Optional.of(code);
    });
  }
}
