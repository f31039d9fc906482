package portcullis.serve.runtime;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.net.http.HttpClient;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.CountDownLatch;
import portcullis.crypto.keys.CryptoProvider;
import portcullis.http.client.ClientLimits;
import portcullis.http.client.WireClient;
import portcullis.lang.source.Problems;
import portcullis.observe.telemetry.Causes;
import portcullis.observe.telemetry.Log;
import portcullis.observe.telemetry.LogWriter;
import portcullis.observe.telemetry.MachineName;
import portcullis.policy.cache.MonotonicClock;
import portcullis.policy.endpoint.CallLimits;
import portcullis.policy.endpoint.ClientPool;
import portcullis.policy.endpoint.EndpointClient;
import portcullis.policy.endpoint.RemoteServices;

/** Runs the services of a configuration until the process is terminated. For one use. */
public final class Server {
  private static final Duration DRAIN = Duration.ofSeconds(10);

  private final ServeOptions options;
  private final ServerEvents events;
  private final CountDownLatch ended = new CountDownLatch(1);
  private volatile int status = 1;

  public Server(ServeOptions options, ServerEvents events) {
    this.options = options;
    this.events = events;
  }

  /**
   * Starts the services and returns after they have ended.
   *
   * @param problems of reading the settings, warnings only
   * @return the exit status of the process
   */
  public int run(Settings settings, Problems problems) {
    try (LogWriter writer = new LogWriter(new FileOutputStream(FileDescriptor.out), this::logFailed)) {
      CryptoProvider.prepare();
      InstantSource clock = InstantSource.system();
      Settings.Logging logging = settings.log();
      Log log = new Log(logging.level(), logging.format(), writer, clock, MachineName.read(), logging.accessLog());
      options.configuration().ifPresent(_ -> SighupHandler.install(log));
      log.info("Starting portcullis", "_version", Version.current());
      if (settings.namesKeyStore()) {
        CryptoProvider.load(); // while the rest is read; otherwise once requests are served
      }
      StartupWarnings.log(logging, System.getenv(), log);
      options.disabledChecks().forEach(flag -> log.warn("Enforcement of secure settings disabled", "_flag", flag));
      try (UncaughtErrors errors = UncaughtErrors.installed(log)) {
        return serve(settings, log, errors, clock, problems);
      } catch (RuntimeException | Error e) {
        log.fatal("Service failed", "_error", Causes.text(e));
        throw e;
      }
    } finally {
      events.ended();
      ended.countDown();
    }
  }

  private void logFailed(String why) {
    events.failed("cannot write the log, lines of it are lost: " + why);
  }

  private int serve(Settings settings, Log log, UncaughtErrors errors, InstantSource clock, Problems problems) {
    RemoteServices services = new RemoteServices(new MonotonicClock());
    try (WireClient client = new WireClient(ClientLimits.DEFAULT);
        WireClient upstreams = new WireClient(settings.main().upstreamLimits());
        Telemetry telemetry = Telemetry.start(settings, System.getenv(), log, clock, problems);
        ClientPool clients = clients(telemetry, client, new MonotonicClock())) {
      telemetry.registry().ifPresent(errors::measure);
      Program program = Program.make(settings, options.enforcement(), options.isProxy(), log, clock,
          (cache, keys) -> new EndpointClient(clients, telemetry.counted(cache), keys, clock, CallLimits.DEFAULT,
              services),
          problems);
      CertificateChecks.check(settings, options.service() == ServeOptions.MainService.ENVOY, problems);
      boolean usable = !problems.hasErrors();
      program.load(problems); // which changes nothing where there are errors, but adds those of the rules
      if (usable) {
        program.connect(problems);
        if (!problems.hasErrors()) {
          program.recordBundles(problems);
        }
      }
      problems.sorted().stream().filter(p -> !p.isError()).forEach(p -> log.warn(p.text()));
      if (problems.hasErrors()) {
        events.invalid(problems);
        return 1;
      }
      try (ServiceManager manager = ServiceManager.of(System.getenv(), log)) {
        return run(new RunningServices(program, options, telemetry.watched(upstreams), telemetry, manager, log, clock),
            log);
      }
    }
  }

  private static ClientPool clients(Telemetry telemetry, HttpClient client, InstantSource clock) {
    HttpClient watched = telemetry.recorded(client);
    return new ClientPool(() -> watched, telemetry::recorded, clock);
  }

  private int run(RunningServices running, Log log) {
    CountDownLatch signal = new CountDownLatch(1);
    // the JVM ends when its hooks have: until then requests are finished; without halt its exit status is the signal's
    Thread hook = Thread.ofPlatform().unstarted(() -> {
      signal.countDown();
      await(ended);
      Runtime.getRuntime().halt(status);
    });
    try {
      // before anything listens: who sees that may send a signal at once
      Runtime.getRuntime().addShutdownHook(hook);
      running.start();
      events.started(running.status());
      signal.await();
      running.drain(DRAIN);
      status = 0;
      return 0;
    } catch (IOException e) {
      log.error("Start failed", "_error", e.getMessage());
      events.failed(e.getMessage());
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
}
