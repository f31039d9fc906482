package portcullis.rule;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import portcullis.catalogue.Catalogue;
import portcullis.config.Decoder;
import portcullis.config.Decoders;
import portcullis.config.Key;
import portcullis.config.Node;
import portcullis.config.Parts;
import portcullis.config.Shape;
import portcullis.config.Substituted;
import portcullis.config.Substitution;
import portcullis.config.Yaml;
import portcullis.mechanism.Mechanism;
import portcullis.pipeline.Pipeline;
import portcullis.pipeline.Step;
import portcullis.route.Conditions;
import portcullis.route.Entry;
import portcullis.route.Route;
import portcullis.route.RouteSet;
import portcullis.source.Origin;
import portcullis.source.Problems;
import portcullis.source.SourceFile;

/** Makes rules of what is written, with a catalogue and a default rule; thread safe. */
public final class RuleReader {
  private static final String VERSION = "1alpha4";
  private static final Key<List<StepDraft>> EXECUTE = Key.required("execute", StepDraft.list(StepDraft.EXECUTE, 0), "the steps");
  private static final Key<List<StepDraft>> ON_ERROR = Key.standard("on_error", StepDraft.list(StepDraft.ON_ERROR, 0), List.of(),
      "what answers failures");
  private static final Decoder<Parts> STANDARD = Decoders.object("the default rule", List.of(EXECUTE, ON_ERROR), p -> p);

  private final Catalogue catalogue;
  private final Optional<Pipeline> base;
  private final Decoder<List<RuleDraft>> file;
  private final Optional<Map<String, String>> environment;

  /**
   * @param base the default rule's pipeline, if there is one
   * @param needsBackend whether every rule has to name an upstream
   * @param environment variables that are filled in, where that is wanted
   */
  public RuleReader(Catalogue catalogue, Optional<Pipeline> base, boolean needsBackend, Optional<Map<String, String>> environment) {
    this.catalogue = catalogue;
    this.base = base;
    this.environment = environment;
    this.file = file(RuleDraft.decoder(needsBackend, catalogue.tools().enforcement().upstreamTls()));
  }

  private RuleReader(RuleReader other, Optional<Map<String, String>> environment) {
    this.catalogue = other.catalogue;
    this.base = other.base;
    this.file = other.file;
    this.environment = environment;
  }

  /** The same that takes texts as they are. */
  public RuleReader withoutVariables() {
    return new RuleReader(this, Optional.empty());
  }

  /** What a rule set looks like. */
  public static Shape shape() {
    return file(RuleDraft.decoder(false, false)).shape();
  }

  private static Decoder<List<RuleDraft>> file(Decoder<RuleDraft> rule) {
    Key<String> version = Key.required("version", Decoders.anyScalar(), "the format, `1alpha4`");
    Key<Optional<String>> name = Key.optional("name", Decoders.anyScalar(), "a name for messages");
    Key<List<RuleDraft>> rules = Key.required("rules", Decoders.list(rule, 1), "the rules");
    return Decoder.of(Decoders.object("a rule set", List.of(version, name, rules), p -> p).shape(), (node, problems) ->
        supported(node, problems) ? Decoders.object("a rule set", List.of(version, name, rules), parts -> parts.get(rules))
            .decode(node, problems) : Optional.empty());
  }

  /** Another version has other keys: naming them all would not help. */
  private static boolean supported(Node root, Problems problems) {
    Optional<Node> version = root instanceof Node.Mapping m ? m.get("version") : Optional.empty();
    if (version.isPresent() && version.get() instanceof Node.Scalar s && !s.text().equals(VERSION)) {
      problems.error(s.at(), s.path(), "unsupported rule set version `" + Decoders.shortened(s.text()) + "`", "`" + VERSION + "` is right");
      return false;
    }
    return true;
  }

  /**
   * The rules of a file; empty where the file holds none, as an empty one, or where an error was added.
   *
   * @param source where it comes from, by which the set is known
   */
  public Optional<RouteSet<Rule>> read(String source, SourceFile text, Problems problems) {
    long before = problems.errors();
    Optional<RouteSet<Rule>> set = filled(text, problems).flatMap(t -> Yaml.read(t, problems)).flatMap(root -> file.decode(root, problems))
        .map(drafts -> new RouteSet<>(source, built(source, drafts, problems)));
    return problems.errors() > before ? Optional.empty() : set;
  }

  private Optional<Substituted> filled(SourceFile text, Problems problems) {
    return environment.isEmpty() ? Optional.of(Substituted.unchanged(text)) : Substitution.apply(text, environment.get(), problems);
  }

  private List<Entry<Rule>> built(String source, List<RuleDraft> drafts, Problems problems) {
    List<Entry<Rule>> out = new ArrayList<>(drafts.size());
    for (RuleDraft draft : drafts) {
      long before = problems.errors();
      Pipeline pipeline = new PipelineBuilder(catalogue, problems).build(draft.execute(), draft.onError(), base);
      boolean none = pipeline.authenticators().isEmpty() && !namesAuthenticator(draft.execute());
      if (none && problems.errors() == before) {
        problems.error(draft.id().at(0, draft.id().text().length()), draft.id().path(), "rule `" + draft.id().text()
            + "` has no authenticator", "name one, or give the default rule one");
      }
      Optional<Conditions> conditions = draft.match().conditions(draft.slashes(), problems);
      List<Route> routes = draft.match().compiled(draft.slashes(), problems);
      Rule rule = new Rule(draft.id().text(), source, pipeline, draft.backend(), draft.slashes());
      conditions.ifPresent(c -> out.add(new Entry<>(draft.id(), c, routes, rule)));
    }
    return out;
  }

  /** The section {@code default_rule} as it stands, for {@link #standard}. */
  public static Decoder<Node> standardSection() {
    return Decoders.node().described(STANDARD.shape());
  }

  /** Reads the section {@code default_rule}; empty exactly if an error was added. */
  public static Optional<Pipeline> standard(Node section, Catalogue catalogue, Problems problems) {
    long before = problems.errors();
    Optional<Parts> parts = STANDARD.decode(section, problems);
    Optional<Pipeline> built = parts
        .map(p -> new PipelineBuilder(catalogue, problems).build(p.get(EXECUTE), p.get(ON_ERROR), Optional.empty()));
    // one whose definition is wrong was meant to be there
    boolean meant = parts.filter(p -> namesAuthenticator(p.get(EXECUTE))).isPresent();
    built.filter(p -> problems.errors() == before && !(meant && p.authenticators().isEmpty()))
        .ifPresent(p -> checkStandard(p, section.at(), catalogue, problems));
    return problems.errors() > before ? Optional.empty() : built;
  }

  private static boolean namesAuthenticator(List<StepDraft> steps) {
    return steps.stream().anyMatch(step -> step.kind().equals(StepDraft.EXECUTE.getFirst()));
  }

  private static void checkStandard(Pipeline pipeline, Origin at, Catalogue catalogue, Problems problems) {
    List<Step<Mechanism.Authenticator>> steps = pipeline.authenticators();
    if (steps.isEmpty()) {
      problems.error(at, "default_rule", "the default rule has no authenticator", "one that denies is of type `unauthorized`");
    } else if (steps.getFirst().mechanism().open() && catalogue.tools().enforcement().defaultRule()) {
      problems.error(at, "default_rule", "insecure default rule: it lets in everybody", "begin with another authenticator, or allow it"
          + " by `--insecure-skip-secure-default-rule-enforcement`");
    }
  }
}
