package portcullis.crypto.keys;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.security.cert.X509CRL;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import portcullis.fixture.CertificateDraft;
import portcullis.fixture.TestCertificate;

/** Records keep copies of the lists that they are made of, so that nobody changes keys and trust afterwards. */
class CopiesTest {
  private static <T> void isCopied(T item, Function<List<T>, Collection<?>> kept) {
    List<T> list = new ArrayList<>(List.of(item));
    Collection<?> copy = kept.apply(list);
    list.clear();
    assertEquals(1, copy.size());
  }

  @Test
  void laterChangesOfListsHaveNoEffect(@TempDir Path folder) throws Exception {
    TestCertificate root = CertificateDraft.authority("root");
    KeyPair keys = root.keys();
    Path file = Files.writeString(folder.resolve("crl.pem"), CertificateDraft.revocations(root,
        root.certificate().getNotBefore().toInstant(), root.certificate().getNotAfter().toInstant()));
    X509CRL list = RevocationLists.read(file).lists().getFirst();
    Jwk jwk = new Jwk(Optional.empty(), Optional.empty(), keys.getPublic(), List.of());
    KeyEntry entry = new KeyEntry("k", keys.getPrivate(), keys.getPublic(), List.of(), Algorithm.ES256);
    isCopied(root.certificate(), chain -> new Jwk(Optional.empty(), Optional.empty(), keys.getPublic(), chain)
        .chain());
    isCopied(jwk, all -> new JwkSet(all, List.of()).keys());
    isCopied("why", ignored -> new JwkSet(List.of(), ignored).ignored());
    isCopied(root.certificate(), chain -> new KeyEntry("k", keys.getPrivate(), keys.getPublic(), chain,
        Algorithm.ES256).chain());
    isCopied(entry, entries -> new KeyRing(entries).entries());
    isCopied(list, lists -> new RevocationLists(lists).lists());
    isCopied(root.certificate(), certificates -> new TrustStore(certificates).certificates());
    isCopied(CipherSuite.DEFAULTS.getFirst(), suites -> new ClientTlsSettings(Optional.empty(), Optional.empty(),
        Optional.empty(), TlsVersion.TLS1_2, suites).suites());
    Map<String, String> headers = new HashMap<>(Map.of("X-Key-ID", "k"));
    PemBlock block = new PemBlock(1, 1, "A", headers, new byte[0]);
    headers.clear();
    assertEquals(Map.of("X-Key-ID", "k"), block.headers());
  }
}
