package portcullis.keys;

import java.net.Socket;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.Optional;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedKeyManager;

/**
 * Gives TLS one key, which can be exchanged at any time. A handshake names the key that it began with by an alias of its own,
 * so an exchange in its midst mixes nothing; two exchanges in its midst end it. Safe for all threads.
 */
final class EntryKeyManager extends X509ExtendedKeyManager {
  private volatile Keys keys;

  private record Named(String alias, KeyEntry entry) {}

  private record Keys(Named current, Named former) {
    Optional<KeyEntry> entry(String alias) {
      return current.alias.equals(alias) ? Optional.of(current.entry)
          : former.alias.equals(alias) ? Optional.of(former.entry) : Optional.empty();
    }
  }

  EntryKeyManager(KeyEntry entry) {
    Named first = new Named("0", entry);
    keys = new Keys(first, first);
  }

  synchronized void use(KeyEntry entry) {
    Named current = keys.current;
    keys = new Keys(new Named(Long.toString(Long.parseLong(current.alias) + 1), entry), current);
  }

  KeyEntry current() {
    return keys.current.entry;
  }

  /** The JDK demands null where the key is not of the kind. */
  private String alias(String keyType) {
    Named current = keys.current;
    return current.entry.publicKey().getAlgorithm().equals(keyType) ? current.alias : null;
  }

  private String firstAlias(String[] keyTypes) {
    return Arrays.stream(keyTypes).filter(type -> alias(type) != null).findFirst().map(this::alias).orElse(null);
  }

  @Override
  public String chooseEngineServerAlias(String keyType, Principal[] issuers, SSLEngine engine) {
    return alias(keyType);
  }

  @Override
  public String chooseServerAlias(String keyType, Principal[] issuers, Socket socket) {
    return alias(keyType);
  }

  @Override
  public String chooseEngineClientAlias(String[] keyTypes, Principal[] issuers, SSLEngine engine) {
    return firstAlias(keyTypes);
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
