package portcullis.app;

import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import portcullis.cache.Cache;
import portcullis.cache.MemoryCache;
import portcullis.config.Decoder;
import portcullis.config.Decoders;
import portcullis.config.Key;
import portcullis.config.Node;
import portcullis.source.LocatedText;
import portcullis.source.Nearest;

/**
 * Where answers of remote parties are kept.
 *
 * @param kept whether they are kept at all
 */
record CacheSettings(boolean kept, long mostBytes, int mostEntries) {
  static final CacheSettings STANDARD = new CacheSettings(true, 128L << 20, 0);

  private static final List<String> TYPES = List.of("noop", "in-memory");

  static Decoder<CacheSettings> decoder() {
    Key<LocatedText> type = Key.required("type", Decoders.located(), "in-memory or noop");
    Key<Optional<Node>> config = Key.optional("config", Decoders.node(), "its settings");
    return Decoders.checked("a cache", List.of(type, config), (p, problems) -> switch (p.get(type).text()) {
      case "noop" -> p.get(config).isEmpty() ? Optional.of(new CacheSettings(false, 0, 0))
          : Decoders.<CacheSettings>object("settings", List.of(), _ -> new CacheSettings(false, 0, 0)).decode(p.get(config).get(), problems);
      case "in-memory" -> p.get(config).isEmpty() ? Optional.of(STANDARD) : memory().decode(p.get(config).get(), problems);
      default -> {
        problems.error(p.at(type), p.get(type).path(), "cache type unsupported: `" + Decoders.shortened(p.get(type).text()) + "`",
            Nearest.hint(p.get(type).text(), TYPES));
        yield Optional.empty();
      }
    });
  }

  private static Decoder<CacheSettings> memory() {
    Key<Long> bytes = Key.standard("memory_limit", Decoders.byteSize(), STANDARD.mostBytes, "in all");
    Key<Integer> entries = Key.standard("entry_limit", Decoders.number(0, Integer.MAX_VALUE), 0, "in number; 0 for no bound");
    return Decoders.object("settings", List.of(bytes, entries), p -> new CacheSettings(true, p.get(bytes), p.get(entries)));
  }

  Cache cache(InstantSource clock) {
    return kept ? new MemoryCache(mostBytes, mostEntries, clock) : Cache.none();
  }
}
