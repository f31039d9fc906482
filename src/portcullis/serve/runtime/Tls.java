package portcullis.serve.runtime;

import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import portcullis.crypto.keys.KeyEntry;
import portcullis.crypto.keys.KeyMaterialException;
import portcullis.crypto.keys.ServerTls;
import portcullis.crypto.keys.TrustStore;
import portcullis.lang.source.LocatedText;
import portcullis.lang.source.Problems;
import portcullis.serve.service.TlsSettings;

/** The TLS certificates of the listeners. */
final class Tls {
  private final Optional<ServerTls> main;
  private final Optional<ServerTls> management;
  private final List<Live> live = new ArrayList<>();
  private final InstantSource clock;

  /** The TLS of a listener and its settings. */
  private record Live(TlsSettings settings, ServerTls tls) {
    List<Path> files() {
      return settings.keyStore().files().all();
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

  private Optional<ServerTls> loaded(TlsSettings settings, Problems problems) {
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

  /** Returns the files of the key stores in use. */
  List<Path> files() {
    return live.stream().flatMap(one -> one.files().stream()).distinct().toList();
  }

  /** Returns the file of the keys of the key store that this file is of. */
  Path store(Path file) {
    return live.stream().map(Live::files).filter(files -> files.contains(file)).map(List::getFirst).findFirst()
        .orElse(file);
  }

  /** Returns the trust stores for client certificates. */
  List<Path> trustFiles() {
    return live.stream().flatMap(one -> one.trustFile().stream()).distinct().toList();
  }

  /** Reads a trust store again, as {@link #renewed} does. */
  Runnable renewedTrust(Path file) throws KeyMaterialException {
    TrustStore issuers = TrustStore.read(file);
    return () -> live.stream().filter(one -> one.trustFile().filter(file::equals).isPresent())
        .forEach(one -> one.tls.trust(issuers));
  }

  /** Reads the key stores with this file again and returns the action that activates its keys for new connections. */
  Runnable renewed(Path file) throws KeyMaterialException {
    Map<Live, List<KeyEntry>> next = new LinkedHashMap<>();
    for (Live one : live) {
      if (one.files().contains(file)) {
        List<KeyEntry> keys = one.settings.keys(clock.instant());
        ServerTls.requireForTls(keys);
        next.put(one, keys);
      }
    }
    return () -> next.forEach(Tls::use);
  }

  private static void use(Live one, List<KeyEntry> keys) {
    try {
      one.tls.use(keys);
    } catch (KeyMaterialException e) {
      throw new IllegalStateException(e); // they were checked
    }
  }
}
