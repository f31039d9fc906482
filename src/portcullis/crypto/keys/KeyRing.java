package portcullis.crypto.keys;

import java.nio.file.Path;
import java.security.KeyPair;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import portcullis.lang.source.PastedKey;

/**
 * The keys of a PEM key store with their certificates, in the order of the file; never empty, immutable. Certificates
 * may stand in any order; those that belong to no key are ignored.
 */
public record KeyRing(List<KeyEntry> entries) {
  private static final String CERTIFICATE = "CERTIFICATE";
  private static final List<String> PRIVATE = List.of("PRIVATE KEY", "ENCRYPTED PRIVATE KEY", "EC PRIVATE KEY",
      "RSA PRIVATE KEY");
  /** `openssl ecparam -genkey` writes it before the key; the key names its curve itself. */
  private static final String SKIPPED = "EC PARAMETERS";
  private static final String KEY_ID_HEADER = "X-Key-ID";

  public KeyRing {
    entries = List.copyOf(entries);
  }

  /**
   * @param password of encrypted keys; empty for none
   * @param now when certificates have to be valid
   */
  public static KeyRing read(Path file, String password, Instant now) throws KeyMaterialException {
    try {
      return parse(KeyFile.text(file), password, now);
    } catch (KeyMaterialException error) {
      throw error.in("key store " + PastedKey.shown(file));
    }
  }

  /**
   * Reads the only key of a file, an Ed25519 key. A file that every user may write is refused, as any of them could
   * replace the key.
   *
   * @param password of an encrypted key; empty where none is accepted
   */
  public static KeyEntry ed25519(Path file, Optional<String> password, Instant now) throws KeyMaterialException {
    try {
      String text = KeyFile.guarded(file);
      if (password.isEmpty() && (text.contains("BEGIN ENCRYPTED") || text.contains(",ENCRYPTED"))) {
        throw new KeyMaterialException("the key is encrypted, which is not supported here: `openssl pkey -in " + file
            + " -out plain.pem` decrypts it");
      }
      KeyRing ring = parse(text, password.orElse(""), now);
      if (ring.entries.size() > 1) {
        throw new KeyMaterialException("it has " + ring.entries.size() + " keys, and one signs: leave that one");
      }
      if (ring.first().algorithm() != Algorithm.EDDSA) {
        throw new KeyMaterialException("the key is not an Ed25519 key");
      }
      return ring.first();
    } catch (KeyMaterialException error) {
      throw error.in("key store " + PastedKey.shown(file));
    }
  }

  /**
   * Reads the files of a key store. Where the certificates are in a file of their own, each key needs one.
   *
   * @throws KeyMaterialException also if the files do not belong together
   */
  public static KeyRing read(KeyStoreFiles files, String password, Instant now) throws KeyMaterialException {
    if (files.certificates().isEmpty()) {
      return read(files.keys(), password, now);
    }
    Path second = files.certificates().get();
    List<X509Certificate> certificates = certificates(second);
    try {
      List<PemBlock> blocks = PemReader.blocks(KeyFile.text(files.keys()));
      if (!certificates(blocks).isEmpty()) {
        throw new KeyMaterialException("it holds certificates, which are expected in `" + second
            + "` (`certificates`) only");
      }
      KeyRing ring = of(blocks, certificates, password, now);
      for (KeyEntry entry : ring.entries) {
        if (entry.chain().isEmpty()) {
          throw new KeyMaterialException("key `" + entry.id() + "` does not fit the certificates in `" + second
              + "`: none of them is for its public key");
        }
      }
      return ring;
    } catch (KeyMaterialException error) {
      throw error.in("key store " + PastedKey.shown(files.keys()));
    }
  }

  private static List<X509Certificate> certificates(Path file) throws KeyMaterialException {
    try {
      List<X509Certificate> out = new ArrayList<>();
      for (PemBlock block : PemReader.blocks(KeyFile.text(file))) {
        if (!block.label().equals(CERTIFICATE)) {
          throw new KeyMaterialException(
              block.place() + ": not allowed in a file of certificates, allowed is `" + CERTIFICATE + "` only");
        }
        out.add(Certificates.read(block));
      }
      if (out.isEmpty()) {
        throw new KeyMaterialException("it holds no certificate, expected at least one `" + CERTIFICATE + "`");
      }
      return out;
    } catch (KeyMaterialException error) {
      throw error.in("certificates `" + file + "`");
    }
  }

  /** Reads a key store from a string; errors do not name a file. */
  public static KeyRing parse(String pem, String password, Instant now) throws KeyMaterialException {
    List<PemBlock> blocks = PemReader.blocks(pem);
    return of(blocks, certificates(blocks), password, now);
  }

  private static KeyRing of(List<PemBlock> blocks, List<X509Certificate> certificates, String password, Instant now)
      throws KeyMaterialException {
    CryptoProvider.await(); // or the keys would be the JDK's, to be converted for each signature
    List<KeyEntry> entries = new ArrayList<>();
    Map<String, Integer> seen = new HashMap<>();
    for (PemBlock block : blocks) {
      if (PRIVATE.contains(block.label())) {
        KeyEntry entry = entry(block, password, certificates, now);
        Optional<Integer> same = Optional.ofNullable(seen.put(entry.id(), block.entry()));
        if (same.isPresent()) {
          throw new KeyMaterialException(
              block.place() + ": key id `" + entry.id() + "`, which entry " + same.get() + " has already");
        }
        entries.add(entry);
      }
    }
    if (entries.isEmpty()) {
      throw new KeyMaterialException((certificates.isEmpty() ? "it holds no private key"
          : "it holds certificates, but no "
              + "private key")
          + ", expected one of " + list(PRIVATE));
    }
    return new KeyRing(entries);
  }

  private static List<X509Certificate> certificates(List<PemBlock> blocks) throws KeyMaterialException {
    List<X509Certificate> certificates = new ArrayList<>();
    for (PemBlock block : blocks) {
      if (block.label().equals(CERTIFICATE)) {
        certificates.add(Certificates.read(block));
      } else if (!PRIVATE.contains(block.label()) && !block.label().equals(SKIPPED)) {
        throw new KeyMaterialException(block.place() + ": not allowed in a key store, allowed are " + list(PRIVATE)
            + ", `" + CERTIFICATE + "`");
      }
    }
    return certificates;
  }

  private static String list(List<String> labels) {
    return labels.stream().map(label -> "`" + label + "`").collect(Collectors.joining(", "));
  }

  private static KeyEntry entry(PemBlock block, String password, List<X509Certificate> certificates, Instant now)
      throws KeyMaterialException {
    try {
      KeyPair pair = PrivateKeyReader.read(block, password);
      Algorithm algorithm = Algorithm.of(pair.getPublic());
      List<X509Certificate> chain = Certificates.chain(pair.getPublic(), certificates, now);
      return new KeyEntry(id(block, pair, chain), pair.getPrivate(), pair.getPublic(), chain, algorithm);
    } catch (KeyMaterialException error) {
      throw error.in(block.place());
    }
  }

  /**
   * Returns the id of the header, else the subject key id of the certificate, else the SHA-1 of the whole public key,
   * as heimdall does.
   */
  private static String id(PemBlock block, KeyPair pair, List<X509Certificate> chain) {
    String given = block.headers().getOrDefault(KEY_ID_HEADER, "");
    if (!given.isEmpty()) {
      return given;
    }
    Optional<String> ofCertificate = chain.stream().findFirst().flatMap(Certificates::subjectKeyId);
    return ofCertificate.orElseGet(() -> HexFormat.of().formatHex(Certificates.sha1(pair.getPublic().getEncoded())));
  }

  /** Returns the default key: the first private one of the file. */
  public KeyEntry first() {
    return entries.getFirst();
  }

  /** @throws KeyMaterialException naming the known ids */
  public KeyEntry entry(String id) throws KeyMaterialException {
    return entries.stream().filter(entry -> entry.id().equals(id)).findFirst()
        .orElseThrow(() -> new KeyMaterialException(
            "no key `" + id + "` (known: " + entries.stream().map(KeyEntry::id).collect(Collectors.joining(", "))
                + ")"));
  }
}
