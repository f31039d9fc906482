package portcullis.serve.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import portcullis.crypto.keys.KeyEntry;
import portcullis.fixture.CertificateDraft;
import portcullis.fixture.TestCertificate;
import portcullis.fixture.TestKeys;
import portcullis.observe.telemetry.OngoingProblem;

/** Rotation of keys whose certificates are in another file, one file after the other as others write them. */
class KeyRotationTest {
  private static final String SERVER = "serve: {tls: {key_store: {path: \"%s\", certificates: \"%s\"}}}\n";
  private static final String CLIENT = "  authorizers: [{id: asks, type: remote, config: {payload: x, endpoint: "
      + "{url: 'https://a.test', tls: {key_store: {path: \"%s\", certificates: \"%s\"}}}}}]\n";

  @TempDir
  private Path folder;
  private final TestCertificate first = CertificateDraft.of("one").keys(TestKeys.ec(256)).make();
  private final TestCertificate second = CertificateDraft.of("two").keys(TestKeys.ec(256)).make();

  private static List<String> problems(Site site) {
    return site.program().context().log().problems().stream().map(OngoingProblem::text).toList();
  }

  private static KeyEntry shown(Site site, boolean server) {
    return server ? site.program().tls().main().orElseThrow().keys().getFirst()
        : site.program().context().keys().shown().getFirst();
  }

  private static void assertShown(TestCertificate expected, KeyEntry shown) {
    assertEquals(expected.keys().getPublic(), shown.publicKey());
    assertEquals(List.of(expected.certificate()), shown.chain());
  }

  @ParameterizedTest
  @CsvSource({"true,svid.pem", "true,svid_key.pem", "false,svid.pem", "false,svid_key.pem"})
  void aKeyIsNeverShownWithCertificatesOfAnother(boolean server, String earlier) throws Exception {
    try (Site site = new Site(Files.createDirectory(folder.resolve("site")))) {
      Path key = Files.writeString(folder.resolve("svid_key.pem"), TestKeys.pem(first.keys()));
      Path chain = Files.writeString(folder.resolve("svid.pem"), first.pem());
      String config = site.defaultConfig();
      site.config("secrets_reload_enabled: true\n" + (server ? SERVER.formatted(key, chain) + config
          : config.replace("  finalizers:", CLIENT.formatted(key, chain) + "  finalizers:"))).start();
      assertShown(first, shown(site, server));
      boolean keyFirst = earlier.equals("svid_key.pem");
      Files.writeString(keyFirst ? key : chain, keyFirst ? TestKeys.pem(second.keys()) : second.pem());
      site.awaitLog("ERR " + (server ? "TLS" : "Signer") + " key store reload failed");
      assertTrue(site.log().contains("does not fit the certificates in `" + chain + "`"), site.log());
      assertEquals(1, problems(site).size());
      assertShown(first, shown(site, server));
      Files.writeString(keyFirst ? chain : key, keyFirst ? second.pem() : TestKeys.pem(second.keys()));
      site.awaitLog((server ? "TLS" : "Signer") + " key store reloaded");
      assertEquals(List.of(), problems(site));
      assertShown(second, shown(site, server));
    }
  }
}
