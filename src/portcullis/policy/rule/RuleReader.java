package portcullis.policy.rule;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import portcullis.config.DecodedMembers;
import portcullis.config.Decoder;
import portcullis.config.Decoders;
import portcullis.config.Key;
import portcullis.config.Node;
import portcullis.config.PartialList;
import portcullis.config.Shape;
import portcullis.config.SubstitutedSource;
import portcullis.config.Substitution;
import portcullis.config.Yaml;
import portcullis.lang.source.LocatedText;
import portcullis.lang.source.Origin;
import portcullis.lang.source.Problems;
import portcullis.lang.source.SourceFile;
import portcullis.lang.value.BudgetExceededException;
import portcullis.lang.value.ParseBudget;
import portcullis.lang.value.ParseMemory;
import portcullis.lang.value.ParseMeter;
import portcullis.policy.catalogue.Catalogue;
import portcullis.policy.mechanism.Mechanism;
import portcullis.policy.mechanism.Subject;
import portcullis.policy.pipeline.Pipeline;
import portcullis.policy.pipeline.RuleSetVersion;
import portcullis.policy.pipeline.Step;
import portcullis.policy.route.Conditions;
import portcullis.policy.route.Route;
import portcullis.policy.route.RouteSet;
import portcullis.policy.route.RuleEntry;

/** Makes rules of what is written, with a catalogue and a default rule; thread safe. */
public final class RuleReader {
  private static final String FETCHED = "http_endpoint:";
  private static final Key<PartialList<StepDraft>> EXECUTE = Key.required("execute",
      StepDraft.list(StepDraft.EXECUTE, 0, RuleSetVersion.ALPHA4),
      "the steps");
  private static final Key<PartialList<StepDraft>> ON_ERROR = Key.withDefault("on_error",
      StepDraft.list(StepDraft.ON_ERROR, 0, RuleSetVersion.ALPHA4),
      PartialList.none(),
      "the error handlers");
  private static final Decoder<DecodedMembers> DEFAULT_RULE = Decoders.partial("the default rule",
      List.of(EXECUTE, ON_ERROR),
      (parts, _) -> Optional.of(parts));

  private final Catalogue catalogue;
  private final Optional<Pipeline> base;
  private final RuleSetDecoder file;
  private final Optional<Map<String, String>> environment;
  private final ReadingPolicy readings;
  private final Optional<Located> configuration;
  private final Part part;

  /** The digests of the configuration, and whether they are for rule sets without shadow rules too. */
  private record Located(ConfigurationDigests digests, boolean all) {}

  /** Which rules are returned. */
  public enum Part {
    /** The rules that decide requests. */
    LIVE,
    /** The rules that would decide requests if shadow rules replaced the others of the same id. */
    MERGED,
    /** All, none of which may be a shadow rule by itself: the whole set is one. */
    CANDIDATES
  }

  /**
   * Rules that were read.
   *
   * @param set empty where there are none, or an error was added
   * @param shadow the number of shadow rules
   */
  public record Outcome(Optional<RouteSet<Rule>> set, int shadow) {}

  /**
   * @param base the default rule's pipeline, if there is one; what has errors is missing in it
   * @param needsBackend whether every rule has to name an upstream
   * @param environment variables that are filled in, where that is wanted
   */
  public RuleReader(Catalogue catalogue, Optional<Pipeline> base, boolean needsBackend,
      Optional<Map<String, String>> environment) {
    this.catalogue = catalogue;
    this.base = base;
    this.environment = environment;
    this.readings = ReadingPolicy.DEFAULT;
    this.configuration = Optional.empty();
    this.part = Part.LIVE;
    this.file = new RuleSetDecoder(needsBackend, catalogue.context().enforcement().upstreamTls());
  }

  private RuleReader(RuleReader other, Optional<Map<String, String>> environment, ReadingPolicy readings,
      Optional<Located> configuration, Part part) {
    this.catalogue = other.catalogue;
    this.base = other.base;
    this.file = other.file;
    this.environment = environment;
    this.readings = readings;
    this.configuration = configuration;
    this.part = part;
  }

  /** Returns a reader that does not substitute variables. */
  public RuleReader withoutVariables() {
    return new RuleReader(this, Optional.empty(), readings, configuration, part);
  }

  /** Returns a reader with other default readings for rules that do not specify them. */
  public RuleReader withReadings(ReadingPolicy policy) {
    return new RuleReader(this, environment, policy, configuration, part);
  }

  /**
   * Returns a reader that records where rules are written.
   *
   * @param digests of the configuration
   * @param all whether they are recorded for rule sets without shadow rules too
   */
  public RuleReader withOrigins(ConfigurationDigests digests, boolean all) {
    return new RuleReader(this, environment, readings, Optional.of(new Located(digests, all)), part);
  }

  /** Returns a reader of other rules; live ones are the default. */
  public RuleReader of(Part other) {
    return new RuleReader(this, environment, readings, configuration, other);
  }

  /** Returns the keys of rule sets of all versions, in files and in Kubernetes objects. */
  public static Shape shape() {
    return RuleSetDecoder.shape();
  }

  /** Returns the keys of rule sets of one version, in files. */
  public static Shape shape(RuleSetVersion version) {
    return RuleSetDecoder.shape(version);
  }

  /**
   * Reads the rules of a file; there are none if the file is empty or not for rules, or an error was added.
   *
   * @param source where it comes from, by which the set is known
   */
  public Outcome read(String source, SourceFile text, Problems problems) {
    long before = problems.errors();
    Optional<List<Node>> documents = filled(text, problems).map(t -> documents(source, t, problems));
    if (problems.errors() == before && documents.filter(List::isEmpty).isPresent()) {
      problems.warning(new Origin.InFile(text, 1, 1, 1), "", "the file is empty: it has no rules",
          "begin with `version: \"1alpha4\"` and `rules:`");
    }
    Optional<List<RuleDraft>> drafts = documents
        .filter(all -> !all.isEmpty() && !isOther(text.name(), all.getFirst()))
        .filter(all -> !isConfiguration(text, all.getFirst(), problems))
        .flatMap(all -> file.decode(all, problems));
    Optional<RouteSet<Rule>> set = drafts.map(all -> new RouteSet<>(source, built(source, text, all, problems)));
    long shadow = drafts.stream().flatMap(List::stream).filter(RuleDraft::shadow).count();
    return new Outcome(problems.errors() > before ? Optional.empty() : set, (int) shadow);
  }

  /** Returns whether a file next to rule sets is not one: test cases, a schema for editors. */
  public static boolean isOther(SourceFile file) {
    return Yaml.read(file, new Problems()).filter(root -> isOther(file.name(), root)).isPresent();
  }

  private static boolean isOther(String name, Node root) {
    if (!(root instanceof Node.Mapping mapping) || mapping.get("version").isPresent()) {
      return false;
    }
    return name.endsWith("_test.yaml") && mapping.get("cases").isPresent()
        || name.endsWith(".schema.json") && mapping.get("$schema").isPresent() && mapping.get("rules").isEmpty();
  }

  /** Adds one error for a configuration, instead of one for each of its keys. */
  private static boolean isConfiguration(SourceFile text, Node root, Problems problems) {
    boolean found = root instanceof Node.Mapping mapping && mapping.get("mechanisms").isPresent()
        && mapping.get("rules").isEmpty();
    if (found) {
      problems.error(new Origin.InFile(text, 1, 1, 1), "", "this is a configuration, not a rule set",
          "keep rules in a file or folder of their own");
    }
    return found;
  }

  /** Returns the documents; those fetched by HTTP are parsed within a budget, files of the operator are not bounded. */
  private static List<Node> documents(String source, SubstitutedSource text, Problems problems) {
    if (!source.startsWith(FETCHED)) {
      return Yaml.documents(text, RuleSetDecoder::isManifest, problems);
    }
    try (ParseMemory.Lease memory = ParseMemory.PROCESS.lease("")) {
      ParseMeter meter = ParseMeter.located(ParseBudget.ofRead(text.text().length()), memory);
      meter.begin(text.text().length());
      return Yaml.documents(text, RuleSetDecoder::isManifest, meter, problems);
    } catch (BudgetExceededException e) {
      problems.error(new Origin.InFile(text.file(), 1, 1, 1), "",
          e.exhausted() ? "the rule set cannot be parsed now: " + e.getMessage()
              : "the rule set is too large: " + e.getMessage(),
          "");
      return List.of();
    }
  }

  private Optional<SubstitutedSource> filled(SourceFile text, Problems problems) {
    return environment.isEmpty() ? Optional.of(SubstitutedSource.unchanged(text))
        : Substitution.apply(text, environment.get(), problems);
  }

  private List<RuleEntry<Rule>> built(String source, SourceFile text, List<RuleDraft> drafts, Problems problems) {
    List<RuleEntry<Rule>> out = new ArrayList<>(drafts.size());
    Interner interner = new Interner();
    Set<String> shadowed = drafts.stream().filter(RuleDraft::shadow).flatMap(draft -> draft.id().stream())
        .map(LocatedText::text).collect(Collectors.toSet());
    Optional<String> digest = configuration.filter(one -> one.all || !shadowed.isEmpty())
        .map(_ -> RuleOrigin.digest(text.text()));
    for (RuleDraft draft : drafts) {
      long before = problems.errors();
      Pipeline pipeline = new PipelineBuilder(catalogue, problems, interner, draft.version()).build(
          draft.execute().items(),
          draft.onError().items(), base);
      if (pipeline.authenticators().isEmpty() && base.isEmpty() && !mayNameAuthenticator(draft.execute())) {
        noAuthenticator(draft, "has no authenticator", "name one, or give the default rule one", problems);
      } else if (hasAllAuthenticators(draft.execute(), pipeline) && lacksDefault(pipeline)) {
        noAuthenticator(draft, "has no authenticator of the principal `default`",
            "leave `principal` out at one of them", problems);
      }
      Optional<Conditions> conditions = draft.match().conditions(draft.slashes(), problems);
      List<Route> routes = draft.match().compiled(draft.slashes(), problems);
      ReadingPolicy policy = interner.intern(draft.readings().apply(readings));
      checkBackslashes(routes, policy, problems);
      if (part == Part.CANDIDATES && draft.shadow()) {
        problems.error(draft.node().at(), draft.node().path(), "`mode: shadow` has no effect here",
            "leave it out: all rules of a shadow rule set are shadow rules");
      }
      draft.id().filter(id -> problems.errors() == before && isTaken(draft, id.text(), shadowed))
          .ifPresent(id -> conditions.ifPresent(c -> out.add(new RuleEntry<>(id, c, routes,
              new Rule(id.text(), source, pipeline, interner.intern(draft.backend()), draft.slashes(), policy,
                  interner.intern(c.hosts()),
                  digest.map(set -> RuleOrigin.of(draft.node(), draft.version(), set,
                      configuration.orElseThrow().digests))
                      .orElse(RuleOrigin.UNKNOWN),
                  draft.revalidate())))));
    }
    return out;
  }

  private boolean isTaken(RuleDraft draft, String id, Set<String> shadowed) {
    return switch (part) {
      case LIVE -> !draft.shadow();
      case MERGED -> draft.shadow() || !shadowed.contains(id);
      case CANDIDATES -> true;
    };
  }

  /** A path that is refused whatever the rule says of it fits nothing. */
  private static void checkBackslashes(List<Route> routes, ReadingPolicy policy, Problems problems) {
    routes.stream().map(route -> route.path()).filter(path -> path.hasBackslash() && !policy.backslashes())
        .forEach(path -> problems.warning(
            path.source().at(0, path.source().text().length()), path.source().path(),
            "`" + path.source().text() + "` never occurs: paths with"
                + " `%5C` are refused",
            "let them pass by `readings: { backslash: guard }`"));
  }

  private static boolean lacksDefault(Pipeline pipeline) {
    return !pipeline.authenticators().isEmpty()
        && pipeline.authenticators().stream().noneMatch(step -> step.principal().equals(Subject.DEFAULT));
  }

  private static void noAuthenticator(RuleDraft draft, String what, String right, Problems problems) {
    Origin at = draft.id().map(id -> id.at(0, id.text().length())).orElse(draft.node().at());
    String rule = draft.id().map(id -> "rule `" + id.text() + "`").orElse("the rule");
    problems.error(at, draft.id().map(LocatedText::path).orElse(draft.node().path()), rule + " " + what, right);
  }

  /** Returns the section {@code default_rule} as it stands, for {@link #readDefaultRule}. */
  public static Decoder<Node> defaultRuleSection() {
    return Decoders.node().described(DEFAULT_RULE.shape());
  }

  /** Reads the section {@code default_rule}; empty exactly if an error was added. */
  public static Optional<Pipeline> readDefaultRule(Node section, Catalogue catalogue, Problems problems) {
    long before = problems.errors();
    Optional<Pipeline> built = DEFAULT_RULE.decode(section, problems).map(parts -> {
      PartialList<StepDraft> execute = parts.or(EXECUTE, PartialList.unread());
      Pipeline pipeline = new PipelineBuilder(catalogue, problems, new Interner(), RuleSetVersion.ALPHA4)
          .build(execute.items(), parts.or(ON_ERROR, PartialList.unread()).items(), Optional.empty());
      if (hasAllAuthenticators(execute, pipeline)) {
        checkStandard(pipeline, section.at(), catalogue, problems);
      }
      return pipeline;
    });
    return problems.errors() > before ? Optional.empty() : built;
  }

  /** Returns whether none is missing as it cannot be read or its definition is wrong. */
  private static boolean hasAllAuthenticators(PartialList<StepDraft> execute, Pipeline pipeline) {
    long written = execute.items().stream().filter(RuleReader::isAuthenticator).count();
    return execute.all() && (written == 0 || pipeline.authenticators().size() == written);
  }

  private static boolean mayNameAuthenticator(PartialList<StepDraft> steps) {
    return !steps.all() || steps.items().stream().anyMatch(RuleReader::isAuthenticator);
  }

  private static boolean isAuthenticator(StepDraft step) {
    return step.kind().equals(StepDraft.EXECUTE.getFirst());
  }

  private static void checkStandard(Pipeline pipeline, Origin at, Catalogue catalogue, Problems problems) {
    List<Step<Mechanism.Authenticator>> steps = pipeline.authenticators();
    if (steps.isEmpty()) {
      problems.error(at, "default_rule", "the default rule has no authenticator", "one that denies is of type "
          + "`unauthorized`");
    } else if (steps.getFirst().mechanism().open() && catalogue.context().enforcement().defaultRule()) {
      problems.error(at, "default_rule", "insecure default rule: it admits everyone", "begin with another "
          + "authenticator, or allow it"
          + " by `--insecure-skip-secure-default-rule-enforcement`");
    }
  }
}
