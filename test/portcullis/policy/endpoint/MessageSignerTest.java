package portcullis.policy.endpoint;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import portcullis.crypto.keys.Algorithm;
import portcullis.fixture.StubService;
import portcullis.fixture.TestKeys;
import portcullis.lang.source.Problems;
import portcullis.lang.value.Value;
import portcullis.policy.cache.CacheKey;

class MessageSignerTest {
  private static final String ALL = "['@method', '@target-uri', '@authority', '@scheme', '@request-target', '@path', "
      + "'@query', "
      + "'@query-param;name=\"id\"', content-digest, content-length, X-Two, X-Two;bs, host]";

  @TempDir
  private Path folder;

  private KeyPair keys(String kind) {
    return switch (kind) {
      case "ed25519" -> TestKeys.ed25519();
      case "2048" -> TestKeys.rsa();
      case "3072" -> TestKeys.rsa(3072);
      default -> TestKeys.ec(Integer.parseInt(kind));
    };
  }

  private Path store(String pem) throws IOException {
    return Files.writeString(folder.resolve("keys.pem"), pem);
  }

  private static String yaml(String url, Path store, String more) {
    return """
        url: '%s'
        headers: {X-Two: first}
        auth:
          type: http_message_signatures
          config:
            signer: {name: gate, key_store: {path: '%s'}}
            %s
        """.formatted(url, store, more);
  }

  private static void say(Setup setup, String yaml, String body) throws CallFailure {
    Endpoint endpoint = Setup.endpoint(yaml);
    endpoint.send(endpoint.request(Value.Dict.EMPTY).forward("X-Two", "second").body(body.getBytes(UTF_8)),
        setup.caller);
  }

  @ParameterizedTest
  @CsvSource({"256, ecdsa-p256-sha256", "384, ecdsa-p384-sha384", "521, ecdsa-p521-sha512", "ed25519, ed25519",
    "2048, rsa-pss-sha256",
    "3072, rsa-pss-sha384"})
  void whatWasSignedHoldsForWhoGetsIt(String kind, String algorithm) throws Exception {
    KeyPair keys = keys(kind);
    try (StubService stub = new StubService(_ -> StubService.OK); Setup setup = new Setup()) {
      say(setup, yaml(stub.url("/check/a%20b?id=x+y&z=1"), store(TestKeys.pem(keys)), "components: " + ALL),
          "question");
      SignatureCheck check = new SignatureCheck(stub.last(), "sig");
      assertEquals(algorithm, check.parameter("alg"));
      assertTrue(check.holds(keys.getPublic()), stub.last().toString());
      StubService.ReceivedRequest last = stub.last();
      StubService.ReceivedRequest other = new StubService.ReceivedRequest("PUT", last.target(), last.fields(),
          last.body());
      assertFalse(new SignatureCheck(other, "sig").holds(keys.getPublic()));
    }
  }

  @Test
  void saysWhoSignedWhenAndForHowLong() throws Exception {
    try (StubService stub = new StubService(_ -> StubService.OK); Setup setup = new Setup()) {
      Path store = store(TestKeys.pem(TestKeys.ec(256)).replace("-----BEGIN PRIVATE KEY-----\n",
          "-----BEGIN PRIVATE KEY-----\nX-Key-ID: k1\n\n"));
      say(setup, yaml(stub.url("/"), store, "components: ['@method']"), "");
      say(setup, yaml(stub.url("/"), store, "components: ['@method']\n    ttl: 5s\n    label: gate-1"), "");
      SignatureCheck first = new SignatureCheck(stub.receivedCalls().getFirst(), "sig");
      SignatureCheck second = new SignatureCheck(stub.last(), "gate-1");
      long now = Setup.BEGIN.getEpochSecond();
      assertEquals(List.of("" + now, "" + (now + 60), "k1", "gate"),
          List.of(first.parameter("created"), first.parameter("expires"), first.parameter("keyid"),
              first.parameter("tag")));
      assertEquals("" + (now + 5), second.parameter("expires"));
      assertNotEquals(first.parameter("nonce"), second.parameter("nonce"));
    }
  }

  @ParameterizedTest
  @CsvSource({"PS512, rsa-pss-sha512", "PS256, rsa-pss-sha256", "ES512, ecdsa-p521-sha512", "EDDSA, ed25519"})
  void algorithmsHaveTheNamesThatVerifiersKnow(Algorithm algorithm, String name) {
    assertEquals(name, MessageSigner.name(algorithm));
  }

  @Test
  void theContentCountsByTwoDigests() throws Exception {
    try (StubService stub = new StubService(_ -> StubService.OK); Setup setup = new Setup()) {
      say(setup, yaml(stub.url("/"), store(TestKeys.pem(TestKeys.ec(256))), "components: [content-digest]"),
          "question");
      String expected = "sha-256=:" + digest("SHA-256") + ":, sha-512=:" + digest("SHA-512") + ":";
      assertEquals(expected, stub.last().field("Content-Digest"));
    }
  }

  private static String digest(String algorithm) throws Exception {
    return Base64.getEncoder().encodeToString(MessageDigest.getInstance(algorithm).digest("question".getBytes(UTF_8)));
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', textBlock = """
      [x-other]                    | failed to sign the call: the call has no field `x-other`
      ['@query-param;name="no"']   | failed to sign the call: the query has no parameter `no`
      ['@query-param;name="id"']   | failed to sign the call: the query has more than one parameter `id`
      """)
  void whatIsNotThereCannotBeSigned(String components, String expected) throws Exception {
    Path store = store(TestKeys.pem(TestKeys.ec(256)));
    try (Setup setup = new Setup()) {
      String why = assertThrows(CallFailure.Unauthenticated.class,
          () -> say(setup, yaml("http://localhost:1/?id=1&id=2", store, "components: " + components), "")).getMessage();
      assertEquals(expected, why);
    }
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', textBlock = """
      components: []                          | must contain at least 1 item
      components: ['@status']                 | unsupported component `@status`
      components: ['@query-param']            | unsupported component `@query-param`
      components: [date;sf]                   | unsupported component `date;sf`
      components: ['@method;bs']              | unsupported component `@method;bs`
      components: [date, Date]                | each component may be named once
      label: sig                              | `components` is missing
      components: [date]; label: Sig          | `Sig` is not a valid label
      components: [date]; ttl: soon           | `soon` is not a duration
      """)
  void reportsInvalidSettings(String settings, String expected) {
    String reported = Setup.problems(yaml("http://h/", Path.of("keys.pem"), settings.replace("; ", "\n    ")));
    assertTrue(reported.contains(expected), reported);
  }

  @Test
  void missingKeyIsAConfigurationError() throws IOException {
    Path store = store(TestKeys.pem(TestKeys.ec(256)));
    String good = yaml("http://h/", store, "components: [date]");
    assertTrue(Setup.endpoint(good).secure(false, new Problems()));
    assertTrue(insecure(good.replace("keys.pem", "none.pem")).contains("there is no such file"));
    assertTrue(insecure(good.replace("}}\n", "}, key_id: other}\n")).contains("no key `other`"));
    Files.writeString(store, "nothing");
    assertTrue(insecure(good).contains("it holds no private key"));
  }

  private static String insecure(String yaml) {
    Problems problems = new Problems();
    assertFalse(Setup.endpoint(yaml).secure(false, problems));
    return Setup.reported(problems);
  }

  @Test
  void aRenewedKeySignsAtOnce() throws Exception {
    KeyPair old = TestKeys.ec(256);
    KeyPair renewed = TestKeys.ec(256);
    try (StubService stub = new StubService(_ -> StubService.OK); Setup setup = new Setup()) {
      Path store = store(TestKeys.pem(old));
      String yaml = yaml(stub.url("/"), store, "components: ['@method']");
      say(setup, yaml, "");
      assertTrue(new SignatureCheck(stub.last(), "sig").holds(old.getPublic()));
      Files.writeString(store, TestKeys.pem(renewed));
      setup.caller.keys().prepared(setup.caller.keys().files().getFirst()).run();
      say(setup, yaml, "");
      assertTrue(new SignatureCheck(stub.last(), "sig").holds(renewed.getPublic()));
    }
  }

  /** Also where both keys have the same id: the file names it. */
  @Test
  void keyItselfIsPartOfTheKeyOfAnAnswer() throws Exception {
    try (Setup setup = new Setup()) {
      Path store = store(named("gate", TestKeys.ec(256)));
      Endpoint endpoint = Setup.endpoint(yaml("http://h/", store, "components: ['@method']"));
      CacheKey before = endpoint.key("p", endpoint.request(Value.Dict.EMPTY), List.of(), setup.caller);
      assertEquals(before, endpoint.key("p", endpoint.request(Value.Dict.EMPTY), List.of(), setup.caller));
      store(named("gate", TestKeys.ec(256)));
      setup.caller.keys().prepared(store).run();
      assertNotEquals(before, endpoint.key("p", endpoint.request(Value.Dict.EMPTY), List.of(), setup.caller));
    }
  }

  private static String named(String id, KeyPair keys) {
    return TestKeys.pem(keys).replaceFirst("-----\n", "-----\nX-Key-ID: " + id + "\n\n");
  }

  @Test
  void noSecretIsShown() throws IOException {
    Path store = store(TestKeys.pem(TestKeys.ec(256)));
    String text = Setup
        .endpoint(yaml("http://h/", store, "components: [date]").replace("}}\n", ", password: geheim}}\n")).toString();
    assertFalse(text.contains("geheim"), text);
    for (String auth : List.of("{type: basic_auth, config: {user: u, password: geheim}}", "{type: api_key, config: "
        + "{in: header, name: k, value: geheim}}",
        "{type: oauth2_client_credentials, config: {token_url: 'http://h/', client_id: c, client_secret: geheim}}")) {
      assertFalse(Setup.endpoint("{url: 'http://h/', auth: " + auth + "}").toString().contains("geheim"), auth);
    }
  }
}
