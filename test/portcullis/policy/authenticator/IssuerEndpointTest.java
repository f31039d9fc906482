package portcullis.policy.authenticator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import portcullis.config.Enforcement;
import portcullis.config.Yaml;
import portcullis.fixture.StubService;
import portcullis.fixture.TestKeys;
import portcullis.lang.source.Problems;
import portcullis.lang.source.SourceFile;
import portcullis.lang.value.Value;
import portcullis.policy.endpoint.Endpoint;
import portcullis.policy.endpoint.EndpointDecoder;
import portcullis.policy.mechanism.Failure;
import portcullis.policy.mechanism.MechanismContext;

class IssuerEndpointTest {
  private static Endpoint endpoint(String yaml) {
    Problems problems = new Problems();
    return Yaml.read(new SourceFile("f", yaml), problems)
        .flatMap(node -> EndpointDecoder.decoder().decode(node, problems)).orElseThrow();
  }

  private static IssuerEndpoint.Found found(String yaml, String issuer, String... expected) throws Failure {
    return new IssuerEndpoint.Configured(endpoint(yaml)).find(() -> Optional.of(issuer).filter(text -> !text.isEmpty()),
        List.of(expected), Duration.ZERO, null);
  }

  @Test
  void onlyTemplatesAreFilledIn() {
    assertFalse(IssuerEndpoint.isFilledIn(endpoint("{url: 'https://i.test/k', headers: {A: b}}")));
    assertTrue(IssuerEndpoint.isFilledIn(endpoint("{url: 'https://i.test/{{ .TokenIssuer }}'}")));
    assertTrue(IssuerEndpoint.isFilledIn(endpoint("{url: 'https://i.test/k', headers: {A: '{{ .TokenIssuer }}'}}")));
  }

  /** They would be read at the first request, and could be gone by then. */
  @Test
  void keysThatSignForTheEndpointAreInUseFromTheStart(@TempDir Path folder) throws Exception {
    Path store = Files.writeString(folder.resolve("keys.pem"), TestKeys.pem(TestKeys.ec(256)));
    try (Bench bench = new Bench()) {
      Problems problems = new Problems();
      Endpoint endpoint = endpoint("{url: 'https://i.test/k', auth: {type: http_message_signatures, config: {signer: "
          + "{name: gate, key_store: {path: '" + store + "'}}, components: ['@method']}}}");
      MechanismContext context = bench.context(Enforcement.NONE);
      assertTrue(new IssuerEndpoint.Configured(endpoint).secure(context, problems));
      assertEquals(1, bench.keys.published().size());
    }
  }

  @Test
  void onlyTrustedIssuersAreFilledIn() throws Failure {
    String template = "{url: 'https://i.test/{{ .TokenIssuer }}'}";
    assertEquals(Value.dict("TokenIssuer", Value.of("a")), found(template, "a", "b", "a").scope());
    assertEquals(Value.Dict.EMPTY, found("{url: 'https://i.test/k'}", "other", "a").scope());
    for (List<String> row : List.of(List.of("b", "b"), List.of("", ""), List.of("a\u0007b", "a?b"),
        List.of("a\nb", "a…"))) {
      Failure failure = assertThrows(Failure.class, () -> found(template, row.getFirst(), "a"));
      assertEquals("authentication error: issuer " + row.getLast() + " is not trusted", failure.report());
    }
  }

  @Test
  void keysThatAreFetchedEarlyAreNotThoseOfTheCache() throws Exception {
    try (Bench bench = new Bench();
        StubService stub = new StubService(_ -> StubService.ok("{\"keys\":[]}", "Cache-Control: max-age=60"))) {
      KeyEndpoint keys = new KeyEndpoint(endpoint("{url: '" + stub.url("/k") + "', http_cache: {enabled: true}}"),
          Value.Dict.EMPTY, Duration.ofMinutes(1), bench.context(Enforcement.NONE));
      keys.fetch();
      keys.fetch();
      assertEquals(1, stub.receivedCalls().size());
      keys.fetchUncached();
      assertEquals(2, stub.receivedCalls().size());
      assertEquals("no-cache", stub.last().field("Cache-Control"));
      KeyEndpoint uncached = new KeyEndpoint(endpoint("{url: '" + stub.url("/k") + "'}"), Value.Dict.EMPTY,
          Duration.ofMinutes(1), bench.context(Enforcement.NONE));
      uncached.fetchUncached();
      assertEquals("", stub.last().field("Cache-Control"), "there is no cache to pass by");
    }
  }

  @Test
  void keysThatCannotBeUsedAreLoggedWithTheReason() throws Exception {
    try (Bench bench = new Bench();
        StubService stub = new StubService(_ -> StubService.ok("{\"keys\":[{\"kid\":\"k\",\"kty\":\"none\"}]}"))) {
      new KeyEndpoint(endpoint("{url: '" + stub.url("/k") + "'}"), Value.Dict.EMPTY, Duration.ofMinutes(1),
          bench.context(Enforcement.NONE)).fetch();
      String log = bench.logged();
      assertTrue(log.contains("some keys of the issuer cannot be used _why=") && log.contains("its kind is not known"),
          log);
    }
  }
}
