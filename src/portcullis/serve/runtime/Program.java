package portcullis.serve.runtime;

import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.BooleanSupplier;
import portcullis.config.Enforcement;
import portcullis.crypto.apikeys.ApiKeyFiles;
import portcullis.crypto.keys.KeyEntry;
import portcullis.crypto.keys.KeyRings;
import portcullis.crypto.keys.TrustFiles;
import portcullis.lang.source.Problems;
import portcullis.lang.source.SourceFile;
import portcullis.observe.decisions.AuditTrail;
import portcullis.observe.telemetry.Log;
import portcullis.policy.cache.Cache;
import portcullis.policy.cache.MonotonicClock;
import portcullis.policy.cache.UsedOnce;
import portcullis.policy.cache.UsedOnceMemory;
import portcullis.policy.endpoint.EndpointClient;
import portcullis.policy.limit.Limits;
import portcullis.policy.limit.LockoutStore;
import portcullis.policy.limit.Lockouts;
import portcullis.policy.limit.RateStore;
import portcullis.policy.mechanism.LoginState;
import portcullis.policy.mechanism.MechanismContext;
import portcullis.policy.mechanism.ProofMemory;
import portcullis.serve.fleet.Outage;
import portcullis.serve.provider.Change;
import portcullis.serve.redis.RedisCache;
import portcullis.serve.redis.RedisSettings;
import portcullis.serve.redis.SharedRedis;
import portcullis.serve.service.ListenerSettings;
import portcullis.serve.service.LoadHistory;
import portcullis.serve.shadow.ShadowJudge;

/**
 * Everything a configuration creates except listeners. Created in steps, so that all problems can be reported at once.
 * {@link #reload} replaces the catalogue, the default rule and the rule sets; everything else stays as it was at
 * startup.
 */
public final class Program {
  private final Settings settings;
  private final Tls tls;
  private final SharedResources shared;
  private final Reloader reloader;
  private final LoadHistory history;
  private volatile Sources first;
  private volatile Settings latest;
  private volatile MechanismContext context;
  private volatile Sources sources;
  private volatile Runnable after = () -> {};
  private volatile Optional<ShadowRules> shadow = Optional.empty();
  private volatile AuditTrail audit = AuditTrail.NONE;

  private Program(Settings settings, Tls tls, SharedResources shared, MechanismContext context, Reloader reloader,
      Sources sources,
      LoadHistory history) {
    this.settings = settings;
    this.latest = settings;
    this.tls = tls;
    this.shared = shared;
    this.context = context;
    this.reloader = reloader;
    this.sources = sources;
    this.first = sources;
    this.history = history;
  }

  /** Creates the client for remote services. */
  public interface Network {
    EndpointClient caller(Cache cache, KeyRings keys);
  }

  /** The resources shared by successive configurations. */
  private record SharedResources(Cache cache, Optional<SharedRedis> fleet, KeyRings cacheKeys, Network network,
      LoginState logins, ProofMemory proofs, Limits limits,
      Enforcement enforcement, boolean proxy, InstantSource clock, InstantSource steady, Log log) {
    /** Creates the context of mechanisms for a configuration: key files are read again, cached responses are kept. */
    MechanismContext context() {
      KeyRings keys = new KeyRings(clock);
      return new MechanismContext(network.caller(cache, keys), keys, new ApiKeyFiles(), new TrustFiles(),
          logins.withKeysReadAgain(), proofs, limits.withFilesReadAgain(),
          enforcement, clock, steady, log, false);
    }
  }

  /**
   * Creates mechanisms and rules from the settings; problems are added.
   *
   * @param proxy whether every rule needs an upstream
   */
  public static Program make(Settings settings, Enforcement enforcement, boolean proxy, Log log, InstantSource clock,
      Network network,
      Problems problems) {
    return make(settings, enforcement, proxy, log, clock, network,
        (cache, steady) -> Limits.of(steady, rates(settings, cache), lockouts(settings, cache, steady)),
        problems);
  }

  private static Lockouts lockouts(Settings settings, Cache cache, InstantSource steady) {
    boolean denies = settings.fleet().filter(fleet -> fleet.outage() == Outage.DENY).isPresent();
    return cache instanceof LockoutStore redis ? Lockouts.shared(steady, redis, denies) : new Lockouts(steady);
  }

  /** Returns the rates in Redis; where it could not be set up, that is the error, not that it is missing. */
  private static Optional<RateStore> rates(Settings settings, Cache cache) {
    return cache instanceof RateStore redis ? Optional.of(redis)
        : settings.cache() instanceof CacheSettings.InRedis ? Optional.of(RateStore.UNLIMITED) : Optional.empty();
  }

  /**
   * Does the same for decisions besides those of a service: requests are not counted.
   *
   * @param exhausted whether limits refuse every request, or none
   */
  public static Program unlimited(Settings settings, Enforcement enforcement, Log log, InstantSource clock,
      Network network, BooleanSupplier exhausted, Problems problems) {
    return make(settings, enforcement, false, log, clock, network, (_, steady) -> Limits.assumed(steady, exhausted),
        problems);
  }

  private static Program make(Settings settings, Enforcement enforcement, boolean proxy, Log log, InstantSource clock,
      Network network, BiFunction<Cache, InstantSource, Limits> limits, Problems problems) {
    KeyRings cacheKeys = new KeyRings(clock);
    InstantSource steady = new MonotonicClock();
    Cache cache = settings.cache().cache(enforcement, cacheKeys, steady, log, problems);
    Optional<SharedRedis> fleet = settings.fleet()
        .flatMap(one -> one.redis().shared(enforcement.egressTls(), cacheKeys, log, problems));
    SharedResources shared = new SharedResources(cache, fleet, cacheKeys, network,
        new LoginState(settings.main().headLimit()),
        ProofMemory.of(cache instanceof UsedOnce common ? common : new UsedOnceMemory(clock, steady)),
        limits.apply(cache, steady),
        enforcement, proxy, clock, steady, log);
    MechanismContext context = shared.context();
    LoadHistory history = new LoadHistory(clock);
    log.info(settings.cache().startMessage());
    ConfigurationPlan plan = ConfigurationPlan.of(settings, context, proxy, problems);
    Sources sources = Sources.of(settings.providers(), context, problems);
    settings.decisionLog().ifPresent(decisions -> decisions.checkKeys(problems));
    settings.management().get(ListenerSettings.LOCKS).key(problems);
    settings.management().get(ListenerSettings.DEBUG).ifPresent(debug -> debug.key(problems));
    settings.main().get(ListenerSettings.EVENTS).ifPresent(events -> events.check(context, problems));
    log.debug("Rule set event queue created");
    return new Program(settings, Tls.of(settings, clock, problems), shared, context,
        new Reloader(plan, history, log), sources, history);
  }

  /** Connects to Redis if it is the cache, so that wrong settings are reported at startup. */
  void connect(Problems problems) {
    if (settings.cache() instanceof CacheSettings.InRedis(RedisSettings redis)
        && shared.cache instanceof RedisCache cache) {
      cache.problem().ifPresent(why -> problems.error(redis.at(), "cache.config", "Redis cannot be used: " + why, ""));
    }
  }

  /**
   * Returns whether the first fetch of remote rule sets is pending, also where a reload came before it; rule sets of
   * later configurations delay nothing.
   */
  boolean begins() {
    return first.begin();
  }

  /** Loads the rules. */
  public void load(Problems problems) {
    reloader.begin(sources.load(problems), problems);
  }

  /** Records the counters of signed bundles in use and of later ones; a problem is added where that fails. */
  void recordBundles(Problems problems) {
    reloader.recordBundles(problems);
  }

  /** Records changes from now on, before they are applied. */
  void auditBy(AuditTrail trail) {
    audit = trail;
    reloader.auditBy(trail);
  }

  AuditTrail audit() {
    return audit;
  }

  /**
   * Starts to apply changes of the rules, if configured.
   *
   * @param then called after each change
   */
  void watch(Runnable then) {
    after = then;
    sources.watch(this::changed, history);
  }

  private void changed(List<Change> changes) {
    whileSuspended(() -> reloader.apply(changes));
    after.run();
  }

  /** Changes live rules while nothing is compared with them. */
  private void whileSuspended(Runnable change) {
    shadow.ifPresent(ShadowRules::suspend);
    try {
      change.run();
    } finally {
      shadow.ifPresent(ShadowRules::resume);
    }
  }

  /** Starts to compare the rules with shadow rules, as far as there are any. */
  void compare(ShadowJudge judge) {
    ShadowRules rules = new ShadowRules(reloader, judge, shared.proxy, shared.clock, shared.log);
    shadow = Optional.of(rules);
    rules.configure(latest, context);
  }

  /** Returns the shadow rules; empty if they are not compared, as in tools. */
  Optional<ShadowRules> shadow() {
    return shadow;
  }

  /** Tries again to change rules where that could not be recorded. */
  void retryBlocked() {
    if (reloader.isBlocked()) {
      whileSuspended(reloader::retryBlocked);
    }
  }

  /**
   * Applies another configuration, all or nothing; warnings are added to the problems too.
   *
   * @param by what caused it, for the audit chain
   */
  boolean reload(Settings next, String by, Problems problems) {
    MechanismContext nextContext = shared.context();
    ConfigurationPlan plan = ConfigurationPlan.of(next, nextContext, shared.proxy, problems);
    Sources nextSources = Sources.of(next.providers(), nextContext, problems);
    List<Change> loaded = problems.hasErrors() ? List.of() : nextSources.load(problems);
    boolean[] taken = {false};
    if (!problems.hasErrors()) {
      Map<String, SourceFile> before = reloader.applied();
      whileSuspended(() -> {
        taken[0] = sources.closeIf(() -> {
          boolean isTaken = reloader.exchange(plan, loaded, nextSources.fetched(),
              rules -> audit.record(ChangeEvents.reload(by, latest, next, before, rules)), problems);
          first = isTaken && begins() ? nextSources : first;
          return isTaken;
        });
        shadow.filter(_ -> taken[0]).ifPresent(rules -> rules.configure(next, nextContext));
      });
    }
    if (!taken[0]) {
      return false;
    }
    latest = next;
    context = nextContext;
    sources = nextSources;
    loaded.forEach(change -> history.found(change.source())); // a bundle may have come back between two watches
    sources.watch(this::changed, history);
    return true;
  }

  /** Stops watching for changes of the rules. */
  void unwatch() {
    shadow.ifPresent(ShadowRules::close);
    sources.close();
  }

  public void close() {
    unwatch();
    if (shared.cache instanceof RedisCache cache) {
      cache.close();
    }
    shared.fleet.ifPresent(SharedRedis::close);
  }

  /** Returns what is shared with other instances, if there are others. */
  Optional<SharedRedis> fleet() {
    return shared.fleet;
  }

  /** Returns the settings of startup. */
  Settings settings() {
    return settings;
  }

  /** Returns those of the configuration that was applied last. */
  Settings latest() {
    return latest;
  }

  Tls tls() {
    return tls;
  }

  /** Returns the outcomes of loading the configuration and the rule sets. */
  LoadHistory loadHistory() {
    return history;
  }

  Cache cache() {
    return shared.cache;
  }

  /** Returns the keys of client certificates for the cache server. */
  List<KeyEntry> cacheKeys() {
    return shared.cacheKeys.shown();
  }

  /** Returns the key stores for connections to the cache server. */
  KeyRings cacheKeyRings() {
    return shared.cacheKeys;
  }

  public Reloader reloader() {
    return reloader;
  }

  /** Returns those of the configuration that was applied last. */
  public MechanismContext context() {
    return context;
  }
}
