package portcullis.serve.runtime;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.http.HttpClient;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import portcullis.config.Enforcement;
import portcullis.fixture.Await;
import portcullis.lang.source.Problem;
import portcullis.lang.source.Problems;
import portcullis.observe.telemetry.Level;
import portcullis.observe.telemetry.Log;
import portcullis.observe.telemetry.LogFormat;
import portcullis.observe.telemetry.LogWriter;
import portcullis.policy.endpoint.CallLimits;
import portcullis.policy.endpoint.ClientPool;
import portcullis.policy.endpoint.EndpointClient;
import portcullis.policy.route.Lookup;

/** A configuration and rules in a folder, and the program that is made of them, without listeners. */
public final class Site implements AutoCloseable {
  public static final String MECHANISMS = """
      mechanisms:
        authenticators: [{id: anon, type: anonymous}, {id: none, type: unauthorized}]
        finalizers: [{id: noop, type: noop}]
      default_rule: {execute: [{authenticator: none}, {finalizer: noop}]}
      """;
  static final String FILES = "providers: {file_system: {src: %s, watch: true}}\n";

  private final Path folder;
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final LogWriter writer = new LogWriter(out);
  /** How much later it is for the program than it is. */
  volatile Duration ahead = Duration.ZERO;
  private final Log log = new Log(Level.DEBUG, LogFormat.TEXT, writer, InstantSource.system(), "");
  private Program program;
  private ReloadTask reloadTask;

  Site(Path folder) throws IOException {
    this.folder = folder;
    Files.createDirectories(folder.resolve("rules"));
  }

  /** Mechanisms and watched rule files. */
  String defaultConfig() {
    return MECHANISMS + FILES.formatted(folder.resolve("rules"));
  }

  public static String rule(String id, String path) {
    return rule(id, path, "anon");
  }

  public static String rule(String id, String path, String authenticator) {
    return "- {id: %s, match: {routes: [{path: \"%s\"}]}, execute: [{authenticator: %s}]}\n".formatted(id, path,
        authenticator);
  }

  Site config(String yaml) throws IOException {
    put("config.yaml", yaml);
    return this;
  }

  Site rules(String name, String... rules) throws IOException {
    put("rules/" + name, rules.length == 0 ? "" : "version: 1alpha4\nrules:\n" + String.join("", rules));
    return this;
  }

  private void put(String name, String text) throws IOException {
    Path aside = Files.writeString(folder.resolve(".aside"), text);
    Files.move(aside, folder.resolve(name), StandardCopyOption.ATOMIC_MOVE);
  }

  /** Reads all and begins to keep it up to date; what is wrong at the start fails the test. */
  Site start() {
    ConfigurationFile file = new ConfigurationFile(Optional.of(folder.resolve("config.yaml").toString()),
        new EnvironmentOverrides(Map.of(), List.of()), Enforcement.NONE);
    Problems problems = new Problems();
    program = Program.make(file.settings(problems).orElseThrow(() -> new AssertionError(reported(problems))),
        Enforcement.NONE, false, log,
        () -> Instant.now().plus(ahead),
        (cache, keys) -> new EndpointClient(ClientPool.of(HttpClient::newHttpClient), cache, keys,
            InstantSource.system(),
            CallLimits.DEFAULT),
        problems);
    program.load(problems);
    program.recordBundles(problems);
    if (problems.hasErrors()) {
      throw new AssertionError(reported(problems));
    }
    reloadTask = new ReloadTask(program, Optional.of(file), ServiceManager.NONE, log);
    reloadTask.know();
    reloadTask.start();
    return this;
  }

  private static String reported(Problems problems) {
    return problems.sorted().stream().map(Problem::text).collect(Collectors.joining("\n"));
  }

  Program program() {
    return program;
  }

  ReloadTask reloadTask() {
    return reloadTask;
  }

  /** The id of the rule for that path, {@code -} where there is none. */
  String found(String path) {
    return program.reloader().snapshot().index().find(Lookup.of("http", "GET", "any.test", path))
        .map(m -> m.value().id()).orElse("-");
  }

  /** Returns what has been logged until now: lines are written by another thread. */
  String log() {
    String mark = "log read " + UUID.randomUUID();
    log.debug(mark);
    until(() -> out.toString(StandardCharsets.UTF_8).contains(mark), () -> "the log has no line of it");
    return out.toString(StandardCharsets.UTF_8);
  }

  void awaitFound(String path, String id) {
    await(() -> found(path).equals(id), path + " never found `" + id + "`");
  }

  void awaitLog(String part) {
    await(() -> log().contains(part), "never logged `" + part + "`");
  }

  void await(BooleanSupplier wanted, String otherwise) {
    until(wanted::getAsBoolean, () -> otherwise + ":\n" + log());
  }

  private static void until(Callable<Boolean> condition, Callable<String> report) {
    try {
      Await.until(condition, report);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() {
    reloadTask.close();
    program.close();
    writer.close();
  }
}
