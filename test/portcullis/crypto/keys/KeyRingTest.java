package portcullis.crypto.keys;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static portcullis.fixture.DerWriter.integer;
import static portcullis.fixture.DerWriter.sequence;

import java.io.IOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.security.interfaces.RSAPrivateCrtKey;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import portcullis.fixture.CertificateDraft;
import portcullis.fixture.TestCertificate;
import portcullis.fixture.TestKeys;

class KeyRingTest {
  private static final Instant NOW = Instant.now();
  private static final String PASSWORD = "geheim-ß";
  private static final String ENCRYPTION = "its encryption is not supported, allowed is PBES2 with PBKDF2 and "
      + "AES-CBC (`openssl pkcs8 -topk8 -v2 "
      + "aes-256-cbc`)";

  static String openssl(String name) throws IOException {
    try (var in = KeyRingTest.class.getResourceAsStream("/portcullis/data/openssl/" + name + ".pem")) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', textBlock = """
      sec1                    | ES256 | d2041e1e977b9cb0e57eb88ded09d995b986c810
      no-public               | ES256 | d2041e1e977b9cb0e57eb88ded09d995b986c810
      encrypted-default       | ES256 | d2041e1e977b9cb0e57eb88ded09d995b986c810
      encrypted-aes128-sha512 | ES256 | d2041e1e977b9cb0e57eb88ded09d995b986c810
      encrypted-aes192-sha1   | ES256 | d2041e1e977b9cb0e57eb88ded09d995b986c810
      ecparam                 | ES512 | 05d88a865b7cad76de6b28cd79f2f70264564c5d
      pkcs1                   | PS256 | 1e6aa282a3041683bf2f7855a4540860a39675f2
      pkcs8-rsa               | PS256 | 1e6aa282a3041683bf2f7855a4540860a39675f2
      pkcs8-ed25519           | EdDSA | 2ad305b106d16f532505d6d46b5c413f64da5d94
      encrypted-ed25519       | EdDSA | 2ad305b106d16f532505d6d46b5c413f64da5d94
      """)
  void readsWhatOpensslWrites(String name, String algorithm, String id) throws Exception {
    KeyEntry entry = KeyRing.parse(openssl(name), PASSWORD, NOW).first();
    assertEquals(algorithm, entry.algorithm().text());
    assertEquals(id, entry.id());
    assertEquals(List.of(), entry.chain());
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', textBlock = """
      encrypted-scrypt | ENCRYPTION
      encrypted-des3   | ENCRYPTION
      encrypted-old    | it is encrypted in OpenSSL's old way, allowed is PKCS#8 (`openssl pkcs8 -topk8` converts it)
      explicit         | its curve is not one of P-256, P-384, P-521, given by name
      secp256k1        | its curve is not one of P-256, P-384, P-521, given by name
      rsa1024          | the RSA key has 1024 bits, allowed are 2048 to 8192
      x25519           | its kind is not one of RSA, EC, Ed25519
      dsa              | its kind is not one of RSA, EC, Ed25519
      """)
  void refusesWhatItDoesNotSupport(String name, String expected) throws Exception {
    String pem = openssl(name);
    String message = assertThrows(KeyMaterialException.class, () -> KeyRing.parse(pem, PASSWORD, NOW)).getMessage();
    assertEquals(expected.replace("ENCRYPTION", ENCRYPTION), message.substring(message.indexOf("): ") + 3));
    assertTrue(message.startsWith("entry 1 (line 3, `"), message);
  }

  @Test
  void encryptedKeysNeedTheirPasswordAndNoMessageHoldsIt() throws Exception {
    String pem = openssl("encrypted-default");
    for (String wrong : List.of("other", "geheim-s", "ß", "wrong981")) { // by the last one the padding is right
      String message = assertThrows(KeyMaterialException.class, () -> KeyRing.parse(pem, wrong, NOW)).getMessage();
      assertEquals("entry 1 (line 3, `ENCRYPTED PRIVATE KEY`): the password is wrong", message);
    }
    assertEquals("entry 1 (line 3, `ENCRYPTED PRIVATE KEY`): it is encrypted, and there is no password",
        refusal(pem));
  }

  @Test
  void aSigningKeyMayBeEncryptedWhereThereIsAPassword(@TempDir Path folder) throws Exception {
    Path file = Files.writeString(folder.resolve("k.pem"), openssl("encrypted-ed25519"));
    assertEquals("2ad305b106d16f532505d6d46b5c413f64da5d94",
        KeyRing.ed25519(file, Optional.of(PASSWORD), NOW).id());
    assertTrue(signing(file).startsWith("key store `" + file + "`: the key is encrypted, which"), signing(file));
  }

  @Test
  void aSigningKeyIsTheOnlyKeyAndOfEd25519(@TempDir Path folder) throws Exception {
    Path file = folder.resolve("k.pem");
    Files.writeString(file, openssl("pkcs8-ed25519") + TestKeys.pem(TestKeys.ed25519()));
    assertEquals("key store `" + file + "`: it has 2 keys, and one signs: leave that one", signing(file));
    Files.writeString(file, openssl("sec1"));
    assertEquals("key store `" + file + "`: the key is not an Ed25519 key", signing(file));
    Files.writeString(file, openssl("encrypted-old"));
    assertTrue(signing(file).startsWith("key store `" + file + "`: the key is encrypted, which"), signing(file));
    Files.writeString(file, openssl("pkcs8-ed25519"));
    assertEquals("2ad305b106d16f532505d6d46b5c413f64da5d94", KeyRing.ed25519(file, Optional.empty(), NOW).id());
  }

  private static String signing(Path file) {
    return assertThrows(KeyMaterialException.class, () -> KeyRing.ed25519(file, Optional.empty(), NOW)).getMessage();
  }

  @Test
  void findsThePublicKeyOfEveryKind() throws KeyMaterialException {
    for (KeyPair keys : List.of(TestKeys.rsa(), TestKeys.ec(256), TestKeys.ec(256), TestKeys.ec(256), TestKeys.ec(384),
        TestKeys.ec(521), TestKeys.ec(521), TestKeys.ed25519(), TestKeys.ed25519(), TestKeys.ed25519())) {
      assertEquals(keys.getPublic(), KeyRing.parse(TestKeys.pem(keys), "", NOW).first().publicKey());
    }
  }

  @Test
  void keyIdComesFromHeaderThenCertificateThenHash() throws KeyMaterialException {
    TestCertificate certificate = CertificateDraft.of("gate").make();
    String headed = certificate.keyStore().replaceFirst("KEY-----\n", "KEY-----\nX-Key-ID:  mine \n\n");
    assertEquals("mine", KeyRing.parse(headed, "", NOW).first().id());
    assertEquals(Certificates.subjectKeyId(certificate.certificate()).orElseThrow(),
        KeyRing.parse(certificate.keyStore(), "", NOW).first().id());
    TestCertificate plain = CertificateDraft.of("gate").keys(certificate.keys()).withoutKeyIds().make();
    assertEquals(KeyRing.parse(TestKeys.pem(certificate.keys()), "", NOW).first().id(),
        KeyRing.parse(plain.keyStore(), "", NOW).first().id());
  }

  @Test
  void firstPrivateKeyIsTheDefault() throws Exception {
    TestCertificate other = CertificateDraft.of("other").make();
    KeyRing ring = KeyRing.parse(other.pem() + openssl("ecparam") + other.keyStore(), "", NOW);
    assertEquals("05d88a865b7cad76de6b28cd79f2f70264564c5d", ring.first().id());
    assertEquals(2, ring.entries().size());
    KeyEntry second = ring.entry(ring.entries().getLast().id());
    assertEquals(List.of(other.certificate()), second.chain());
    assertEquals("no key `third` (known: 05d88a865b7cad76de6b28cd79f2f70264564c5d, " + second.id() + ")",
        assertThrows(KeyMaterialException.class, () -> ring.entry("third")).getMessage());
  }

  @Test
  void refusesTwoKeysOfOneId() throws Exception {
    String pem = openssl("sec1") + openssl("ecparam") + openssl("no-public");
    String id = KeyRing.parse(openssl("sec1"), "", NOW).first().id();
    assertEquals("entry 4 (line 22, `EC PRIVATE KEY`): key id `" + id + "`, which entry 1 has already", refusal(pem));
  }

  @Test
  void refusesFilesWithoutKeyOrWithOtherEntries() {
    String allowed = "`PRIVATE KEY`, `ENCRYPTED PRIVATE KEY`, `EC PRIVATE KEY`, `RSA PRIVATE KEY`";
    for (String pem : List.of("", "no PEM at all")) {
      assertEquals("it holds no private key, expected one of " + allowed, refusal(pem));
    }
    assertEquals("it holds certificates, but no private key, expected one of " + allowed,
        refusal(CertificateDraft.authority("x").pem()));
    String key = TestKeys.pem(TestKeys.ec(256));
    String pem = key + TestKeys.pem("PUBLIC KEY", new byte[] {1});
    long line = key.lines().count() + 1;
    assertEquals("entry 2 (line " + line + ", `PUBLIC KEY`): not allowed in a key store, allowed are " + allowed
        + ", `CERTIFICATE`", refusal(pem));
  }

  @Test
  void rejectsUnreadableFiles(@TempDir Path folder) throws IOException {
    Path missing = folder.resolve("missing.pem");
    assertEquals("key store `" + missing + "`: there is no such file", refusal(missing));
    assertEquals("key store `" + folder + "`: it is a folder, not a file", refusal(folder));
    Path large = Files.write(folder.resolve("large.pem"), new byte[3 << 20]);
    assertEquals("key store `" + large + "`: it is larger than 2097152 bytes", refusal(large));
    Path empty = Files.createFile(folder.resolve("empty.pem"));
    assertTrue(refusal(empty).startsWith("key store `" + empty + "`: it holds no private key"));
  }

  private static String refusal(Path file) {
    return assertThrows(KeyMaterialException.class, () -> KeyRing.read(file, "", NOW)).getMessage();
  }

  @Test
  void namesNoSecretWhenPrinted() throws Exception {
    KeyRing ring = KeyRing.parse(openssl("pkcs1"), "", NOW);
    assertEquals("KeyRing[entries=[1e6aa282a3041683bf2f7855a4540860a39675f2 (PS256)]]", ring.toString());
  }

  @Test
  void refusesRsaKeysWhoseNumbersDoNotFit() throws KeyMaterialException {
    RSAPrivateCrtKey key = (RSAPrivateCrtKey) TestKeys.rsa().getPrivate();
    BigInteger two = BigInteger.TWO;
    assertEquals(TestKeys.rsa().getPublic(),
        KeyRing.parse(pkcs1(key, key.getModulus(), key.getPrimeExponentP()), "", NOW)
            .first().publicKey());
    assertEquals("entry 1 (line 1, `RSA PRIVATE KEY`): it is damaged: what it signs its public key does not verify",
        refusal(pkcs1(key, key.getModulus(), key.getPrimeExponentP().add(two))));
    assertEquals("entry 1 (line 1, `RSA PRIVATE KEY`): it is damaged: its primes are not those of its modulus",
        refusal(pkcs1(key, key.getModulus().add(two), key.getPrimeExponentP())));
    assertEquals("entry 1 (line 1, `RSA PRIVATE KEY`): an RSA key of more than two primes is not supported",
        refusal(pkcs1(1, key, key.getModulus(), key.getPrimeExponentP())));
  }

  private static String pkcs1(RSAPrivateCrtKey key, BigInteger modulus, BigInteger exponentP) {
    return pkcs1(0, key, modulus, exponentP);
  }

  private static String pkcs1(int version, RSAPrivateCrtKey key, BigInteger modulus, BigInteger exponentP) {
    return TestKeys.pem("RSA PRIVATE KEY",
        sequence(integer(version), integer(modulus), integer(key.getPublicExponent()),
            integer(key.getPrivateExponent()), integer(key.getPrimeP()), integer(key.getPrimeQ()), integer(exponentP),
            integer(key.getPrimeExponentQ()), integer(key.getCrtCoefficient())));
  }

  private static String refusal(String pem) {
    return assertThrows(KeyMaterialException.class, () -> KeyRing.parse(pem, "", NOW)).getMessage();
  }

  /** Whatever a file holds, it is read or refused in our own words; and nothing damaged is read as another key. */
  @Test
  void damagedKeysAreRefusedInOurOwnWords() throws Exception {
    Random random = new Random(46);
    List<String> names = List.of("sec1", "pkcs1", "pkcs8-rsa", "pkcs8-ed25519", "encrypted-default");
    for (int i = 0; i < 400; i++) {
      String pem = openssl(names.get(i % names.size()));
      PemBlock block = PemReader.blocks(pem).getFirst();
      byte[] der = block.der();
      for (int n = random.nextInt(3); n >= 0; n--) {
        der[random.nextInt(der.length)] ^= (byte) (1 << random.nextInt(8));
      }
      try {
        KeyRing.parse(TestKeys.pem(block.label(), der), PASSWORD, NOW);
      } catch (KeyMaterialException error) {
        assertTrue(error.getMessage().startsWith("entry 1 (line 1, `" + block.label() + "`): "), error.getMessage());
      } catch (RuntimeException e) {
        throw new AssertionError(block.label() + " " + Base64.getEncoder().encodeToString(der), e);
      }
    }
  }
}
