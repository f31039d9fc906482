package portcullis.policy.authenticator;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import portcullis.config.Yaml;
import portcullis.crypto.jwt.Expectations;
import portcullis.crypto.jwt.ScopesMatcher;
import portcullis.crypto.keys.Algorithm;
import portcullis.lang.source.Problem;
import portcullis.lang.source.Problems;
import portcullis.lang.source.SourceFile;

class AssertionTest {
  private static Optional<Assertion> read(String yaml, Problems problems) {
    return Yaml.read(new SourceFile("f", yaml), problems).flatMap(node -> Assertion.decoder().decode(node, problems));
  }

  private static Assertion read(String yaml) {
    return read(yaml, new Problems()).orElseThrow();
  }

  @Test
  void readsEveryPart() {
    Expectations all = read("{issuers: [a, b], audience: [c], scopes: [d, e], allowed_algorithms: [RS256, EdDSA], "
        + "validity_leeway: 2m}")
        .expectations(List.of("a", "b"));
    assertEquals(new Expectations(List.of("a", "b"), List.of("c"),
        new ScopesMatcher(ScopesMatcher.Strategy.EXACT, List.of("d", "e")),
        Set.of(Algorithm.RS256, Algorithm.EDDSA), Duration.ofMinutes(2)), all);
    assertEquals(Optional.of(new ScopesMatcher(ScopesMatcher.Strategy.HIERARCHIC, List.of("a.b"))),
        read("{scopes: {matching_strategy: hierarchic, values: [a.b]}}").scopes());
    assertEquals(Optional.of(new ScopesMatcher(ScopesMatcher.Strategy.EXACT, List.of("a"))),
        read("{scopes: {values: [a]}}").scopes());
  }

  @Test
  void requiresLittleByDefault() {
    assertEquals(
        new Expectations(List.of(), List.of(), ScopesMatcher.NONE,
            Set.of(Algorithm.ES256, Algorithm.ES384, Algorithm.ES512,
                Algorithm.PS256, Algorithm.PS384, Algorithm.PS512),
            Duration.ofSeconds(10)),
        read("{}").expectations(List.of()));
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', textBlock = """
      {issuers: [z]}               | z, c, d, RS256, 2m
      {audience: [z]}              | a, z, d, RS256, 2m
      {scopes: [z]}                | a, c, z, RS256, 2m
      {allowed_algorithms: [ES256]}| a, c, d, ES256, 2m
      {validity_leeway: 1s}        | a, c, d, RS256, 1s
      {}                           | a, c, d, RS256, 2m
      {issuers: [], audience: [], scopes: [], allowed_algorithms: [], validity_leeway: 0s} | a, c, d, RS256, 2m
      """)
  void rulesOverridePartsAndRemoveNone(String yaml, String all) {
    Assertion definition = read("{issuers: [a], audience: [c], scopes: [d], allowed_algorithms: [RS256], "
        + "validity_leeway: 2m}");
    String[] parts = all.split(", ");
    assertEquals(
        read("{issuers: [%s], audience: [%s], scopes: [%s], allowed_algorithms: [%s], validity_leeway: %s}".formatted(
            (Object[]) parts)),
        definition.overlaid(read(yaml)));
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', quoteCharacter = '^', textBlock = """
      {allowed_algorithms: [none]}        | f:1:23: allowed_algorithms[0]: `none` is not an algorithm: unsigned tokens \
      are never accepted, name the algorithms of the issuer's keys, or omit the list
      {allowed_algorithms: [None, NONE]}  | f:1:23: allowed_algorithms[0]: `none` is not an algorithm: unsigned tokens \
      are never accepted, name the algorithms of the issuer's keys, or omit the list
      {allowed_algorithms: [none, ES256]} | f:1:23: warning: allowed_algorithms[0]: `none` has no effect: unsigned \
      tokens are never accepted, remove it
      {allowed_algorithms: [ES257]}       | f:1:23: allowed_algorithms[0]: `ES257` is not known here, did you mean \
      `ES256`?
      {allowed_algorithms: [es256]}       | f:1:23: allowed_algorithms[0]: `es256` is not known here, did you mean \
      `ES256`?
      {allowed_algorithms: [RSA]}         | f:1:23: warning: allowed_algorithms[0]: `RSA` is a key type, not an \
      algorithm, and allows nothing, name algorithms, as `RS256`
      {issuers: [""]}                     | f:1:13: issuers[0]: must not be empty
      {scopes: {matching_strategy: fuzzy, values: [a]}} | f:1:30: scopes.matching_strategy: `fuzzy` is not known \
      here, right is one of: exact, hierarchic, wildcard
      {scopes: {matching_strategy: exact}} | f:1:10: scopes: `values` is missing, it is a list, each item a string: \
      the scopes
      {target_audience: [a]}              | f:1:2: unknown key `target_audience`, known: allowed_algorithms, \
      audience, issuers, proof_of_possession, scopes, validity_leeway
      """)
  void saysWhatIsWrong(String yaml, String reported) {
    Problems problems = new Problems();
    assertEquals(!reported.contains("warning"), read(yaml, problems).isEmpty());
    assertEquals(reported, problems.sorted().stream().map(Problem::text).collect(Collectors.joining("; ")));
  }
}
