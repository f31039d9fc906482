package portcullis.policy.rule;

import java.util.List;
import java.util.Optional;
import portcullis.config.Decoder;
import portcullis.config.Decoders;
import portcullis.config.Node;
import portcullis.config.PartialList;
import portcullis.lang.source.Problems;
import portcullis.policy.catalogue.Catalogue;
import portcullis.policy.mechanism.Mechanism;
import portcullis.policy.pipeline.Pipeline;
import portcullis.policy.pipeline.RuleSetVersion;
import portcullis.policy.pipeline.Step;

/**
 * The steps that decide who may use a service of this program itself, such as the console: those of a rule, without
 * finalizers, as nothing is forwarded.
 */
public final class AccessSteps {
  private static final Decoder<PartialList<StepDraft>> STEPS = StepDraft.list(
      List.of(StepDraft.AUTHENTICATOR, "authorizer", "contextualizer"), 1, RuleSetVersion.ALPHA4);

  private AccessSteps() {}

  /** Returns the section as it stands, for {@link #read}. */
  public static Decoder<Node> section() {
    return Decoders.node().described(STEPS.shape());
  }

  /**
   * Reads the steps; empty exactly if an error was added, now or when the definition of an authenticator was read.
   *
   * @param isOpen whether an authenticator that accepts everyone may be among them
   */
  public static Optional<Pipeline> read(Node section, boolean isOpen, Catalogue catalogue, Problems problems) {
    long before = problems.errors();
    Optional<PartialList<StepDraft>> steps = STEPS.decode(section, problems);
    Optional<Pipeline> built = steps.map(drafts -> new PipelineBuilder(catalogue, problems, new Interner(),
        RuleSetVersion.ALPHA4).build(drafts.items(), List.of(), Optional.empty()));
    if (problems.errors() > before) {
      return Optional.empty();
    }
    List<Step<Mechanism.Authenticator>> authenticators = built.orElseThrow().authenticators();
    boolean isNamed = steps.orElseThrow().items().stream()
        .anyMatch(step -> step.kind().equals(StepDraft.AUTHENTICATOR));
    if (authenticators.isEmpty() && !isNamed) {
      problems.error(section.at(), section.path(), "there is no authenticator", "begin with one, as in a rule");
    }
    authenticators.stream().filter(step -> !isOpen && step.mechanism().open()).findFirst()
        .ifPresent(step -> problems.error(section.at(), section.path(),
            "the authenticator `" + step.source() + "` admits everyone",
            "name one that requires credentials, or listen on `127.0.0.1` only"));
    authenticators.stream().filter(step -> step.mechanism().guessable()).map(Step::source).distinct()
        .forEach(name -> problems.warning(section.at(), section.path(),
            "the authenticator `" + name + "` accepts any number of wrong passwords",
            "give it a file of `users` and a `lockout`, or name another authenticator"));
    return problems.errors() > before || authenticators.isEmpty() ? Optional.empty() : built;
  }
}
