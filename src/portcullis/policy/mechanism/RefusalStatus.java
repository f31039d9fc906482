package portcullis.policy.mechanism;

import java.util.Optional;
import portcullis.config.Decoder;
import portcullis.config.Decoders;
import portcullis.lang.source.Problem;

/** The status of a refusal in a configuration. */
public final class RefusalStatus {
  private static final int GOOD = 200;
  private static final int REDIRECTION = 300;

  private static final String PASSES = " a refused request passes where a proxy asks the decision service";

  private RefusalStatus() {}

  /** Returns whether it is the warning of a status that lets a request pass. */
  public static boolean isWarning(Problem problem) {
    return !problem.isError() && problem.message().endsWith(PASSES);
  }

  /** Returns the decoder of a status, which warns of one that lets the request pass. @param least the lowest one */
  public static Decoder<Integer> decoder(int least) {
    return Decoders.number(least, 599).then((code, node, problems) -> {
      if (code >= GOOD && code < REDIRECTION) {
        problems.warning(node.at(), node.path(), "with the status " + code + PASSES,
            "write 400 or more where there is one");
      }
      return Optional.of(code);
    });
  }
}
