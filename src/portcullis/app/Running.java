package portcullis.app;

import java.io.IOException;
import java.net.http.HttpClient;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import portcullis.catalogue.Catalogue;
import portcullis.decision.Decider;
import portcullis.keys.KeyEntry;
import portcullis.keys.KeyFault;
import portcullis.keys.PublishedKeys;
import portcullis.service.Listener;
import portcullis.service.ListenerSettings;
import portcullis.service.Services;
import portcullis.telemetry.Log;

/** The listeners of a program; for one thread. */
final class Running {
  private final Program program;
  private final boolean proxy;
  private final boolean envoy;
  private final HttpClient client;
  private final Log log;
  private final InstantSource clock;
  private final List<Listener> listeners = new ArrayList<>();

  /**
   * Those of a program that has its rules.
   *
   * @param envoy whether what does not forward speaks with Envoy
   */
  Running(Program program, boolean proxy, boolean envoy, HttpClient client, Log log, InstantSource clock) {
    this.program = program;
    this.proxy = proxy;
    this.envoy = envoy;
    this.client = client;
    this.log = log;
    this.clock = clock;
  }

  /** Opens the listeners, the main one last. */
  void start() throws IOException {
    Services services = new Services(log, clock);
    Decider decider = new Decider(program.reloader()::snapshot, log);
    listeners.add(services.management(program.settings().management(), program.tls().management(), this::keys));
    listeners.add(main(services, decider));
    program.watch();
  }

  private Listener main(Services services, Decider decider) throws IOException {
    ListenerSettings settings = program.settings().main();
    if (proxy) {
      return services.proxy(settings, program.tls().main(), decider, client);
    }
    return envoy ? services.envoy(settings, program.tls().main(), decider, () -> true)
        : services.decision(settings, program.tls().main(), decider);
  }

  /** The port of the main service. */
  int port() {
    return listeners.getLast().port();
  }

  private PublishedKeys keys() {
    Catalogue catalogue = program.reloader().snapshot().catalogue();
    List<KeyEntry> all = new ArrayList<>();
    catalogue.finalizers().definitions().forEach(d -> all.addAll(d.mechanism().keys()));
    try {
      return PublishedKeys.of(all);
    } catch (KeyFault e) {
      log.error("Failed to publish keys", "_error", e.getMessage());
      throw new IllegalStateException(e.getMessage(), e);
    }
  }

  /** Finishes running requests, for that long at most, and ends. */
  void stop(Duration time) {
    program.close();
    for (Listener listener : listeners.reversed()) {
      listener.stop(time);
    }
  }
}
