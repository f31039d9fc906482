package portcullis.crypto.keys;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The certificates that the host trusts: those of the file {@code SSL_CERT_FILE} and the folders {@code SSL_CERT_DIR}
 * if one of the variables is set, otherwise of the first that exists of the usual bundles and folders. A release has no
 * list of its own. Immutable; reading takes some 100 ms.
 *
 * @param source where they were read, for messages
 */
public record SystemTrust(String source, TrustStore store) {
  private static final String FILE = "SSL_CERT_FILE";
  private static final String FOLDERS = "SSL_CERT_DIR";
  /** Debian and Alpine, Fedora and RHEL, openSUSE, older RHEL, and what is left. */
  static final List<String> BUNDLES = List.of("/etc/ssl/certs/ca-certificates.crt",
      "/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem", "/etc/pki/tls/certs/ca-bundle.crt", "/etc/ssl/ca-bundle.pem",
      "/etc/pki/tls/cacert.pem", "/etc/ssl/cert.pem");
  static final List<String> USUAL_FOLDERS = List.of("/etc/ssl/certs", "/etc/pki/tls/certs");
  private static final int MOST_FILES = 4096;

  /** @throws KeyMaterialException where the environment names a file or folder without any usable certificate */
  public static SystemTrust read(Map<String, String> environment) throws KeyMaterialException {
    return read(environment, BUNDLES, USUAL_FOLDERS);
  }

  static SystemTrust read(Map<String, String> environment, List<String> bundles, List<String> folders)
      throws KeyMaterialException {
    Optional<String> file = named(environment, FILE);
    Optional<String> folder = named(environment, FOLDERS);
    if (file.isPresent() || folder.isPresent()) {
      Set<X509Certificate> found = new LinkedHashSet<>();
      if (file.isPresent()) {
        found.addAll(file(FILE, file.get()));
      }
      for (String one : folder.map(all -> all.split(":")).orElse(new String[0])) {
        found.addAll(folder(Path.of(one)));
      }
      String source = Stream.of(file, folder).flatMap(Optional::stream).collect(Collectors.joining(" and "));
      if (found.isEmpty()) {
        throw new KeyMaterialException(FOLDERS + " `" + source + "`: there is no certificate in it");
      }
      return of(source, found);
    }
    for (String bundle : bundles) {
      if (Files.isReadable(Path.of(bundle))) {
        return of(bundle, file(bundle, bundle));
      }
    }
    for (String one : folders) {
      List<X509Certificate> found = folder(Path.of(one));
      if (!found.isEmpty()) {
        return of(one, found);
      }
    }
    throw new KeyMaterialException(
        "this host has none: install its CA certificates, as /etc/ssl/certs/ca-certificates.crt, "
            + "or name a PEM file with " + FILE);
  }

  private static Optional<String> named(Map<String, String> environment, String variable) {
    return Optional.ofNullable(environment.get(variable)).filter(value -> !value.isEmpty());
  }

  private static SystemTrust of(String source, Iterable<X509Certificate> certificates) {
    List<X509Certificate> all = new ArrayList<>();
    certificates.forEach(all::add);
    return new SystemTrust(source, new TrustStore(all));
  }

  private static List<X509Certificate> file(String what, String name) throws KeyMaterialException {
    try {
      List<X509Certificate> found = certificates(KeyFile.text(Path.of(name)));
      if (found.isEmpty()) {
        throw new KeyMaterialException("there is no certificate in it");
      }
      return found;
    } catch (KeyMaterialException error) {
      throw error.in(what.equals(name) ? "`" + name + "`" : what + " `" + name + "`");
    } catch (InvalidPathException _) {
      throw new KeyMaterialException(what + " is not the path of a file");
    }
  }

  /** A bundle may have entries that we cannot read: the others count. */
  private static List<X509Certificate> certificates(String pem) throws KeyMaterialException {
    List<X509Certificate> out = new ArrayList<>();
    for (PemBlock block : PemReader.blocks(pem)) {
      if (block.label().equals("CERTIFICATE")) {
        try {
          out.add(Certificates.read(block));
        } catch (KeyMaterialException _) {
          // its connections fail, and name their issuer
        }
      }
    }
    return out;
  }

  /** Returns the certificates of all files of the folder; none where it cannot be read. */
  private static List<X509Certificate> folder(Path folder) {
    Set<Path> files = new TreeSet<>();
    try (DirectoryStream<Path> all = Files.newDirectoryStream(folder)) {
      for (Path file : all) {
        if (Files.isRegularFile(file) && files.size() < MOST_FILES) {
          files.add(file.toRealPath());
        }
      }
    } catch (IOException _) {
      return List.of();
    }
    List<X509Certificate> out = new ArrayList<>();
    for (Path file : files) {
      try {
        out.addAll(certificates(KeyFile.text(file)));
      } catch (KeyMaterialException _) {
        // a folder of certificates may have other files too
      }
    }
    return out;
  }
}
