package portcullis.policy.finalizer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.time.InstantSource;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import portcullis.config.Enforcement;
import portcullis.crypto.jwt.CompactToken;
import portcullis.crypto.jwt.TokenException;
import portcullis.crypto.jwt.Verification;
import portcullis.crypto.keys.Algorithm;
import portcullis.crypto.keys.JwkSet;
import portcullis.crypto.keys.PublishedKeys;
import portcullis.fixture.TestKeys;
import portcullis.lang.source.Problems;
import portcullis.lang.value.Value;
import portcullis.policy.cache.MemoryCache;
import portcullis.policy.catalogue.Catalogue;
import portcullis.policy.pipeline.AccessGuard;
import portcullis.policy.pipeline.Observer;
import portcullis.policy.pipeline.Pipeline;
import portcullis.policy.pipeline.PipelineResult;
import portcullis.policy.rule.Catalogues;
import portcullis.policy.rule.Rules;

/** Tokens are verified with what is published of the keys. */
class JwtFinalizerTest {
  private static final String STEPS = "execute: [{authenticator: anon}, {finalizer: token}]";

  @TempDir
  private Path folder;

  private String mechanisms(String signer) {
    return "authenticators: [{id: anon, type: anonymous}]\nfinalizers: [{id: token, type: jwt, config: {signer: {"
        + signer + "}}}]\n";
  }

  private static KeyPair keys(String kind) {
    return switch (kind) {
      case "rsa" -> TestKeys.rsa();
      case "ed" -> TestKeys.ed25519();
      default -> TestKeys.ec(Integer.parseInt(kind));
    };
  }

  @ParameterizedTest
  @CsvSource({"rsa,,PS256", "rsa,RS256,RS256", "rsa,PS512,PS512", "256,,ES256", "384,,ES384", "521,ES512,ES512",
    "ed,,EdDSA"})
  void tokensAreSignedAsTheKeyIsForOrAsConfigured(String kind, String configured, String algorithm) throws Exception {
    Path file = Files.writeString(folder.resolve("key.pem"), TestKeys.pem(keys(kind)));
    Problems problems = new Problems();
    Catalogue catalogue = Catalogues.of(
        mechanisms("key_store: {path: " + file + "}" + (configured == null ? "" : ", algorithm: " + configured)),
        Enforcement.NONE, problems);
    PipelineResult.Passed passed = (PipelineResult.Passed) Rules.pipeline(catalogue, STEPS, problems)
        .run(Rules.request("/", ""), AccessGuard.OPEN, Observer.NONE);
    CompactToken token = CompactToken
        .parse(passed.state().additions().headers().getFirst().value().substring("Bearer ".length()));
    assertEquals(algorithm, token.algorithm().text());
    JwkSet published = JwkSet.read(PublishedKeys.of(catalogue.context().keys().published()).document());
    assertEquals("anonymous",
        text(Verification.verify(token, published, Set.of(Algorithm.values())).claims().get("sub").orElseThrow()));
  }

  private static String text(Value value) {
    return ((Value.Str) value).value();
  }

  /** Whoever verifies knows a key by its id, and an algorithm by the key. */
  @Test
  void oneKeyForTwoAlgorithmsIsRefused() throws IOException {
    Path file = Files.writeString(folder.resolve("key.pem"), TestKeys.pem(TestKeys.rsa()));
    String one = "- {id: a, type: jwt, config: {signer: {key_store: {path: " + file + "}, algorithm: RS256}}}\n";
    String other = "- {id: b, type: jwt, config: {signer: {name: b, key_store: {path: " + file + "}}}}\n";
    Problems problems = new Problems();
    Catalogues.of("finalizers:\n" + one + other, Enforcement.NONE, problems);
    String reported = Catalogues.reported(problems);
    assertTrue(reported.startsWith("f:3:67: finalizers[1].config.signer.key_store.path: key `"), reported);
    assertTrue(reported.contains("` would sign both RS256 and PS256, a key signs in one way only"), reported);
    Problems none = new Problems();
    Catalogues.of(
        "finalizers:\n" + one + one.replace("a, type", "b, type").replace("{key_store", "{name: b, key_store"),
        Enforcement.NONE, none);
    assertEquals("", Catalogues.reported(none));
  }

  @Test
  void anAlgorithmThatTheKeyIsNotForIsRefused() throws IOException {
    Path file = Files.writeString(folder.resolve("key.pem"), TestKeys.pem(TestKeys.ec(256)));
    for (String algorithm : new String[] {"RS256", "ES384", "HS256", "none"}) {
      Problems problems = new Problems();
      Catalogues.of(mechanisms("key_store: {path: " + file + "}, algorithm: " + algorithm), Enforcement.NONE, problems);
      assertTrue(problems.hasErrors(), algorithm);
    }
  }

  private static String named(KeyPair keys) {
    return TestKeys.pem(keys).replaceFirst("-----\n", "-----\nX-Key-ID: gate\n\n");
  }

  /** Its successor in the file has the same id; tokens of the withdrawn key must not be sent on from the cache. */
  @Test
  void replacedKeySignsAtOnceAlsoUnderTheSameId() throws Exception {
    Path file = Files.writeString(folder.resolve("key.pem"), named(TestKeys.ec(256)));
    Problems problems = new Problems();
    Catalogue catalogue = Catalogues.of(mechanisms("key_store: {path: " + file + "}"), Enforcement.NONE, problems,
        new MemoryCache(1 << 20, 0, InstantSource.system()));
    Pipeline pipeline = Rules.pipeline(catalogue, STEPS, problems);
    String first = token(pipeline);
    assertEquals(first, token(pipeline));
    Files.writeString(file, named(TestKeys.ec(256)));
    catalogue.context().keys().prepared(file).run();
    String second = token(pipeline);
    assertNotEquals(first, second);
    assertEquals(second, token(pipeline));
    JwkSet published = JwkSet.read(PublishedKeys.of(catalogue.context().keys().published()).document());
    Verification.verify(CompactToken.parse(second), published, Set.of(Algorithm.values()));
    assertThrows(TokenException.class,
        () -> Verification.verify(CompactToken.parse(first), published, Set.of(Algorithm.values())));
  }

  private static String token(Pipeline pipeline) throws Exception {
    PipelineResult.Passed passed = (PipelineResult.Passed) pipeline.run(Rules.request("/", ""), AccessGuard.OPEN,
        Observer.NONE);
    return passed.state().additions().headers().getFirst().value().substring("Bearer ".length());
  }
}
