package portcullis.policy.authorizer;

import java.net.InetAddress;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import portcullis.config.Decoder;
import portcullis.config.Decoders;
import portcullis.config.Key;
import portcullis.http.message.Field;
import portcullis.http.message.Fields;
import portcullis.lang.address.Network;
import portcullis.lang.expression.ErrorKind;
import portcullis.lang.source.LocatedText;
import portcullis.lang.source.Problems;
import portcullis.lang.template.Template;
import portcullis.lang.value.HostObject;
import portcullis.lang.value.Value;
import portcullis.policy.cache.CacheKey;
import portcullis.policy.endpoint.TemplateVariables;
import portcullis.policy.limit.Bucket;
import portcullis.policy.limit.Rate;
import portcullis.policy.limit.RateCounts;
import portcullis.policy.limit.RateStore;
import portcullis.policy.mechanism.Failure;
import portcullis.policy.mechanism.Mechanism;
import portcullis.policy.mechanism.MechanismContext;
import portcullis.policy.mechanism.MechanismType;
import portcullis.policy.mechanism.PipelineState;
import portcullis.policy.mechanism.RequestAdditions;
import portcullis.policy.mechanism.Templates;
import portcullis.policy.mechanism.Values;

/** Bounds how often requests with the same key are allowed: a token bucket for each key. */
public record RateLimit(Config config, Bucket bucket, MechanismContext context) implements Mechanism.Authorizer {
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9._-]{1,64}");
  private static final Value.Dict CLIENT = Value.dict("Client", new Client(Optional.empty()));
  /** How a template prints what is missing. */
  private static final String MISSING = "<no value>";
  private static final Duration LONGEST = Duration.ofDays(31);

  private static final Key<Optional<StoreSetting>> STORE_KEY = Key.optional("store",
      Decoders.oneOf("memory", "redis").then((name, node, _) -> Optional.of(
          new StoreSetting(name.equals("redis") ? Store.REDIS : Store.MEMORY, Optional.of((LocatedText) node)))),
      "where buckets are kept: `memory`, the default, for each instance, or `redis` for all that share the cache");
  private static final Key<Optional<String>> OUTAGE_KEY = Key.optional("on_outage",
      Decoders.oneOf("memory", "allow", "deny"),
      "while Redis cannot be used: `memory`, the default, counts in each instance, `allow` and `deny` decide for all");

  public static final MechanismType<Config, Mechanism.Authorizer> TYPE = MechanismType.of(Mechanism.Authorizer.class,
      "rate_limit", settings(), RateLimit::refined, RateLimit::make)
      .purpose("Bounds how often requests are allowed, by a token bucket for each key: a subject, a client network, "
          + "anything that a template can read. Responses have the fields `RateLimit` and `RateLimit-Policy`.")
      .fails(ErrorKind.TOO_MANY_REQUESTS, "there have been too many requests with this key")
      .fails(ErrorKind.PRECONDITION,
          "the key is empty or contains `<no value>`, as by a missing attribute: such requests "
              + "would share a bucket")
      .fails(ErrorKind.COMMUNICATION, "Redis cannot be used and `on_outage` is `deny`")
      .fails(ErrorKind.INTERNAL, "the template of the key fails");

  /** Where buckets are kept. */
  public enum Store {
    MEMORY, REDIS
  }

  /** What is done while Redis cannot be used. */
  public enum Outage {
    MEMORY, ALLOW, DENY
  }

  /** The settings. @param burst empty for the count of the rate */
  public record Config(String name, LocatedText text, Template key, Rate rate, Optional<Long> burst, StoreSetting store,
      Outage outage, Values values) {}

  /** Where buckets are kept, and where that is written. */
  record StoreSetting(Store store, Optional<LocatedText> written) {}

  private record KeyTemplate(LocatedText text, Template template) {}

  /** The client of a request, as templates read it. @param address empty if it is not known */
  private record Client(Optional<InetAddress> address) implements HostObject {
    /** What proxies write for it too (RFC 7239, 6.2). */
    private static final String UNKNOWN = "unknown";

    @Override
    public String name() {
      return "Client";
    }

    @Override
    public Set<String> members() {
      return Set.of("Address", "Network");
    }

    @Override
    public Optional<Value> member(String name) {
      return switch (name) {
        case "Address" -> Optional.of(Value.of(address.map(InetAddress::getHostAddress).orElse(UNKNOWN)));
        case "Network" -> Optional.of(Value.of(address.map(known -> Network.ofPeer(known).toString()).orElse(UNKNOWN)));
        default -> Optional.empty();
      };
    }

    @Override
    public String text() {
      return address.map(InetAddress::getHostAddress).orElse(UNKNOWN);
    }
  }

  private static Decoder<KeyTemplate> template() {
    Decoder<String> written = Decoders.nonEmpty();
    return Decoder.of(written.shape(), (node, problems) -> written.decode(node, problems)
        .flatMap(_ -> TemplateVariables.compile((LocatedText) node, CLIENT, problems))
        .map(template -> new KeyTemplate((LocatedText) node, template)));
  }

  private static Decoder<Rate> rate() {
    Decoder<Rate> any = Decoders.anyScalar().then((text, node, problems) -> {
      Optional<Rate> rate = Rate.parse(text);
      if (rate.isEmpty()) {
        problems.error(node.at(), node.path(), "`" + Decoders.shortened(text) + "` is not a rate",
            "write requests and a period of at most 744h, as `100/1m` or `10/s`");
      }
      return rate;
    });
    return Decoder.of(Decoders.nonEmpty().shape(), any::decode); // a number, too, gets the message of a rate
  }

  private static Decoder<String> name() {
    return Decoders.nonEmpty().then((text, node, problems) -> {
      if (NAME.matcher(text).matches()) {
        return Optional.of(text);
      }
      problems.error(node.at(), node.path(), "`" + Decoders.shortened(text) + "` is not a name",
          "1 to 64 letters, digits, dots, underscores and hyphens");
      return Optional.empty();
    });
  }

  private static Decoder<Config> settings() {
    Key<KeyTemplate> key = Key.required("key", template(),
        "what is counted, a template that also reads `Client.Network` and `Client.Address`");
    Key<Rate> rate = Key.required("rate", rate(), "how many requests of a key are allowed in a period, as `100/1m`");
    Key<Optional<Long>> burst = burst();
    Key<String> name = Key.withDefault("name", name(), "default", "the name of the limit in responses and metrics");
    Key<Values> values = Key.withDefault("values", Values.decoder(), Values.NONE,
        "strings that the template reads as `Values`");
    return Decoders.checked("settings", List.of(key, rate, burst, name, STORE_KEY, OUTAGE_KEY, values),
        (p, problems) -> {
          StoreSetting store = p.get(STORE_KEY).orElse(new StoreSetting(Store.MEMORY, Optional.empty()));
          if (store.store == Store.MEMORY && p.has(OUTAGE_KEY)) {
            problems.error(p.at(OUTAGE_KEY), p.path(OUTAGE_KEY), "`on_outage` has no effect",
                "it is for `store: redis`");
            return Optional.empty();
          }
          Outage outage = p.get(OUTAGE_KEY).map(RateLimit::outage).orElse(Outage.MEMORY);
          return Optional.of(new Config(p.get(name), p.get(key).text, p.get(key).template, p.get(rate), p.get(burst),
              store, outage, p.get(values)));
        });
  }

  private static Key<Optional<Long>> burst() {
    return Key.optional("burst", Decoders.whole(1, 1_000_000_000),
        "how many may come at once; default the number of the rate");
  }

  private static Outage outage(String name) {
    return name.equals("allow") ? Outage.ALLOW : name.equals("deny") ? Outage.DENY : Outage.MEMORY;
  }

  private static Decoder<Config> refined(Config c) {
    Key<Rate> rate = Key.withDefault("rate", rate(), c.rate, "overrides the rate of the definition");
    Key<Optional<Long>> burst = burst();
    Key<String> name = Key.withDefault("name", name(), c.name, "overrides the name of the definition");
    Key<Values> values = Key.withDefault("values", Values.decoder(), Values.NONE,
        "overrides values with the same name");
    return Decoders.object("settings", List.of(rate, burst, name, values),
        p -> new Config(p.get(name), c.text, c.key, p.get(rate),
            p.get(burst).or(() -> p.has(rate) ? Optional.empty() : c.burst), c.store, c.outage,
            c.values.overlaid(p.get(values))));
  }

  private static Optional<Mechanism.Authorizer> make(Config config, MechanismContext context, Problems problems) {
    Bucket bucket = Bucket.of(config.rate, config.burst.orElse(config.rate.count()));
    if (bucket.period().compareTo(LONGEST) > 0) {
      problems.error(config.text.at(0, 0), config.text.path(), "the bucket of this limit takes more than 744h to fill",
          "write a higher rate or a smaller `burst`");
      return Optional.empty();
    }
    if (config.store.store == Store.REDIS && context.limits().shared().isEmpty()) {
      LocatedText written = config.store.written.orElse(config.text);
      problems.error(written.at(0, written.text().length()), written.path(),
          "`store: redis` needs the cache to be in Redis", "configure `cache`, or write `store: memory`");
      return Optional.empty();
    }
    return Optional.of(new RateLimit(config, bucket, context));
  }

  @Override
  public boolean once() {
    return true;
  }

  @Override
  public Mechanism.Outcome authorize(PipelineState state) throws Failure {
    Optional<RateStore.Result> result = result(key(state));
    if (result.isEmpty()) {
      context.limits().counts().add(config.name, RateCounts.Outcome.OUTAGE);
      return Mechanism.Outcome.PASSED;
    }
    context.limits().counts().add(config.name, result.get().allowed() ? RateCounts.Outcome.ALLOWED
        : RateCounts.Outcome.REFUSED);
    if (!result.get().allowed()) {
      throw new Failure.TooManyRequests("rate limit `" + config.name + "` exceeded", "", result.get().retry(),
          Fields.of(fields(result.get())));
    }
    return new Mechanism.Outcome(Optional.empty(), RequestAdditions.NONE, fields(result.get()));
  }

  private CacheKey key(PipelineState state) throws Failure {
    Map<String, Value> scope = new HashMap<>(config.values.in(state.scope()).members());
    scope.put("Client", new Client(state.request().client()));
    String text = Templates.text(config.key, new Value.Dict(scope), "key of the rate limit");
    if (text.isBlank() || text.contains(MISSING)) {
      throw new Failure.Precondition("the key of the rate limit `" + config.name + "` "
          + (text.isBlank() ? "is empty" : "contains `" + MISSING + "`: something that it reads is missing"));
    }
    return CacheKey.of("rate limit", config.name, config.rate.toString(), Long.toString(bucket.burst()),
        config.text.text(), text);
  }

  /** Returns an empty optional where requests are allowed uncounted. */
  private Optional<RateStore.Result> result(CacheKey key) throws Failure {
    try {
      RateStore store = config.store.store == Store.MEMORY ? context.limits().memory()
          : context.limits().shared().orElseThrow();
      return Optional.of(store.take(key, bucket));
    } catch (RateStore.UnavailableException e) {
      return switch (config.outage) {
        case ALLOW -> Optional.empty();
        case DENY -> throw new Failure.Communication("rate limit `" + config.name + "` cannot be checked",
            e.getMessage(), false);
        case MEMORY -> inMemory(key);
      };
    }
  }

  private Optional<RateStore.Result> inMemory(CacheKey key) {
    try {
      return Optional.of(context.limits().memory().take(key, bucket));
    } catch (RateStore.UnavailableException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Returns the fields of the draft "RateLimit header fields for HTTP", as Structured Fields (RFC 9651). */
  private List<Field> fields(RateStore.Result result) {
    return List.of(
        new Field("RateLimit-Policy",
            "\"" + config.name + "\";q=" + bucket.burst() + ";w=" + seconds(bucket.period())),
        new Field("RateLimit", "\"" + config.name + "\";r=" + result.remaining() + ";t="
            + seconds(result.allowed() ? result.full() : result.retry())));
  }

  private static long seconds(Duration time) {
    return time.plusNanos(999_999_999).toSeconds();
  }
}
