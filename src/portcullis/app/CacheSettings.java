package portcullis.app;

import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import portcullis.cache.Cache;
import portcullis.cache.MemoryCache;
import portcullis.config.Decoder;
import portcullis.config.Decoders;
import portcullis.config.Enforcement;
import portcullis.config.Key;
import portcullis.config.Node;
import portcullis.keys.KeyRings;
import portcullis.redis.RedisSettings;
import portcullis.source.LocatedText;
import portcullis.source.Nearest;
import portcullis.source.Problems;
import portcullis.telemetry.Log;

/** Where answers of remote parties are kept. */
sealed interface CacheSettings {
  CacheSettings STANDARD = new InMemory(128L << 20, 0);

  /** Nowhere. */
  record Nowhere() implements CacheSettings {}

  /** In this process; no more than so many bytes and entries, 0 for no bound. */
  record InMemory(long mostBytes, int mostEntries) implements CacheSettings {}

  /** In Redis. */
  record InRedis(RedisSettings redis) implements CacheSettings {}

  static Decoder<CacheSettings> decoder() {
    Key<LocatedText> type = Key.required("type", Decoders.located(), "in-memory, noop, redis, redis-sentinel or redis-cluster");
    Key<Optional<Node>> config = Key.optional("config", Decoders.node(), "its settings");
    Map<String, Decoder<CacheSettings>> types = types();
    return Decoders.checked("a cache", List.of(type, config), (p, problems) -> {
      String name = p.get(type).text();
      if (!types.containsKey(name)) {
        problems.error(p.at(type), p.get(type).path(), "cache type unsupported: `" + Decoders.shortened(name) + "`",
            Nearest.hint(name, types.keySet()));
        return Optional.empty();
      }
      if (p.get(config).isPresent()) {
        return types.get(name).decode(p.get(config).get(), problems);
      }
      if (RedisSettings.TYPES.containsKey(name)) {
        problems.error(p.at(type), p.node().path(), "`config` is missing", "it says where Redis is");
        return Optional.empty();
      }
      return Optional.of(name.equals("noop") ? new Nowhere() : STANDARD);
    });
  }

  private static Map<String, Decoder<CacheSettings>> types() {
    Key<Long> bytes = Key.standard("memory_limit", Decoders.byteSize(), 128L << 20, "in all");
    Key<Integer> entries = Key.standard("entry_limit", Decoders.number(0, Integer.MAX_VALUE), 0, "in number; 0 for no bound");
    Map<String, Decoder<CacheSettings>> types = new LinkedHashMap<>();
    types.put("noop", Decoders.object("settings", List.of(), _ -> new Nowhere()));
    types.put("in-memory", Decoders.object("settings", List.of(bytes, entries), p -> new InMemory(p.get(bytes), p.get(entries))));
    RedisSettings.TYPES.forEach((name, redis) -> types.put(name, redis.then((settings, _, _) -> Optional.of(new InRedis(settings)))));
    return types;
  }

  /**
   * The cache; where a problem was added, one that keeps nothing.
   *
   * @param keys where keys come from that are shown to who keeps it
   */
  default Cache cache(Enforcement enforcement, KeyRings keys, InstantSource clock, Log log, Problems problems) {
    return switch (this) {
      case Nowhere _ -> Cache.none();
      case InMemory(long bytes, int entries) -> new MemoryCache(bytes, entries, clock);
      case InRedis(RedisSettings redis) -> redis.cache(enforcement.egressTls(), keys, clock, log, problems)
          .map(Cache.class::cast).orElse(Cache.none());
    };
  }

  /** What to say of it at the start. */
  default String told() {
    return switch (this) {
      case Nowhere _ -> "No cache configured";
      case InMemory _ -> "In-memory cache instantiated";
      case InRedis _ -> "Redis cache instantiated";
    };
  }
}
