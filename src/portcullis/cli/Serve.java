package portcullis.cli;

import java.util.Optional;
import portcullis.crypto.keys.CryptoProvider;
import portcullis.lang.source.Problems;
import portcullis.serve.runtime.ConfigurationFile;
import portcullis.serve.runtime.RuleCheck;
import portcullis.serve.runtime.ServeOptions.MainService;
import portcullis.serve.runtime.ServeOptions;
import portcullis.serve.runtime.Server;
import portcullis.serve.runtime.ServerEvents;
import portcullis.serve.runtime.Settings;
import portcullis.serve.service.StatusSource;

/** Runs {@code serve}: the services of a configuration until the process is terminated. */
final class Serve {
  private final Console console;

  Serve(Console console) {
    this.console = console;
  }

  int proxy(Arguments arguments) {
    return run(arguments, MainService.PROXY);
  }

  int decision(Arguments arguments) {
    return run(arguments, arguments.on(Flags.ENVOY.name()) ? MainService.ENVOY : MainService.DECISION);
  }

  private int run(Arguments arguments, MainService service) {
    CryptoProvider.prepare(); // beside the reading of the configuration
    ConfigurationFile file = Flags.configuration(arguments);
    Problems problems = new Problems();
    Optional<Settings> settings = file.settings(new RuleCheck(service == MainService.PROXY, Optional.empty()),
        problems);
    if (settings.isEmpty()) {
      console.show(problems);
      if (!arguments.has(Flags.CONFIG)) {
        console.note("no configuration is named: name one by `" + Flags.CONFIG + " FILE`");
      }
      return 1;
    }
    ServeOptions options = new ServeOptions(service, file.enforcement(), Flags.insecure(arguments), Optional.of(file));
    return new Server(options, new Events(console)).run(settings.get(), problems);
  }

  /** Reports a run of the services on the console. */
  static class Events implements ServerEvents {
    private final Console console;

    Events(Console console) {
      this.console = console;
    }

    @Override
    public void started(StatusSource status) {}

    @Override
    public void ended() {}

    @Override
    public void invalid(Problems problems) {
      console.show(problems);
    }

    @Override
    public void failed(String message) {
      console.complain(message);
    }
  }
}
