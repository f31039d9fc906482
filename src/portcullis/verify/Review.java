package portcullis.verify;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Sorts out findings that were reviewed and accepted, and reports exceptions that are for no finding. */
final class Review {
  static final String STALE = "stale-exception";

  private Review() {}

  /**
   * A finding that was accepted.
   *
   * @param reason as the exception gives it
   */
  record Accepted(Finding finding, String reason) {}

  /** What is left of findings. */
  record Result(List<Finding> findings, List<Accepted> accepted) {}

  /** @param kinds that were looked for: exceptions for others cannot be found stale */
  static Result of(List<Finding> findings, Intents intents, Set<String> kinds) {
    List<Finding> left = new ArrayList<>();
    List<Accepted> accepted = new ArrayList<>();
    Set<Intents.Accepted> used = new LinkedHashSet<>();
    for (Finding finding : findings) {
      Optional<Intents.Accepted> exception = intents.exceptions().stream().filter(e -> e.isFor(finding)).findFirst();
      exception.ifPresentOrElse(e -> accepted.add(new Accepted(finding, e.reason())), () -> left.add(finding));
      exception.ifPresent(used::add);
    }
    intents.exceptions().stream().filter(e -> !used.contains(e))
        .filter(e -> !e.kind().isEmpty() && kinds.contains(e.kind())).map(Review::stale).forEach(left::add);
    return new Result(left, accepted);
  }

  private static Finding stale(Intents.Accepted exception) {
    return new Finding(STALE, Finding.Severity.NOTE, STALE + "/" + exception.id(),
        AnalyzedRules.shown(exception.at()), "", "there is no finding `" + exception.id() + "` any more: remove the "
            + "exception",
        "", List.of("reason   " + exception.reason()));
  }
}
