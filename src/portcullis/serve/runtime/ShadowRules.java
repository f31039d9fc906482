package portcullis.serve.runtime;

import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import portcullis.lang.source.LocatedText;
import portcullis.lang.source.Problem;
import portcullis.lang.source.Problems;
import portcullis.lang.source.SourceFile;
import portcullis.observe.telemetry.Causes;
import portcullis.observe.telemetry.Log;
import portcullis.policy.mechanism.MechanismContext;
import portcullis.policy.replay.ReplayDecider;
import portcullis.policy.rule.RuleOrigin;
import portcullis.policy.rule.RuleReader;
import portcullis.serve.provider.Change;
import portcullis.serve.provider.FileSystem;
import portcullis.serve.provider.HttpEndpoints;
import portcullis.serve.provider.Providers;
import portcullis.serve.service.LoadHistory;
import portcullis.serve.service.StatusReport;
import portcullis.serve.shadow.ShadowJudge;
import portcullis.serve.shadow.ShadowSet;

/**
 * Keeps the shadow rules in step with their sources and with the live rules: they are what the live rules would be if
 * shadow rule sets, and single shadow rules, replaced their live counterparts. Nothing is compared while one of them is
 * rejected or not yet fetched, or while live rules change. Errors of shadow rules affect nothing else. Thread safe.
 */
final class ShadowRules implements AutoCloseable {
  private final Reloader live;
  private final ShadowJudge judge;
  private final boolean proxy;
  private final InstantSource clock;
  private final Log log;
  private final Map<String, SourceFile> own = new LinkedHashMap<>();
  private final Set<String> pending = new HashSet<>();
  private Providers providers = Providers.NONE;
  private Optional<Settings> settings = Optional.empty();
  private Optional<MechanismContext> context = Optional.empty();
  private Optional<FileSystem> files = Optional.empty();
  private Optional<HttpEndpoints> endpoints = Optional.empty();
  private Optional<Built> built = Optional.empty();
  private Optional<Compared> compared = Optional.empty();
  private int changing;
  private int generation;
  private int builds;

  /** The shadow rules of one configuration. @param texts those that were applied or rejected last */
  private record Built(int number, ReplayDecider decider, Reloader reloader, LoadHistory history,
      Map<String, SourceFile> texts) {}

  /** A set with the versions of the live and the shadow rules that it compares. */
  private record Compared(ShadowSet set, Built built, long live, long shadow) {}

  /** @param live the live rules */
  ShadowRules(Reloader live, ShadowJudge judge, boolean proxy, InstantSource clock, Log log) {
    this.live = live;
    this.judge = judge;
    this.proxy = proxy;
    this.clock = clock;
    this.log = log;
  }

  /** Loads the shadow rules of a configuration that was applied, and watches for their changes. */
  synchronized void configure(Settings next, MechanismContext services) {
    closeSources();
    settings = Optional.of(next);
    context = Optional.of(services);
    providers = next.providers();
    built = Optional.empty();
    int mine = ++generation;
    Consumer<List<Change>> listener = changes -> changed(changes, mine);
    Optional<LocatedText> shadow = providers.files().flatMap(Providers.Files::shadow);
    files = shadow.map(path -> new FileSystem(Path.of(path.text()), "shadow", false, log));
    files.ifPresent(source -> {
      Problems problems = new Problems();
      source.load(shadow.orElseThrow().at(0), problems).forEach(this::take);
      problems.sorted().forEach(problem -> log.warn(problem.text()));
      if (providers.files().orElseThrow().watch()) {
        source.watch(listener);
      }
    });
    endpoints = providers.remote().flatMap(Providers.Remote::compared)
        .map(remote -> new HttpEndpoints(remote, services.caller(), log));
    endpoints.ifPresent(source -> {
      pending.addAll(source.sources());
      source.watch(listener);
    });
    update();
  }

  private synchronized void changed(List<Change> changes, int of) {
    if (of == generation) {
      changes.forEach(this::take);
      update();
    }
  }

  private void take(Change change) {
    pending.remove(change.source());
    change.text().ifPresentOrElse(text -> own.put(change.source(), text), () -> own.remove(change.source()));
  }

  /** Compares nothing until {@link #resume}, as live rules are about to change. */
  synchronized void suspend() {
    changing++;
    judge.use(Optional.empty());
  }

  /** Compares with the live rules as they are now. */
  synchronized void resume() {
    changing--;
    update();
  }

  /** Brings all in step; an error in this is logged and affects no live rules. */
  private void update() {
    try {
      refresh();
    } catch (RuntimeException | StackOverflowError | OutOfMemoryError e) {
      built = Optional.empty();
      compared = Optional.empty();
      judge.use(Optional.empty());
      log.error("Shadow rules cannot be compared", "_error", Causes.text(e));
    }
  }

  private void refresh() {
    if (changing > 0) {
      return;
    }
    boolean needed = settings.isPresent() && (!own.isEmpty() || live.hasShadow());
    if (!needed) {
      built = Optional.empty();
      compared = Optional.empty();
    } else {
      if (built.isEmpty()) {
        built = made(settings.orElseThrow(), context.orElseThrow());
      }
      built.ifPresent(this::apply);
    }
    compared = built.filter(one -> pending.isEmpty() && !one.reloader.hasRefused()).map(this::current);
    judge.use(compared.map(Compared::set));
  }

  private Compared current(Built one) {
    long liveVersion = live.snapshot().version();
    long version = one.reloader.snapshot().version();
    return compared
        .filter(known -> known.built.number == one.number && known.live == liveVersion && known.shadow == version)
        .orElseGet(() -> new Compared(new ShadowSet(one.decider, one.reloader.snapshot(), clock.instant()), one,
            liveVersion, version));
  }

  private Optional<Built> made(Settings from, MechanismContext services) {
    ReplayDecider decider = ReplayDecider.remembering();
    Problems problems = new Problems();
    MechanismContext offline = services.offline(decider.caller(services.keys()), decider.clock(), decider.silent());
    ConfigurationPlan plan = ConfigurationPlan.of(from, offline, proxy, problems).reading(this::part);
    if (problems.hasErrors()) {
      problems.sorted().stream().filter(Problem::isError)
          .forEach(problem -> log.error("Shadow rules cannot be compared", "_error", problem.text()));
      return Optional.empty();
    }
    LoadHistory history = new LoadHistory(clock);
    return Optional.of(new Built(++builds, decider, new Reloader(plan, history, decider.silent()), history,
        new LinkedHashMap<>()));
  }

  /** Returns which rules of a source are shadow rules. */
  private RuleReader.Part part(String source) {
    return replaced(source) ? RuleReader.Part.CANDIDATES : RuleReader.Part.MERGED;
  }

  /** Returns whether shadow rule sets, of which there are some, replace those of the kind of this source. */
  private boolean replaced(String source) {
    boolean isFile = source.startsWith(FileSystem.KIND);
    return own.keySet().stream().anyMatch(shadow -> shadow.startsWith(FileSystem.KIND) == isFile);
  }

  private void apply(Built one) {
    Map<String, SourceFile> wanted = new LinkedHashMap<>(own);
    live.applied().forEach((source, text) -> {
      if (!replaced(source)) {
        wanted.put(source, text);
      }
    });
    List<Change> changes = new ArrayList<>();
    one.texts.keySet().stream().filter(source -> !wanted.containsKey(source))
        .forEach(source -> changes.add(new Change(source, Optional.empty())));
    wanted.forEach((source, text) -> {
      if (!text.equals(one.texts.get(source))) {
        changes.add(new Change(source, Optional.of(text)));
      }
    });
    if (changes.isEmpty()) {
      return;
    }
    one.texts.clear();
    one.texts.putAll(wanted);
    one.reloader.apply(changes);
    changes.stream().map(Change::source).forEach(source -> announce(one, source));
  }

  private void announce(Built one, String source) {
    Optional<StatusReport.RuleSet> set = one.history.ruleSets().stream().filter(known -> known.source().equals(source))
        .findFirst();
    if (set.isEmpty()) {
      log.info("Shadow rules removed", "_rule_set", source);
    } else if (set.get().last().applied()) {
      log.info("Shadow rules applied", "_rule_set", source);
    } else {
      set.get().last().problems()
          .forEach(problem -> log.error("Failed to apply shadow rules", "_src", source, "_error", problem));
    }
  }

  /** Returns the state of the shadow rules; empty if there are none. */
  synchronized Optional<StatusReport.Shadow> status() {
    return built.map(one -> new StatusReport.Shadow(
        one.history.ruleSets().stream().map(set -> set.withDigest(digest(one.texts, set.source()))).toList(),
        compared.filter(known -> known.live() == live.snapshot().version()).map(known -> known.set().report())));
  }

  private static String digest(Map<String, SourceFile> texts, String source) {
    return Optional.ofNullable(texts.get(source)).map(text -> RuleOrigin.digest(text.text())).orElse("");
  }

  private void closeSources() {
    files.ifPresent(FileSystem::close);
    endpoints.ifPresent(HttpEndpoints::close);
    own.clear();
    pending.clear();
  }

  @Override
  public synchronized void close() {
    generation++;
    judge.use(Optional.empty());
    closeSources();
  }
}
