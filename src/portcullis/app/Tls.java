package portcullis.app;

import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import portcullis.keys.KeyFault;
import portcullis.keys.ServerTls;
import portcullis.keys.TrustStore;
import portcullis.service.ListenerSettings;
import portcullis.source.LocatedText;
import portcullis.source.Problems;

/** The certificates of the listeners. */
final class Tls {
  private final Optional<ServerTls> main;
  private final Optional<ServerTls> management;
  private final List<Live> live = new ArrayList<>();
  private final InstantSource clock;

  /** What a listener uses and how it came by it. */
  private record Live(ListenerSettings.Tls settings, ServerTls tls) {
    Path file() {
      return path(settings.keyStore());
    }

    Optional<Path> trustFile() {
      return settings.clientAuth().map(clients -> path(clients.trustStore()));
    }

    private static Path path(LocatedText text) {
      return Path.of(text.text()).toAbsolutePath().normalize();
    }
  }

  private Tls(Settings settings, InstantSource clock, Problems problems) {
    this.clock = clock;
    main = settings.main().tls().flatMap(t -> loaded(t, problems));
    management = settings.management().tls().flatMap(t -> loaded(t, problems));
  }

  /** Reads the keys; adds a problem for each listener whose key cannot be used. */
  static Tls of(Settings settings, InstantSource clock, Problems problems) {
    return new Tls(settings, clock, problems);
  }

  private Optional<ServerTls> loaded(ListenerSettings.Tls settings, Problems problems) {
    Optional<ServerTls> tls = settings.load(clock.instant(), problems);
    tls.ifPresent(t -> live.add(new Live(settings, t)));
    return tls;
  }

  Optional<ServerTls> main() {
    return main;
  }

  Optional<ServerTls> management() {
    return management;
  }

  /** The key stores in use. */
  List<Path> files() {
    return live.stream().map(Live::file).distinct().toList();
  }

  /** The files of who issues certificates of clients. */
  List<Path> trustFiles() {
    return live.stream().flatMap(one -> one.trustFile().stream()).distinct().toList();
  }

  /** Reads that file of issuers anew, as {@link #renew} does. */
  void renewTrust(Path file) throws KeyFault {
    TrustStore issuers = TrustStore.read(file);
    live.stream().filter(one -> one.trustFile().filter(file::equals).isPresent()).forEach(one -> one.tls.trust(issuers));
  }

  /** Reads that file anew, for the connections to come; one that cannot be used leaves its users as they were. */
  void renew(Path file) throws KeyFault {
    for (Live one : live) {
      if (one.file().equals(file)) {
        one.tls.use(one.settings.keys(clock.instant()));
      }
    }
  }
}
