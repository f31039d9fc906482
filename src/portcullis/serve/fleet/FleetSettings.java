package portcullis.serve.fleet;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.TreeMap;
import portcullis.config.Decoder;
import portcullis.config.Decoders;
import portcullis.config.Key;
import portcullis.config.Node;
import portcullis.config.Shape;
import portcullis.lang.source.LocatedText;
import portcullis.lang.source.Nearest;
import portcullis.serve.redis.RedisSettings;

/**
 * The settings of a fleet.
 *
 * @param name of this instance; empty for that of the host
 * @param outage what holds while Redis is away
 */
public record FleetSettings(RedisSettings redis, String name, Outage outage) {
  static final String NAME = "[A-Za-z0-9._:-]{1,64}";

  public static Decoder<FleetSettings> decoder() {
    Key<LocatedText> type = Key.required("type", Decoders.located(), "redis, redis-sentinel or redis-cluster");
    Key<Node> config = Key.required("config", Decoders.node(), "how Redis is reached, as in `cache`");
    Key<String> name = Key.withDefault("name", instance(), "",
        "the name of this instance; by default that of the host");
    SequencedMap<String, Outage> outages = new LinkedHashMap<>();
    outages.put("allow", Outage.ALLOW);
    outages.put("deny", Outage.DENY);
    Key<Outage> outage = Key.withDefault("on_outage", Decoders.choice(outages), Outage.ALLOW,
        "whether requests are allowed with the locks that are known while Redis is away, or denied with 503");
    List<Key<?>> keys = List.of(type, config, name, outage);
    Decoder<FleetSettings> fleet = Decoders.checked("a fleet", keys, (p, problems) -> {
      Decoder<RedisSettings> redis = RedisSettings.TYPES.get(p.get(type).text());
      if (redis == null) {
        problems.error(p.at(type), p.get(type).path(),
            "type unsupported: `" + Decoders.shortened(p.get(type).text()) + "`",
            Nearest.hint(p.get(type).text(), RedisSettings.TYPES.keySet()));
        return Optional.empty();
      }
      return redis.decode(p.get(config), problems)
          .map(settings -> new FleetSettings(settings, p.get(name), p.get(outage)));
    });
    return fleet.described(shape(List.of(name, outage)));
  }

  /** Returns the name of an instance that has that of its host. */
  public static String name(String host) {
    String name = host.replaceAll("[^A-Za-z0-9._:-]", "-");
    return name.isEmpty() ? "unknown" : name.substring(0, Math.min(64, name.length()));
  }

  private static Shape shape(List<Key<?>> others) {
    SequencedMap<String, Shape> options = new LinkedHashMap<>();
    new TreeMap<>(RedisSettings.TYPES).forEach((name, redis) -> {
      Decoder<Node> described = Decoders.node().described(redis.shape());
      List<Key<?>> keys = new ArrayList<>(others);
      keys.add(Key.required("config", described, "how Redis is reached, as in `cache`"));
      options.put(name, new Shape.Members("a fleet", keys));
    });
    return new Shape.Choice("type", options);
  }

  private static Decoder<String> instance() {
    return Decoders.text().then((text, node, problems) -> {
      if (!text.matches(NAME)) {
        problems.error(node.at(), node.path(), "`" + Decoders.shortened(text) + "` is not a name",
            "at most 64 letters, digits, and any of `._:-`");
        return Optional.empty();
      }
      return Optional.of(text);
    });
  }
}
