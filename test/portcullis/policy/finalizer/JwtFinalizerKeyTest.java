package portcullis.policy.finalizer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import portcullis.fixture.StubService;
import portcullis.fixture.TestKeys;
import portcullis.policy.pipeline.PipelineResult;
import portcullis.policy.rule.Rules;
import portcullis.policy.rule.Stage;

/** A token is used again for whoever differs in nothing that it says or that it was made with. */
class JwtFinalizerKeyTest {
  private static final KeyPair RSA = TestKeys.rsa();
  private static final String CLAIMS = "claims: '{\"a\": 1}'";

  @TempDir
  private Path folder;
  private Stage stage;
  private String first;

  @BeforeEach
  void makeToken() throws IOException {
    stage = new Stage(
        _ -> StubService.ok("{\"sub\": \"anna\", \"role\": \"cook\"}", "Content-Type: application/json"));
    Files.writeString(folder.resolve("rsa.pem"), TestKeys.pem(RSA));
    Files.writeString(folder.resolve("other.pem"), TestKeys.pem(TestKeys.rsa(2048)));
    first = token("anna", signer("issuer", "rsa.pem", "PS256"), CLAIMS);
  }

  @AfterEach
  void close() {
    stage.close();
  }

  private String signer(String name, String file, String algorithm) {
    return "{name: " + name + ", algorithm: " + algorithm + ", key_store: {path: " + folder.resolve(file) + "}}";
  }

  private String token(String subject, String signer, String more) {
    return made("{id: user, type: anonymous, config: {subject: " + subject + "}}", signer, more);
  }

  private String made(String authenticator, String signer, String more) {
    String mechanisms = "authenticators: [" + authenticator + "]\nfinalizers: [{id: token, type: jwt, config: {signer: "
        + signer + ", " + more
        + "}}]\n";
    PipelineResult result = stage.result(mechanisms, "{authenticator: user}, {finalizer: token}",
        Rules.request("/", "", "Authorization", "Bearer x"));
    return ((PipelineResult.Passed) result).state().additions().headers().getFirst().value();
  }

  @Test
  void tokenIsUsedAgainUntilShortlyBeforeItsEnd() {
    assertEquals(first, token("anna", signer("issuer", "rsa.pem", "PS256"), CLAIMS));
    stage.later(Duration.ofSeconds(294));
    assertEquals(first, token("anna", signer("issuer", "rsa.pem", "PS256"), CLAIMS));
    stage.later(Duration.ofSeconds(2));
    assertNotEquals(first, token("anna", signer("issuer", "rsa.pem", "PS256"), CLAIMS));
  }

  @Test
  void anotherSubjectGetsAnotherToken() {
    assertNotEquals(first, token("bert", signer("issuer", "rsa.pem", "PS256"), CLAIMS));
  }

  @Test
  void otherAttributesGetAnotherToken() {
    String generic = "{id: user, type: generic, config: {identity_info_endpoint: URL/, subject: {id: sub},"
        + " authentication_data_source: [{header: Authorization, scheme: Bearer}]}}";
    String cook = made(generic, signer("issuer", "rsa.pem", "PS256"), CLAIMS);
    assertEquals(cook, made(generic, signer("issuer", "rsa.pem", "PS256"), CLAIMS));
    assertNotEquals(cook, first);
  }

  @Test
  void otherClaimsGetAnotherToken() {
    assertNotEquals(first, token("anna", signer("issuer", "rsa.pem", "PS256"), "claims: '{\"a\": 2}'"));
  }

  @Test
  void anotherLifetimeGetsAnotherToken() {
    assertNotEquals(first, token("anna", signer("issuer", "rsa.pem", "PS256"), CLAIMS + ", ttl: 6m"));
  }

  @Test
  void anotherIssuerGetsAnotherToken() {
    assertNotEquals(first, token("anna", signer("other", "rsa.pem", "PS256"), CLAIMS));
  }

  @Test
  void anotherKeyGetsAnotherToken() {
    assertNotEquals(first, token("anna", signer("issuer", "other.pem", "PS256"), CLAIMS));
  }

  @Test
  void anotherIdOfTheSameKeyGetsAnotherToken() throws IOException {
    Files.writeString(folder.resolve("named.pem"), TestKeys.pem(RSA).replaceFirst("-----\n", "-----\nX-Key-ID: b\n\n"));
    assertNotEquals(first.split("\\.")[0],
        token("anna", signer("issuer", "named.pem", "PS256"), CLAIMS).split("\\.")[0]);
  }

  @Test
  void anotherAlgorithmGetsAnotherToken() {
    stage.restart();
    assertEquals(first, token("anna", signer("issuer", "rsa.pem", "PS256"), CLAIMS), "the cache outlives the program");
    stage.restart();
    assertNotEquals(first, token("anna", signer("issuer", "rsa.pem", "RS256"), CLAIMS));
  }
}
