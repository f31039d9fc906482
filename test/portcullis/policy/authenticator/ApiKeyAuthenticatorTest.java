package portcullis.policy.authenticator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import portcullis.config.Enforcement;
import portcullis.crypto.apikeys.ApiKeyEdit;
import portcullis.crypto.apikeys.ApiKeyFiles;
import portcullis.http.message.BodyFormat;
import portcullis.http.message.Fields;
import portcullis.http.message.Forwarding;
import portcullis.http.message.Request;
import portcullis.http.message.TrustedProxies;
import portcullis.http.message.ValidRequest;
import portcullis.lang.address.Network;
import portcullis.lang.source.Problems;
import portcullis.lang.source.SourceFile;
import portcullis.lang.value.JsonText;
import portcullis.lang.value.ParseBudget;
import portcullis.policy.limit.Lockouts;
import portcullis.policy.mechanism.Failure;
import portcullis.policy.mechanism.Mechanism;
import portcullis.policy.mechanism.MechanismContext;
import portcullis.policy.mechanism.PipelineState;

class ApiKeyAuthenticatorTest {
  private final Bench bench = new Bench();

  @TempDir
  private Path folder;
  private Path file;
  private String text = "";

  @BeforeEach
  void place() {
    file = folder.resolve("keys.yaml");
  }

  @AfterEach
  void close() {
    bench.close();
  }

  private String key(String subject, List<String> scopes, List<String> networks, long from, long until)
      throws Exception {
    return key(subject, Map.of(), scopes, networks, from, until);
  }

  private String key(String subject, Map<String, String> attributes, List<String> scopes, List<String> networks,
      long from, long until) throws Exception {
    Instant now = bench.clock.instant();
    ApiKeyEdit.Made made = ApiKeyEdit.add(
        text.isEmpty() ? Optional.empty() : Optional.of(new SourceFile("k", text)),
        new ApiKeyEdit.Draft("pk", subject, attributes, scopes, networks, Optional.of(now.plusSeconds(from)),
            Optional.of(now.plusSeconds(until))),
        now, new SecureRandom());
    text = made.file();
    Files.writeString(file, text);
    return made.key();
  }

  private String key(String subject) throws Exception {
    return key(subject, List.of("read"), List.of(), 0, 60);
  }

  private Bench.Made<?> made(String more) {
    return bench.make(ApiKeyAuthenticator.TYPE, "{ keys: " + file + more + " }");
  }

  private static Request with(String key) {
    return Bench.with("X-Api-Key", key);
  }

  @Test
  void aKnownKeyNamesItsSubject() throws Exception {
    String key = key("ann");
    String other = key("bob");
    var made = made("");
    assertEquals("ann", made.outcome(with(key)));
    assertEquals("bob", made.outcome(with(other)));
    assertEquals("authentication error: unknown API key", made.outcome(with(key + "x")));
    assertTrue(made.outcome(Bench.with("X-Other", key)).startsWith("authentication error: no API key in request"));
  }

  @Test
  void theSubjectHasTheAttributesOfItsKey() throws Exception {
    String key = key("ann", Map.of("team", "shop"), List.of("read", "write"), List.of(), 0, 60);
    assertEquals("{\"key_id\":\"" + key.split("_")[1] + "\",\"scopes\":[\"read\",\"write\"],\"team\":\"shop\"}",
        JsonText.plain(made("").accepts(with(key)).attributes()));
  }

  @Test
  void aKeyCountsInItsTimeOnly() throws Exception {
    String early = key("ann", List.of(), List.of(), 10, 20);
    String id = early.split("_")[1];
    var made = made("");
    assertEquals("authentication error: API key `" + id + "` is not yet valid", made.outcome(with(early)));
    bench.clock.pass(Duration.ofSeconds(10));
    assertEquals("ann", made.outcome(with(early)));
    bench.clock.pass(Duration.ofSeconds(10));
    assertEquals("authentication error: API key `" + id + "` is expired", made.outcome(with(early)));
  }

  @Test
  void scopesOfTheRuleAreRequired() throws Exception {
    String key = key("ann");
    var made = made(", scopes: [ read ]");
    assertEquals("ann", made.outcome(with(key)));
    assertEquals("authentication error: API key `" + key.split("_")[1] + "` lacks the scope `write`",
        made.refined("{ scopes: [ read, write ] }").outcome(with(key)));
    assertEquals("ann", made.refined("{ scopes: [] }").outcome(with(key)));
    assertTrue(made.refusal("text").contains("settings with: scopes"), made.refusal("text"));
  }

  @Test
  void theLastUseIsThatOfAnAcceptedKey() throws Exception {
    String accepted = key("ann");
    String lacking = key("bob", List.of(), List.of(), 0, 60);
    MechanismContext context = bench.context(Enforcement.NONE);
    Bench.Made<ApiKeyAuthenticator.Config> made = bench.make(ApiKeyAuthenticator.TYPE,
        "{ keys: " + file + ", scopes: [ read ] }");
    Mechanism.Authenticator mechanism = ApiKeyAuthenticator.TYPE.maker().make(made.config(), context, new Problems())
        .orElseThrow();
    assertEquals("ann", mechanism.authenticate(PipelineState.of(with(accepted))).id());
    assertThrows(Failure.class, () -> mechanism.authenticate(PipelineState.of(with(lacking))));
    assertEquals(Map.of(accepted.split("_")[1], bench.clock.instant()), context.apiKeys().lastUses());
  }

  @Test
  void theClientHasToBeInTheNetwork() throws Exception {
    String here = key("ann", List.of(), List.of("127.0.0.0/8"), 0, 60);
    String elsewhere = key("ann", List.of(), List.of("10.0.0.0/8"), 0, 60);
    var made = made("");
    assertEquals("ann", made.outcome(with(here)));
    assertTrue(made.outcome(with(elsewhere)).endsWith("may not be used from this network"));
  }

  @Test
  void aClientThatForgesAForwardingFieldIsInNoNetwork() throws Exception {
    String key = key("ann", List.of(), List.of("192.0.2.0/24", "10.0.0.0/8"), 0, 60);
    var made = made("");
    assertEquals("ann", made.outcome(proxied(key, "192.0.2.7", Fields.NONE)));
    assertTrue(made.outcome(proxied(key, "203.0.113.7", Fields.NONE)).endsWith("from this network"));
    for (String node : List.of("192.0.2.9", "10.0.0.9", "203.0.113.7, for=192.0.2.9", "x")) {
      Fields forged = Fields.of("Forwarded", "for=" + node);
      assertTrue(made.outcome(proxied(key, "203.0.113.7", forged)).endsWith("from this network"), node);
    }
  }

  /** A request through a trusted proxy that maintains {@code X-Forwarded-For} alone. */
  private static Request proxied(String key, String client, Fields sent) throws Exception {
    Fields fields = sent.with("X-Api-Key", key).with("X-Forwarded-For", "192.0.2.8, " + client);
    ValidRequest arrived = ValidRequest.of("GET", "http://a.test/", fields, InetAddress.ofLiteral("10.0.0.1"),
        new byte[0]);
    TrustedProxies proxies = new TrustedProxies(List.of(Network.parse("10.0.0.1").orElseThrow()));
    return Forwarding.of(arrived, proxies).request(ParseBudget.DEFAULT, BodyFormat::of);
  }

  @Test
  void basicCredentialsOnRequest() throws Exception {
    String key = key("ann");
    Request basic = Bench.with("Authorization",
        "Basic " + Base64.getEncoder().encodeToString(("any:" + key).getBytes(StandardCharsets.US_ASCII)));
    assertEquals("ann", made(", basic_auth: true").outcome(basic));
    assertEquals("ann", made(", basic_auth: true").outcome(with(key)));
    assertTrue(made("").outcome(basic).startsWith("authentication error: no API key"));
  }

  @Test
  void lastUsesAreThoseOfAcceptedKeys() throws Exception {
    String key = key("ann");
    String other = key("bob", List.of(), List.of(), 0, 3600);
    var made = made("");
    ApiKeyFiles files = ((ApiKeyAuthenticator) made.mechanism()).context().apiKeys();
    made.refuses(with(wrong(key)));
    made.refined("{ scopes: [ write ] }").refuses(with(key));
    assertEquals(Map.of(), files.lastUses());
    made.accepts(with(key));
    Instant first = bench.clock.instant();
    assertEquals(Map.of(key.split("_")[1], first), files.lastUses());
    bench.clock.pass(Duration.ofSeconds(30));
    made.accepts(with(other));
    assertEquals(Map.of(key.split("_")[1], first, other.split("_")[1], first.plusSeconds(30)), files.lastUses());
    Files.writeString(file, "keys: []\n");
    files.prepared(file.toAbsolutePath().normalize()).run();
    assertEquals(Map.of(), files.lastUses(), "removed keys");
  }

  private static String wrong(String key) {
    return key.substring(0, key.lastIndexOf('_')) + "_guess";
  }

  @Test
  void locksOutAKeyWithWrongSecretsForATime() throws Exception {
    String key = key("ann", List.of(), List.of(), 0, 3600);
    String other = key("bob", List.of(), List.of(), 0, 3600);
    var made = made(", lockout: { attempts: 2, for: 1m }");
    made.refuses(with(wrong(key)));
    made.refuses(with(wrong(key)));
    String locked = "too many requests: too many failed attempts: the credential is locked out for network "
        + "127.0.0.1/32";
    assertEquals(locked, made.outcome(with(key)));
    assertEquals("bob", made.outcome(with(other)));
    bench.steady.pass(Duration.ofSeconds(59));
    assertEquals(locked, made.outcome(with(key)));
    bench.steady.pass(Duration.ofSeconds(1));
    assertEquals("ann", made.outcome(with(key)));
  }

  @Test
  void failuresCountForTheFileWhereverItIsNamed() throws Exception {
    bench.lockouts = Optional.of(new Lockouts(bench.steady));
    String key = key("ann");
    made(", lockout: { attempts: 1 }").refuses(with(wrong(key)));
    assertTrue(made(", lockout: { attempts: 1 }").outcome(with(key)).startsWith("too many requests"));
    var elsewhere = bench.make(ApiKeyAuthenticator.TYPE, "{ lockout: { attempts: 1 }, keys: " + file + " }");
    assertTrue(elsewhere.outcome(with(key)).startsWith("too many requests"));
  }

  @Test
  void aStrangerLocksOutNoKeyOfAnotherNetwork() throws Exception {
    String key = key("ann", List.of(), List.of(), 0, 60);
    var made = made(", lockout: { attempts: 2 }");
    for (int i = 0; i < 10; i++) {
      made.refuses(proxied(wrong(key), "203.0.113.7", Fields.NONE));
    }
    assertTrue(made.outcome(proxied(key, "203.0.113.7", Fields.NONE)).startsWith("too many requests"));
    assertEquals("ann", made.outcome(proxied(key, "192.0.2.7", Fields.NONE)));
  }

  @Test
  void aRightKeyForgetsFailures() throws Exception {
    String key = key("ann");
    var made = made(", lockout: { attempts: 2 }");
    for (int i = 0; i < 5; i++) {
      made.refuses(with(wrong(key)));
      assertEquals("ann", made.outcome(with(key)));
    }
  }

  @Test
  void aKeyThatMayNotBeUsedIsNoGuess() throws Exception {
    String key = key("ann", List.of(), List.of(), 10, 20);
    var made = made(", lockout: { attempts: 2 }");
    for (int i = 0; i < 5; i++) {
      assertTrue(made.outcome(with(key)).endsWith("is not yet valid"));
    }
    bench.clock.pass(Duration.ofSeconds(10));
    assertEquals("ann", made.outcome(with(key)));
  }

  @Test
  void unknownKeysAreLockedOutAsKnownOnes() throws Exception {
    key("ann");
    var made = made(", lockout: { attempts: 2 }");
    for (String guess : List.of("pk_none_guess", "no key")) {
      made.refuses(with(guess));
      assertEquals("authentication error: unknown API key", made.outcome(with(guess)));
      assertTrue(made.outcome(with(guess)).startsWith("too many requests"), guess);
    }
  }

  @Test
  void theLockoutOfOneDefinitionIsNotThatOfAnother() throws Exception {
    bench.lockouts = Optional.of(new Lockouts(bench.steady));
    String key = key("ann");
    var locking = made(", lockout: { attempts: 1 }");
    var plain = made("");
    locking.refuses(with(wrong(key)));
    assertTrue(locking.outcome(with(key)).startsWith("too many requests"));
    assertEquals("ann", plain.outcome(with(key)));
  }

  @Test
  void withoutLockoutNothingIsCounted() throws Exception {
    String key = key("ann");
    var made = made("");
    for (int i = 0; i < 100; i++) {
      made.refuses(with(wrong(key)));
    }
    assertEquals("ann", made.outcome(with(key)));
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', textBlock = """
      { attempts: 0 }          | lockout.attempts
      { attempts: 1001 }       | lockout.attempts
      { for: 0s }              | lockout.for: must be more than 0s
      { within: 0s }           | lockout.within: must be more than 0s
      { within: 745h }         | lockout.within: is too long, at most 744h
      { for: 2h }              | lockout.for: `at_most` is shorter than `for`
      { at_most: 745h }        | lockout.at_most: is too long
      { per: user }            | unknown key `per`, known: at_most, attempts, for, within
      """)
  void wrongLockoutsAreRefused(String settings, String reported) throws Exception {
    key("ann");
    String found = bench.problems(ApiKeyAuthenticator.TYPE, "{ keys: " + file + ", lockout: " + settings + " }",
        Enforcement.NONE);
    assertTrue(found.contains(reported), found);
    made(", lockout: { attempts: 1000, within: 744h, for: 744h, at_most: 744h }");
  }
}
