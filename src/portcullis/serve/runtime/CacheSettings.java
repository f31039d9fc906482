package portcullis.serve.runtime;

import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.Set;
import java.util.TreeMap;
import portcullis.config.Decoder;
import portcullis.config.Decoders;
import portcullis.config.Enforcement;
import portcullis.config.Key;
import portcullis.config.Node;
import portcullis.config.Shape;
import portcullis.crypto.keys.KeyRings;
import portcullis.lang.source.LocatedText;
import portcullis.lang.source.Nearest;
import portcullis.lang.source.Problems;
import portcullis.observe.telemetry.Log;
import portcullis.policy.cache.Cache;
import portcullis.policy.cache.MemoryCache;
import portcullis.serve.redis.RedisSettings;

/** The settings of the cache for responses of remote services. */
public sealed interface CacheSettings {
  /** The types that are not in Redis. */
  Set<String> IN_PROCESS = Set.of("in-memory", "noop");
  CacheSettings DEFAULT = new InMemory(128L << 20, 0);

  /** No caching. */
  record Nowhere() implements CacheSettings {}

  /** A cache in this process with at most so many bytes and entries; 0 for no limit. */
  record InMemory(long mostBytes, int mostEntries) implements CacheSettings {}

  /** A cache in Redis. */
  record InRedis(RedisSettings redis) implements CacheSettings {}

  static Decoder<CacheSettings> decoder() {
    Key<Optional<LocatedText>> type = Key.optional("type", Decoders.located(),
        "in-memory, noop, redis, redis-sentinel or redis-cluster");
    Key<Optional<Node>> config = Key.optional("config", Decoders.node(), "its settings");
    Map<String, Decoder<CacheSettings>> types = types();
    Decoder<CacheSettings> cache = Decoders.checked("a cache", List.of(type, config), (p, problems) -> {
      if (p.get(type).isEmpty()) {
        problems.warning(p.node().at(), p.node().path(), "`type` is missing, `in-memory` is used", "name the type");
      }
      String name = p.get(type).map(LocatedText::text).orElse("in-memory");
      if (!types.containsKey(name)) {
        problems.error(p.at(type), p.get(type).orElseThrow().path(),
            "cache type unsupported: `" + Decoders.shortened(name) + "`", Nearest.hint(name, types.keySet()));
        return Optional.empty();
      }
      if (p.get(config).isPresent()) {
        return types.get(name).decode(p.get(config).get(), problems);
      }
      if (RedisSettings.TYPES.containsKey(name)) {
        problems.error(p.at(type), p.node().path(), "`config` is missing", "it contains the address of Redis");
        return Optional.empty();
      }
      return Optional.of(name.equals("noop") ? new Nowhere() : DEFAULT);
    });
    return cache.described(shape(types));
  }

  private static Shape shape(Map<String, Decoder<CacheSettings>> types) {
    SequencedMap<String, Shape> options = new LinkedHashMap<>();
    types.forEach((name, settings) -> {
      Decoder<Node> described = Decoders.node().described(settings.shape());
      options.put(name, new Shape.Members("a cache", List.of(Key.optional("config", described, "its settings"))));
    });
    return new Shape.Choice("type", options);
  }

  private static Map<String, Decoder<CacheSettings>> types() {
    Key<Long> bytes = Key.withDefault("memory_limit", Decoders.byteSize(), 128L << 20,
        "maximum size; at most a quarter of the heap");
    Key<Integer> entries = Key.withDefault("entry_limit", Decoders.number(0, Integer.MAX_VALUE), 0,
        "maximum number of entries; 0 for no limit");
    Map<String, Decoder<CacheSettings>> types = new LinkedHashMap<>();
    types.put("noop", Decoders.object("settings", List.of(), _ -> new Nowhere()));
    types.put("in-memory",
        Decoders.object("settings", List.of(bytes, entries), p -> new InMemory(p.get(bytes), p.get(entries))));
    new TreeMap<>(RedisSettings.TYPES)
        .forEach((name, redis) -> types.put(name, redis.then((settings, _, _) -> Optional.of(new InRedis(settings)))));
    return types;
  }

  /**
   * Creates the cache; one that stores nothing if a problem was added.
   *
   * @param keys the key stores for client certificates
   */
  default Cache cache(Enforcement enforcement, KeyRings keys, InstantSource clock, Log log, Problems problems) {
    return switch (this) {
      case Nowhere _ -> Cache.none();
      case InMemory(long bytes, int entries) ->
        new MemoryCache(bounded(bytes, Runtime.getRuntime().maxMemory()), entries, clock);
      case InRedis(RedisSettings redis) -> redis.cache(enforcement.egressTls(), keys, clock, log, problems)
          .map(Cache.class::cast).orElseGet(() -> new MemoryCache(0, 0, clock));
    };
  }

  /** Returns whether the cache of a configuration is in Redis, or could be once its errors are mended. */
  static boolean mayBeInRedis(Node.Mapping root) {
    return root.get("cache").filter(cache -> switch (cache) {
      case Node.Mapping settings -> settings.get("type")
          .filter(type -> !(type instanceof Node.Scalar name) || !IN_PROCESS.contains(name.text())).isPresent();
      case Node.Scalar _, Node.Sequence _ -> true;
    }).isPresent();
  }

  /** Returns the configured bytes, at most a quarter of the heap. */
  static long bounded(long bytes, long heap) {
    return Math.min(bytes, heap / 4);
  }

  /** Returns the message to log at startup. */
  default String startMessage() {
    return switch (this) {
      case Nowhere _ -> "No cache configured";
      case InMemory _ -> "In-memory cache instantiated";
      case InRedis _ -> "Redis cache instantiated";
    };
  }
}
