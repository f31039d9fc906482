package portcullis.crypto.keys;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import portcullis.config.Decoder;
import portcullis.config.Decoders;
import portcullis.config.Key;
import portcullis.config.Yaml;
import portcullis.fixture.CertificateDraft;
import portcullis.fixture.TestCertificate;
import portcullis.fixture.TestKeys;
import portcullis.lang.source.Problem;
import portcullis.lang.source.Problems;
import portcullis.lang.source.SourceFile;

/** Keys, trust and algorithms as a configuration names them. */
class ConfiguredTlsTest {
  @TempDir
  private Path folder;
  private final Problems problems = new Problems();
  private final TestCertificate gate = CertificateDraft.of("gate").make();

  private <T> Optional<T> decode(Decoder<T> decoder, String yaml) {
    return Yaml.read(SourceFile.argument("f", yaml), problems).flatMap(node -> decoder.decode(node, problems));
  }

  private Optional<ClientTlsSettings> settings(String yaml, TlsVersion lowest) {
    return decode(ClientTlsSettings.decoder(lowest, List.of(), (settings, _) -> settings), yaml);
  }

  private String reported() {
    return problems.sorted().stream().map(Problem::text).collect(Collectors.joining("; "));
  }

  @Test
  void nothingConfiguredIsTheDefaults() {
    assertEquals(Optional.of(ClientTlsSettings.defaults(TlsVersion.TLS1_2)), settings("{}", TlsVersion.TLS1_2));
    assertEquals(Optional.of(ClientTlsSettings.defaults(TlsVersion.TLS1_3)), settings("{}", TlsVersion.TLS1_3));
    assertEquals("", reported());
  }

  @Test
  void everySettingIsReadFromItsKey() {
    ClientTlsSettings all = settings("""
        key_store: {path: k.pem, certificates: c.pem, password: geheim}
        key_id: gate
        trust_store: t.pem
        min_version: TLS1.2
        cipher_suites: [TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA256, TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384]
        """, TlsVersion.TLS1_3).orElseThrow();
    KeyStoreSettings store = all.keyStore().orElseThrow();
    assertEquals(new KeyStoreFiles(Path.of("k.pem"), Optional.of(Path.of("c.pem"))), store.files());
    assertEquals("geheim", store.password());
    assertEquals("k.pem", store.toString());
    assertEquals(Optional.of("gate"), all.keyId());
    assertEquals("t.pem", all.trust().orElseThrow().text());
    assertEquals(TlsVersion.TLS1_2, all.lowest());
    assertEquals(List.of(CipherSuite.TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA256,
        CipherSuite.TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384), all.suites());
    assertEquals("", reported());
  }

  @Test
  void aKeyStoreIsOneFileWithoutPasswordByDefault() {
    KeyStoreSettings store = decode(KeyStoreSettings.decoder(), "path: k.pem").orElseThrow();
    assertEquals(KeyStoreFiles.one(Path.of("k.pem")), store.files());
    assertEquals("", store.password());
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', value = {
    "{key_id: a}|f:1:10: warning: key_id: `key_id` has no effect here, without `key_store`",
    "{min_version: TLS1.3, cipher_suites: [TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384]}|f:1:38: warning: "
        + "cipher_suites: `cipher_suites` has no effect here, where `min_version` is `TLS1.3`, whose cipher suites "
        + "cannot be configured",
    "{min_version: TLS1.2, cipher_suites: [TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384]}|",
    "{key_store: {path: k.pem}, key_id: a}|",
  })
  void whatHasNoEffectIsAWarning(String yaml, String expected) {
    assertTrue(settings(yaml, TlsVersion.TLS1_3).isPresent());
    assertEquals(expected == null ? "" : expected, reported());
    assertEquals(0, problems.errors());
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', value = {"key_store: {}", "{key_store: {path: k.pem, certificates: ''}}", "key_id: ''",
    "min_version: TLS1.1", "cipher_suites: []", "cipher_suites: [TLS_RSA_WITH_AES_128_CBC_SHA]", "other: 1",
    "trust_store:"})
  void whatIsWrongIsAnError(String yaml) {
    assertEquals(Optional.empty(), settings(yaml, TlsVersion.TLS1_3));
    assertEquals(1, problems.errors());
  }

  @Test
  void moreMembersAreReadWithThem() {
    Key<Boolean> more = Key.withDefault("more", Decoders.flag(), false, "whether there is more");
    Decoder<String> decoder = ClientTlsSettings.decoder(TlsVersion.TLS1_2, List.of(more),
        (settings, parts) -> settings.lowest() + " " + parts.get(more));
    assertEquals(Optional.of("TLS1_3 true"), decode(decoder, "{more: true, min_version: TLS1.3}"));
  }

  private Path file(String name, String text) throws Exception {
    return Files.writeString(folder.resolve(name), text);
  }

  private ClientTlsSettings of(Path keys, String id, Path trust) {
    return settings("{key_store: {path: " + keys + "}, key_id: " + id + ", trust_store: " + trust + "}",
        TlsVersion.TLS1_2).orElseThrow();
  }

  private static String named(String id, TestCertificate certificate) {
    return certificate.keyStore().replaceFirst("KEY-----\n", "KEY-----\nX-Key-ID: " + id + "\n\n");
  }

  @Test
  void theFilesAreReadAndTheNamedKeyIsShown() throws Exception {
    Path keys = file("k.pem",
        TestKeys.pem(TestKeys.ec(256)) + named("second", gate) + named("third", CertificateDraft.of("b").make()));
    KeyRings rings = new KeyRings(InstantSource.system());
    ClientTlsSettings settings = of(keys, "second", file("t.pem", gate.pem()));
    ClientTlsSettings.Read read = settings.read(rings, problems).orElseThrow();
    assertEquals("", reported());
    assertEquals(List.of(gate.certificate()), read.trust().orElseThrow().certificates());
    KeyRing ring = read.ring().orElseThrow().get();
    assertEquals("second", settings.key(ring).id());
    assertEquals(List.of("second"), rings.shown().stream().map(KeyEntry::id).toList());
    assertEquals(ring.first(), ClientTlsSettings.defaults(TlsVersion.TLS1_2).key(ring));
    assertEquals(List.of("TLSv1.3", "TLSv1.2"),
        List.of(settings.tls(read.trust(), Optional.of(settings.key(ring))).parameters().getProtocols()));
  }

  @Test
  void nothingIsReadWhereNothingIsNamed() {
    KeyRings rings = new KeyRings(InstantSource.system());
    assertEquals(Optional.of(new ClientTlsSettings.Read(Optional.empty(), Optional.empty())),
        ClientTlsSettings.defaults(TlsVersion.TLS1_2).read(rings, problems));
  }

  @Test
  void whatCannotBeReadIsReportedWhereItIsNamed() throws Exception {
    KeyRings rings = new KeyRings(InstantSource.system());
    Path good = file("k.pem", named("a", gate));
    Path trust = file("t.pem", gate.pem());
    Path bare = file("bare.pem", TestKeys.pem(TestKeys.ec(256)).replaceFirst("KEY-----\n",
        "KEY-----\nX-Key-ID: a\n\n"));
    assertTrue(of(good, "a", trust).read(rings, problems).isPresent());
    assertEquals(Optional.empty(), of(bare, "a", trust).read(rings, problems));
    assertEquals("key_store.path: key `a` is not fit for TLS: no certificate in the file belongs to it", said());
    assertEquals(Optional.empty(), of(good, "b", trust).read(rings, problems));
    assertEquals("key_store.path: no key `b` (known: a)", said());
    assertEquals(Optional.empty(), of(good, "a", bare).read(rings, problems));
    assertTrue(said().startsWith("trust_store: trust store `" + bare + "`: entry 1 (line 1, `PRIVATE KEY`): "));
  }

  /** The last problem, without its position. */
  private String said() {
    return problems.sorted().getLast().path() + ": " + problems.sorted().getLast().message();
  }

  @Test
  void algorithmsAreThoseOfKeyPairs() {
    for (Algorithm algorithm : Algorithm.values()) {
      Problems here = new Problems();
      Optional<Algorithm> found = Yaml.read(SourceFile.argument("f", algorithm.text()), here)
          .flatMap(node -> KeyPairAlgorithms.decoder().decode(node, here));
      assertEquals(algorithm.isSymmetric() ? Optional.empty() : Optional.of(algorithm), found);
      assertEquals(algorithm.isSymmetric() ? 1 : 0, here.errors());
    }
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', value = {
    "none|`none` is not an algorithm: unsigned tokens are never accepted",
    "None|`none` is not an algorithm: unsigned tokens are never accepted",
    "HS256|`HS256` signs with a shared secret, which is never accepted here",
    "hs512|`HS512` signs with a shared secret, which is never accepted here",
  })
  void sharedSecretsAndNoneHaveMessagesOfTheirOwn(String name, String message) {
    assertEquals(Optional.empty(), decode(KeyPairAlgorithms.decoder(), name));
    Problem only = problems.sorted().getFirst();
    assertEquals(1, problems.sorted().size());
    assertEquals(message, only.message());
    assertEquals("name algorithms of key pairs, as `RS256` or `ES256`", only.hint());
  }

  @ParameterizedTest
  @CsvSource({"ES", "es256", "[ES256]", "7"})
  void otherNamesAreNoAlgorithms(String yaml) {
    assertEquals(Optional.empty(), decode(KeyPairAlgorithms.decoder(), yaml));
    assertEquals(1, problems.errors());
    assertTrue(!reported().contains("never accepted"), reported());
  }
}
