package portcullis.crypto.keys;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.Key;
import java.security.KeyPair;
import java.security.Provider;
import java.security.Security;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import javax.crypto.SecretKey;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import portcullis.fixture.TestKeys;
import portcullis.lang.value.Value;

/** Native code and the JDK's accept and refuse the same signatures; the vectors are those of Project Wycheproof. */
class CryptoProviderTest {
  private static final Path VECTORS = Path.of("test/data/wycheproof");
  private static final String PROVIDER = "AmazonCorrettoCryptoProvider";

  @TempDir
  Path folder;

  @BeforeAll
  static void load() {
    CryptoProvider.await();
  }

  private static boolean isNativePlatform() {
    return System.getProperty("os.name").equals("Linux") && System.getProperty("os.arch").equals("amd64");
  }

  @Test
  void nativeCodeIsFirstWhereItIsBuiltFor() {
    assumeTrue(isNativePlatform(), "the native library is for Linux on x86-64");
    CryptoProvider provider = CryptoProvider.await();
    assertEquals(Optional.empty(), provider.obstacle());
    assertTrue(provider.name().startsWith(PROVIDER + " 2."), provider.name());
    assertEquals(provider.name(), provider.text());
    assertEquals("a, native code is not used: b", new CryptoProvider("a", Optional.of("b")).text());
    assertEquals(PROVIDER, Security.getProviders()[0].getName());
  }

  /** Wrong signatures, edge cases of arithmetic, parameters of the encoding: all right ones pass, no wrong one does. */
  @ParameterizedTest
  @EnumSource
  void vectorsOfWycheproofPass(Algorithm algorithm) throws Exception {
    List<SignatureCases.Outcome> all = SignatureCases.outcomes(VECTORS.resolve(algorithm.text() + ".txt"));
    assertTrue(all.size() > 80, all.size() + " vectors");
    for (SignatureCases.Outcome one : all) {
      if (one.expected().equals("valid")) {
        assertEquals("true", one.outcome(), one.id());
      } else if (one.expected().equals("invalid")) {
        assertFalse(one.outcome().equals("true"), one.id());
      }
    }
  }

  /**
   * But for the one signature of each RSA file that Wycheproof leaves open: its hash algorithm has no NULL (RFC 8017,
   * appendix B.1), which the JDK accepts and AWS-LC refuses.
   */
  @Test
  void bothProvidersAgreeOnVectorsAndMutations() throws Exception {
    List<String> files = new ArrayList<>();
    try (Stream<Path> vectors = Files.list(VECTORS)) {
      vectors.filter(file -> file.toString().endsWith(".txt")).sorted().forEach(file -> files.add(file.toString()));
    }
    Random random = new Random(4);
    for (Algorithm algorithm : Algorithm.values()) {
      Path file = folder.resolve("mutated-" + algorithm.text());
      Files.write(file, mutations(algorithm, random));
      files.add(file.toString());
    }
    List<String> ours = new ArrayList<>();
    Set<String> open = new HashSet<>();
    for (String file : files) {
      for (SignatureCases.Outcome one : SignatureCases.outcomes(Path.of(file))) {
        ours.add(SignatureCases.line(one));
        if (one.expected().equals("acceptable")) {
          open.add(one.id());
        }
      }
    }
    List<String> jdk = run(List.of("-Dportcullis.crypto=jdk"), files);
    assertTrue(jdk.getFirst().startsWith("JDK "), jdk.getFirst());
    assertEquals("system property portcullis.crypto=jdk", jdk.get(1));
    assertEquals(ours.size(), jdk.size() - 2);
    List<String> differences = new ArrayList<>(ours);
    differences.removeAll(new HashSet<>(jdk));
    differences.removeIf(line -> open.contains(line.split(" ")[0]));
    assertEquals(List.of(), differences);
    assertTrue(ours.stream().filter(line -> line.startsWith("mutated-") && line.endsWith("true")).count() >= 130);
    assertTrue(ours.stream().filter(line -> line.startsWith("mutated-") && line.endsWith("false")).count() >= 5000);
  }

  /** Ten signatures by a new key, with forty changed spellings each, then the key changed. */
  private static List<String> mutations(Algorithm algorithm, Random random) throws Exception {
    List<String> out = new ArrayList<>();
    Pair keys = keys(algorithm, random);
    out.add(SignatureCases.key(keys.jwk));
    for (int i = 0; i < 10; i++) {
      byte[] content = new byte[random.nextInt(600)];
      random.nextBytes(content);
      byte[] signature = algorithm.sign(keys.signing, content);
      out.add(SignatureCases.signature(i + "", content, signature));
      for (int k = 0; k < 40; k++) {
        out.add(SignatureCases.signature(i + "." + k, content, mutated(signature, k, random)));
      }
      if (content.length > 0) {
        content[random.nextInt(content.length)] ^= 1;
        out.add(SignatureCases.signature(i + ".content", content, signature));
      }
    }
    return out;
  }

  private record Pair(Key signing, Value jwk) {}

  private static Pair keys(Algorithm algorithm, Random random) throws Exception {
    if (algorithm.isSymmetric()) {
      byte[] bytes = new byte[64];
      random.nextBytes(bytes);
      SecretKey secret = new SecretKeySpec(bytes, "HMAC");
      return new Pair(secret, new Value.Dict(Map.of("kty", Value.of("oct"), "alg",
          Value.of(algorithm.text()), "k", Value.of(Base64Url.text(bytes)))));
    }
    KeyPair pair = switch (algorithm) {
      case ES256 -> TestKeys.ec(256);
      case ES384 -> TestKeys.ec(384);
      case ES512 -> TestKeys.ec(521);
      case EDDSA -> TestKeys.ed25519();
      default -> TestKeys.rsa();
    };
    return new Pair(pair.getPrivate(),
        PublishedKeys.jwk(new KeyEntry("k", pair.getPrivate(), pair.getPublic(), List.of(), algorithm)));
  }

  private static byte[] mutated(byte[] signature, int kind, Random random) {
    byte[] out = signature.clone();
    int half = out.length / 2;
    switch (kind) {
      case 0 -> out = new byte[out.length];
      case 1 -> Arrays.fill(out, (byte) 0xFF);
      case 2 -> Arrays.fill(out, 0, half, (byte) 0);
      case 3 -> Arrays.fill(out, half, out.length, (byte) 0);
      case 4 -> {
        System.arraycopy(signature, half, out, 0, half);
        System.arraycopy(signature, 0, out, half, half);
      }
      case 5 -> out = Arrays.copyOf(out, out.length - 1);
      case 6 -> out = Arrays.copyOf(out, out.length + 1);
      case 7 -> out = new byte[0];
      case 8 -> random.nextBytes(out);
      default -> out[random.nextInt(out.length)] ^= (byte) (1 << random.nextInt(8));
    }
    return out;
  }

  @Test
  void jdkServesWhereTheLibraryCannotBeLoaded() throws Exception {
    Path file = folder.resolve("few");
    Files.write(file, mutations(Algorithm.ES256, new Random(5)));
    List<String> lines = run(List.of("-Dcom.amazon.corretto.crypto.provider.useExternalLib=true",
        "-Djava.library.path=" + folder), List.of(file.toString()));
    assertTrue(lines.getFirst().startsWith("JDK "), lines.getFirst());
    assertTrue(lines.get(1).contains("amazonCorrettoCryptoProvider"), lines.get(1));
    assertEquals("few:0 true", lines.get(2));
  }

  @Test
  void fallbackToTheJdkNamesItsReason() {
    CryptoProvider loaded = new CryptoProvider("library 1", Optional.empty());
    assertEquals(loaded, CryptoProvider.chosen("", () -> loaded));
    assertEquals(loaded, CryptoProvider.chosen("other", () -> loaded));
    String jdk = "JDK " + Runtime.version() + ", native code is not used: ";
    assertEquals(jdk + "system property portcullis.crypto=jdk", CryptoProvider.chosen("jdk", () -> loaded).text());
    assertEquals(jdk + "a bug", CryptoProvider.chosen("", () -> {
      throw new IllegalStateException("a bug");
    }).text());
    assertEquals(jdk + "no library", CryptoProvider.chosen("", () -> {
      throw new ExceptionInInitializerError(new UnsatisfiedLinkError("no library"));
    }).text());
  }

  @Test
  void fallbackToTheJdkReportsTheDeepestCauseOrItsName() {
    Throwable beside = new IOException("beside", new IOException("not in /lib"));
    Throwable failure = new IllegalStateException("failure", new IOException("below"));
    assertEquals(Optional.of("below"), CryptoProvider.ofFailedLibrary(failure).obstacle());
    failure.addSuppressed(beside);
    failure.addSuppressed(new IOException("second"));
    assertEquals(Optional.of("not in /lib"), CryptoProvider.ofFailedLibrary(failure).obstacle());
    assertEquals(Optional.of("StackOverflowError"),
        CryptoProvider.ofFailedLibrary(new IOException("", new StackOverflowError())).obstacle());
  }

  /** What only the JDK does stays with it. */
  @Test
  void seedOfEd25519YieldsItsPublicKey() throws Exception {
    Provider jdk = CryptoProvider.jdkCurves();
    assertEquals("SunEC", jdk.getName());
    byte[] seed = new byte[32];
    assertEquals("O2onvM62pC1io6jQKm8Nc2UyFXcd4kOmOsBIoYtZ2ik", Base64Url.text(lastBytes(
        PublicKeys.ofEd25519(seed).getEncoded(), 32)));
  }

  private static byte[] lastBytes(byte[] from, int count) {
    return Arrays.copyOfRange(from, from.length - count, from.length);
  }

  private static List<String> run(List<String> options, List<String> files) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "--enable-native-access=ALL-UNNAMED"));
    command.addAll(options);
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), SignatureCases.class.getName()));
    command.addAll(files);
    Process process = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    try {
      String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertTrue(process.waitFor(30, TimeUnit.SECONDS));
      assertEquals(0, process.exitValue());
      return out.lines().toList();
    } finally {
      process.destroyForcibly();
    }
  }

  @Test
  void whatMustBeCompleteBeforeClientsComeIsComplete() {
    CryptoProvider.prepare();
    CryptoProvider.awaitPrepared();
    assertFalse(Thread.currentThread().isInterrupted());
    CryptoProvider.load();
    assertEquals(CryptoProvider.await(), CryptoProvider.await());
  }
}
