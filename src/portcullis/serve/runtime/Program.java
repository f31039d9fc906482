package portcullis.serve.runtime;

import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import portcullis.config.Enforcement;
import portcullis.crypto.keys.KeyEntry;
import portcullis.crypto.keys.KeyRings;
import portcullis.lang.source.Problems;
import portcullis.observe.telemetry.Log;
import portcullis.policy.cache.Cache;
import portcullis.policy.cache.MonotonicClock;
import portcullis.policy.endpoint.EndpointClient;
import portcullis.policy.mechanism.MechanismContext;
import portcullis.serve.provider.Change;
import portcullis.serve.redis.RedisCache;
import portcullis.serve.redis.RedisSettings;
import portcullis.serve.service.LoadHistory;

/**
 * What a configuration makes: everything but listeners. Made in steps, so that all problems can be reported at once.
 * {@link #reload} replaces the catalogue, the default rule and the rule sets; all else is as it was at
 * the start.
 */
public final class Program {
  private final Settings settings;
  private final Tls tls;
  private final SharedResources shared;
  private final Reloader reloader;
  private final LoadHistory history;
  private final Sources first;
  private volatile Settings latest;
  private volatile MechanismContext context;
  private volatile Sources sources;
  private volatile Runnable after = () -> {};

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

  /** How remote services are called. */
  public interface Network {
    EndpointClient caller(Cache cache, KeyRings keys);
  }

  /** What outlives each configuration. */
  private record SharedResources(Cache cache, KeyRings cacheKeys, Network network, Enforcement enforcement,
      boolean proxy,
      InstantSource clock, InstantSource steady, Log log) {
    /** Key files are read again for each configuration, cached answers outlive them. */
    MechanismContext context() {
      KeyRings keys = new KeyRings(clock);
      return new MechanismContext(network.caller(cache, keys), keys, enforcement, clock, steady, log);
    }
  }

  /**
   * Makes mechanisms and rules of the settings; what is wrong is added to the problems.
   *
   * @param proxy whether every rule needs an upstream
   */
  public static Program make(Settings settings, Enforcement enforcement, boolean proxy, Log log, InstantSource clock,
      Network network,
      Problems problems) {
    KeyRings cacheKeys = new KeyRings(clock);
    InstantSource steady = new MonotonicClock();
    Cache cache = settings.cache().cache(enforcement, cacheKeys, steady, log, problems);
    SharedResources shared = new SharedResources(cache, cacheKeys, network, enforcement, proxy, clock, steady, log);
    MechanismContext context = shared.context();
    LoadHistory history = new LoadHistory(clock);
    log.info(settings.cache().startMessage());
    ConfigurationPlan plan = ConfigurationPlan.of(settings, context, proxy, problems);
    Sources sources = Sources.of(settings.providers(), context, problems);
    log.debug("Rule set event queue created");
    return new Program(settings, Tls.of(settings, clock, problems), shared, context,
        new Reloader(plan, history, log), sources, history);
  }

  /** Connects to Redis, where answers are kept there: settings that are wrong show at the start. */
  void connect(Problems problems) {
    if (settings.cache() instanceof CacheSettings.InRedis(RedisSettings redis)
        && shared.cache instanceof RedisCache cache) {
      cache.trouble().ifPresent(why -> problems.error(redis.at(), "cache.config", "Redis cannot be used: " + why, ""));
    }
  }

  /**
   * Whether rule sets of the start that are fetched are still awaited; those of a later configuration delay nothing.
   */
  boolean begins() {
    return first.begin();
  }

  /** Reads the rules. */
  public void load(Problems problems) {
    reloader.begin(sources.load(problems), problems);
  }

  /**
   * Begins to take up changes of the rules, where that is configured.
   *
   * @param then what is done after each change
   */
  void watch(Runnable then) {
    after = then;
    sources.watch(this::changed);
  }

  private void changed(List<Change> changes) {
    reloader.apply(changes);
    after.run();
  }

  /** Takes another configuration while it runs, all or nothing; warnings are added to the problems too. */
  boolean reload(Settings next, Problems problems) {
    MechanismContext nextContext = shared.context();
    ConfigurationPlan plan = ConfigurationPlan.of(next, nextContext, shared.proxy, problems);
    Sources nextSources = Sources.of(next.providers(), nextContext, problems);
    List<Change> loaded = problems.hasErrors() ? List.of() : nextSources.load(problems);
    if (problems.hasErrors()
        || !sources.closeIf(() -> reloader.exchange(plan, loaded, nextSources.fetched(), problems))) {
      return false;
    }
    latest = next;
    context = nextContext;
    sources = nextSources;
    sources.watch(this::changed);
    return true;
  }

  /** Ends looking for changes of the rules. */
  void unwatch() {
    sources.close();
  }

  public void close() {
    unwatch();
    if (shared.cache instanceof RedisCache cache) {
      cache.close();
    }
  }

  /** Those of the start. */
  Settings settings() {
    return settings;
  }

  /** Those of the configuration that was taken last. */
  Settings latest() {
    return latest;
  }

  Tls tls() {
    return tls;
  }

  /** What became of the configuration and of rule sets when they were read last. */
  LoadHistory loadHistory() {
    return history;
  }

  /** The keys that are shown to who keeps the cache. */
  List<KeyEntry> cacheKeys() {
    return shared.cacheKeys.shown();
  }

  /** The key stores of the connections to the cache. */
  KeyRings cacheKeyRings() {
    return shared.cacheKeys;
  }

  public Reloader reloader() {
    return reloader;
  }

  /** Those of the configuration that was taken last. */
  public MechanismContext context() {
    return context;
  }
}
