package portcullis.policy.rule;

import java.io.ByteArrayOutputStream;
import java.net.http.HttpClient;
import java.time.InstantSource;
import java.util.Optional;
import java.util.stream.Collectors;
import portcullis.config.Enforcement;
import portcullis.config.Node;
import portcullis.config.Yaml;
import portcullis.crypto.keys.KeyRings;
import portcullis.lang.source.Problem;
import portcullis.lang.source.Problems;
import portcullis.lang.source.SourceFile;
import portcullis.observe.telemetry.Level;
import portcullis.observe.telemetry.Log;
import portcullis.observe.telemetry.LogFormat;
import portcullis.observe.telemetry.LogWriter;
import portcullis.policy.cache.Cache;
import portcullis.policy.catalogue.Catalogue;
import portcullis.policy.endpoint.EndpointClient;
import portcullis.policy.mechanism.MechanismContext;

/** Catalogues for tests, of YAML texts; nobody is called. */
public final class Catalogues {
  private Catalogues() {}

  public static MechanismContext context(Enforcement enforcement) {
    return context(enforcement, Cache.none());
  }

  private static MechanismContext context(Enforcement enforcement, Cache cache) {
    Log log = new Log(Level.DISABLED, LogFormat.TEXT, new LogWriter(new ByteArrayOutputStream()),
        InstantSource.system(), "");
    return new MechanismContext(new EndpointClient(Catalogues::nobody, cache), new KeyRings(InstantSource.system()),
        enforcement,
        InstantSource.system(), InstantSource.system(), log);
  }

  private static HttpClient nobody() {
    throw new IllegalStateException("nobody is called");
  }

  public static Catalogue of(String yaml, Enforcement enforcement, Problems problems) {
    return Catalogue.read(node(yaml, problems), context(enforcement), problems);
  }

  /** The same with a cache. */
  public static Catalogue of(String yaml, Enforcement enforcement, Problems problems, Cache cache) {
    return Catalogue.read(node(yaml, problems), context(enforcement, cache), problems);
  }

  public static Optional<Node> node(String yaml, Problems problems) {
    return Yaml.read(SourceFile.argument("f", yaml), problems);
  }

  /** All problems, one behind the other. */
  public static String reported(Problems problems) {
    return problems.sorted().stream().map(Problem::text).collect(Collectors.joining("; "));
  }
}
