package portcullis.cli;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.net.http.HttpClient;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import portcullis.crypto.keys.KeyRings;
import portcullis.http.client.ClientLimits;
import portcullis.http.client.WireClient;
import portcullis.lang.source.Problems;
import portcullis.lang.source.SourceFile;
import portcullis.observe.telemetry.Causes;
import portcullis.observe.telemetry.Log;
import portcullis.observe.telemetry.LogWriter;
import portcullis.policy.cache.Cache;
import portcullis.policy.cache.MonotonicClock;
import portcullis.policy.endpoint.CallLimits;
import portcullis.policy.endpoint.ClientPool;
import portcullis.policy.endpoint.EndpointClient;
import portcullis.policy.endpoint.RemoteServices;

/** Runs the services of a configuration until it is told to stop. */
final class Serve {
  private static final Duration DRAIN = Duration.ofSeconds(10);

  /** Who is told of a run. */
  interface Companion {
    Companion NOBODY = new Companion() {
      @Override
      public void begun() {}

      @Override
      public void over() {}
    };

    /** Requests can come. */
    void begun();

    /** All is over, however it came to that; the program may end right afterwards. */
    void over();
  }

  private final Console console;
  private final Companion companion;
  private final CountDownLatch ended = new CountDownLatch(1);
  private volatile int status = 1;

  Serve(Console console) {
    this(console, Companion.NOBODY);
  }

  Serve(Console console, Companion companion) {
    this.console = console;
    this.companion = companion;
  }

  int run(Arguments arguments, boolean proxy) {
    Problems problems = new Problems();
    ConfigurationFile file = new ConfigurationFile(arguments.value(Flags.CONFIG), Surroundings.of(arguments),
        Flags.enforcement(arguments));
    return run(file.settings(problems), Orders.of(arguments, proxy, Optional.of(file)), problems);
  }

  /** The same on a configuration that has been read; the arguments say what is insisted on. */
  int run(SourceFile configuration, Surroundings surroundings, Arguments arguments, boolean proxy) {
    Problems problems = new Problems();
    Optional<Settings> settings = Program.settings(configuration, surroundings, Flags.enforcement(arguments), problems);
    return run(settings, Orders.of(arguments, proxy, Optional.empty()), problems);
  }

  private int run(Optional<Settings> settings, Orders orders, Problems problems) {
    if (settings.isEmpty()) {
      console.show(problems);
      return 1;
    }
    try (LogWriter writer = new LogWriter(new FileOutputStream(FileDescriptor.out), this::unwritten)) {
      InstantSource clock = InstantSource.system();
      Settings.Logging logging = settings.get().log();
      Log log = new Log(logging.level(), logging.format(), writer, clock, hostName(), logging.accessLog());
      orders.configuration().ifPresent(_ -> Hangup.hold(log));
      log.info("Starting portcullis", "_version", Main.version());
      Cautions.tell(logging, System.getenv(), log);
      orders.insecure().forEach(flag -> log.warn("Enforcement of secure settings disabled", "_flag", flag));
      try (BackgroundFaults faults = BackgroundFaults.handled(log)) {
        return serve(settings.get(), orders, log, faults, clock, problems);
      } catch (RuntimeException | Error e) {
        log.fatal("Service failed", "_error", Causes.text(e));
        throw e;
      }
    } finally {
      companion.over();
      ended.countDown();
    }
  }

  /** Where the log itself cannot be written, that is said where problems of the start are. */
  private void unwritten(String why) {
    console.complain("the log cannot be written, lines of it are lost: " + why);
  }

  private int serve(Settings settings, Orders orders, Log log, BackgroundFaults faults, InstantSource clock,
      Problems problems) {
    RemoteServices services = new RemoteServices(new MonotonicClock());
    try (WireClient client = new WireClient(ClientLimits.DEFAULT);
        WireClient upstreams = new WireClient(settings.main().upstreamLimits());
        Telemetry telemetry = Telemetry.start(settings, System.getenv(), log, clock, problems);
        ClientPool clients = clients(telemetry, client, new MonotonicClock())) {
      telemetry.registry().ifPresent(faults::measure);
      Program program = Program.make(settings, orders.enforcement(), orders.proxy(), log, clock,
          (cache, keys) -> caller(clients, telemetry.counted(cache), keys, clock, services), problems);
      if (!problems.hasErrors()) {
        program.load(problems);
        program.connect(problems);
      }
      problems.sorted().stream().filter(p -> !p.isError()).forEach(p -> log.warn(p.text()));
      if (problems.hasErrors()) {
        console.show(problems);
        return 1;
      }
      return running(new Running(program, orders, telemetry.watched(upstreams), telemetry, log, clock), log);
    }
  }

  private static ClientPool clients(Telemetry telemetry, HttpClient client, InstantSource clock) {
    HttpClient watched = telemetry.watched(client);
    return new ClientPool(() -> watched, telemetry::watched, clock);
  }

  private static EndpointClient caller(ClientPool clients, Cache cache, KeyRings keys, InstantSource clock,
      RemoteServices services) {
    return new EndpointClient(clients, cache, keys, clock, CallLimits.STANDARD, services);
  }

  private int running(Running running, Log log) {
    CountDownLatch told = new CountDownLatch(1);
    // the JVM ends when its hooks have: until then requests are finished; left to itself it ends with the signal's
    // status
    Thread hook = Thread.ofPlatform().unstarted(() -> {
      told.countDown();
      await(ended);
      Runtime.getRuntime().halt(status);
    });
    try {
      running.start();
      Runtime.getRuntime().addShutdownHook(hook);
      companion.begun();
      told.await();
      running.stop(DRAIN);
      status = 0;
      return 0;
    } catch (IOException e) {
      log.error("Start failed", "_error", e.getMessage());
      console.complain(e.getMessage());
      running.stop(Duration.ZERO);
      return 1;
    } catch (RuntimeException | Error e) {
      running.stop(Duration.ZERO);
      throw e;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return 1;
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  private static String hostName() {
    try {
      return InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException _) {
      return "unknown";
    }
  }
}
