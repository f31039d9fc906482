package portcullis.app;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import portcullis.cache.Cache;
import portcullis.catalogue.Catalogue;
import portcullis.config.Decoder;
import portcullis.config.Enforcement;
import portcullis.config.Node;
import portcullis.config.Yaml;
import portcullis.endpoint.Caller;
import portcullis.keys.KeyRings;
import portcullis.keys.ServerTls;
import portcullis.mechanism.Tools;
import portcullis.pipeline.Pipeline;
import portcullis.provider.Change;
import portcullis.provider.FileSystem;
import portcullis.redis.RedisCache;
import portcullis.redis.RedisSettings;
import portcullis.rule.RuleReader;
import portcullis.source.Origin;
import portcullis.source.Problems;
import portcullis.source.SourceFile;
import portcullis.telemetry.Log;

/** What a configuration makes: everything but listeners. Made in steps, so that all that is wrong can be told at once. */
final class Program {
  private final Settings settings;
  private final Tls tls;
  private final Log log;
  private final Tools tools;
  private final Reloader reloader;
  private final Optional<FileSystem> files;

  private Program(Settings settings, Tls tls, Log log, Tools tools, Reloader reloader, Optional<FileSystem> files) {
    this.settings = settings;
    this.tls = tls;
    this.log = log;
    this.tools = tools;
    this.reloader = reloader;
    this.files = files;
  }

  /** The settings of a file; empty exactly if an error was added. */
  static Optional<Settings> settings(SourceFile file, Surroundings surroundings, Enforcement enforcement, Problems problems) {
    long before = problems.errors();
    Decoder<Settings> decoder = Settings.decoder(enforcement);
    Optional<Node> root = surroundings.filled(file, problems).flatMap(text -> Yaml.read(text, problems));
    if (problems.errors() == before) {
      root = surroundings.overlaid(root, decoder.shape(), problems);
    }
    if (root.isEmpty() && problems.errors() == before) {
      root = Yaml.read(new SourceFile(file.name(), "{}"), problems);
    }
    Optional<Settings> settings = root.flatMap(node -> decoder.decode(node, problems));
    settings.ifPresent(s -> {
      s.main().requireTls(enforcement.ingressTls(), "serve", problems);
      s.management().requireTls(enforcement.ingressTls(), "management", problems);
    });
    return problems.errors() > before ? Optional.empty() : settings;
  }

  /** The certificates of the listeners. */
  record Tls(Optional<ServerTls> main, Optional<ServerTls> management) {
    static Tls of(Settings settings, Instant now, Problems problems) {
      return new Tls(settings.main().tls().flatMap(t -> t.load(now, problems)),
          settings.management().tls().flatMap(t -> t.load(now, problems)));
    }
  }

  /** What remote parties are called with. */
  interface Network {
    Caller caller(Cache cache);
  }

  /**
   * Makes mechanisms and rules of the settings; what is wrong is added to the problems.
   *
   * @param proxy whether every rule needs an upstream
   */
  static Program make(Settings settings, Enforcement enforcement, boolean proxy, Log log, InstantSource clock, Network network,
      Problems problems) {
    Cache cache = settings.cache().cache(enforcement, clock, log, problems);
    Tools tools = new Tools(network.caller(cache), new KeyRings(clock), enforcement, clock, log);
    log.info(settings.cache().told());
    log.info("Loading mechanism catalogue");
    Catalogue catalogue = Catalogue.read(settings.mechanisms(), tools, problems);
    log.info(settings.defaultRule().isPresent() ? "Loading default rule" : "No default rule configured");
    Optional<Pipeline> standard = settings.defaultRule().flatMap(node -> RuleReader.standard(node, catalogue, problems));
    RuleReader reader = new RuleReader(catalogue, standard, proxy, settings.providers().files()
        .filter(Settings.Files::environment).map(_ -> System.getenv()));
    Optional<FileSystem> files = settings.providers().files().flatMap(f -> files(f, log, problems));
    log.debug("Rule set event queue created");
    return new Program(settings, Tls.of(settings, clock.instant(), problems), log, tools, new Reloader(catalogue, standard, reader, log), files);
  }

  private static Optional<FileSystem> files(Settings.Files settings, Log log, Problems problems) {
    Origin at = settings.src().at(0, settings.src().text().length());
    try {
      Path src = Path.of(settings.src().text());
      if (!settings.src().text().isBlank() && java.nio.file.Files.exists(src)) {
        return Optional.of(new FileSystem(src, log));
      }
    } catch (InvalidPathException _) {
      // said below
    }
    problems.error(at, settings.src().path(), "there is no file or folder `" + settings.src().text() + "`", "");
    return Optional.empty();
  }

  /** Connects to Redis, where answers are kept there: settings that are wrong show at the start. */
  void connect(Problems problems) {
    if (settings.cache() instanceof CacheSettings.InRedis(RedisSettings redis) && tools.caller().cache() instanceof RedisCache cache) {
      cache.trouble().ifPresent(why -> problems.error(redis.at(), "cache.config", "Redis cannot be used: " + why, ""));
    }
  }

  /** Reads the rules. */
  void load(Problems problems) {
    if (settings.providers().files().isEmpty()) {
      log.warn("No rule provider configured. Only defaults will be used.");
    }
    files.ifPresent(source -> {
      List<Change> changes = source.load(settings.providers().files().orElseThrow().src().at(0), problems);
      reloader.begin(changes, problems);
    });
  }

  /** Begins to take up changes of the rules, where that is configured. */
  void watch() {
    if (settings.providers().files().filter(Settings.Files::watch).isPresent()) {
      files.ifPresent(source -> source.watch(reloader::apply));
    } else if (files.isPresent()) {
      log.info("Watching of rules is not configured. Updates to rules will have no effect");
    }
  }

  void close() {
    files.ifPresent(FileSystem::close);
    if (tools.caller().cache() instanceof RedisCache cache) {
      cache.close();
    }
  }

  Settings settings() {
    return settings;
  }

  Tls tls() {
    return tls;
  }

  Reloader reloader() {
    return reloader;
  }

  Tools tools() {
    return tools;
  }
}
