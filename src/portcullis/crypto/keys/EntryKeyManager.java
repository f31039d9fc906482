package portcullis.crypto.keys;

import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import javax.net.ssl.ExtendedSSLSession;
import javax.net.ssl.SSLSession;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.StandardConstants;
import javax.net.ssl.X509ExtendedKeyManager;

/**
 * Selects the key of a TLS handshake; the keys can be replaced at any time. A server uses the first key that covers the
 * requested host, a client the first one of the requested type. A handshake refers to its key by an alias of its own,
 * so that a replacement in between mixes nothing; two replacements in between end it. For sockets, not for engines.
 * Safe for all threads.
 */
final class EntryKeyManager extends X509ExtendedKeyManager {
  private volatile Keys keys;

  private record Named(String alias, KeyEntry entry, CoveredHosts hosts) {
    boolean is(String keyType) {
      return entry.publicKey().getAlgorithm().equals(keyType);
    }
  }

  /**
   * @param generation grows with each exchange
   * @param schemes by which the current ones sign
   */
  private record Keys(long generation, List<Named> current, List<String> schemes, List<Named> former) {
    static Keys of(long generation, List<KeyEntry> entries, List<Named> former) {
      List<Named> current = new ArrayList<>();
      for (KeyEntry entry : entries) {
        CoveredHosts hosts = entry.chain().isEmpty() ? new CoveredHosts(List.of())
            : CoveredHosts.of(entry.chain().getFirst());
        current.add(new Named(generation + "." + current.size(), entry, hosts));
      }
      return new Keys(generation, List.copyOf(current), SignatureSchemes.of(entries), former);
    }

    Optional<KeyEntry> entry(String alias) {
      for (List<Named> some : List.of(current, former)) {
        for (Named named : some) {
          if (named.alias.equals(alias)) {
            return Optional.of(named.entry);
          }
        }
      }
      return Optional.empty();
    }
  }

  EntryKeyManager(KeyEntry entry) {
    this(List.of(entry));
  }

  EntryKeyManager(List<KeyEntry> entries) {
    keys = Keys.of(0, entries, List.of());
  }

  synchronized void use(List<KeyEntry> entries) {
    keys = Keys.of(keys.generation + 1, entries, keys.current);
  }

  /** Returns the keys in use. */
  List<KeyEntry> current() {
    return keys.current.stream().map(Named::entry).toList();
  }

  /** Returns the signature schemes of the keys in use; none if the JDK is to choose. */
  List<String> signatureSchemes() {
    return keys.schemes;
  }

  /** Returns whether one of the keys has a certificate for that host. */
  boolean cover(String host) {
    return keys.current.stream().anyMatch(named -> named.hosts.cover(host));
  }

  /** The JDK demands null where no key is of the kind. */
  private String alias(String keyType, Predicate<Named> fits) {
    for (Named named : keys.current) {
      if (named.is(keyType) && fits.test(named)) {
        return named.alias;
      }
    }
    return null;
  }

  private String alias(String keyType) {
    return alias(keyType, _ -> true);
  }

  private String serverAlias(String keyType, SSLSession session) {
    Optional<String> host = session instanceof ExtendedSSLSession extended
        ? extended.getRequestedServerNames().stream().filter(n -> n.getType() == StandardConstants.SNI_HOST_NAME)
            .map(n -> new String(n.getEncoded(), StandardCharsets.US_ASCII)).findFirst()
        : Optional.empty();
    return host.isPresent() ? alias(keyType, named -> named.hosts.cover(host.get())) : alias(keyType);
  }

  private String firstAlias(String[] keyTypes) {
    return Arrays.stream(keyTypes).filter(type -> alias(type) != null).findFirst().map(this::alias).orElse(null);
  }

  @Override
  public String chooseServerAlias(String keyType, Principal[] issuers, Socket socket) {
    return serverAlias(keyType, socket instanceof SSLSocket secure ? secure.getHandshakeSession() : null);
  }

  @Override
  public String chooseClientAlias(String[] keyTypes, Principal[] issuers, Socket socket) {
    return firstAlias(keyTypes);
  }

  @Override
  public String[] getServerAliases(String keyType, Principal[] issuers) {
    return aliases(keyType);
  }

  @Override
  public String[] getClientAliases(String keyType, Principal[] issuers) {
    return aliases(keyType);
  }

  private String[] aliases(String keyType) {
    String alias = alias(keyType);
    return alias == null ? null : new String[] {alias};
  }

  @Override
  public X509Certificate[] getCertificateChain(String alias) {
    return keys.entry(alias).map(entry -> entry.chain().toArray(X509Certificate[]::new)).orElse(null);
  }

  @Override
  public PrivateKey getPrivateKey(String alias) {
    return keys.entry(alias).map(KeyEntry::privateKey).orElse(null);
  }
}
