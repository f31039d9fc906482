package portcullis.policy.rule;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import portcullis.config.Enforcement;
import portcullis.lang.source.Problems;
import portcullis.policy.catalogue.Catalogue;
import portcullis.policy.pipeline.Pipeline;

final class AccessStepsTest {
  private static final String MECHANISMS = """
      authenticators: [{id: anon, type: anonymous}, {id: staff, type: basic_auth,
        config: {user_id: op, password: secret}}]
      authorizers: [{id: nobody, type: deny}]
      finalizers: [{id: noop, type: noop}]
      """;

  private final Problems problems = new Problems();

  private Optional<Pipeline> read(String yaml, boolean isOpen) {
    Catalogue catalogue = Catalogues.of(MECHANISMS, Enforcement.NONE, problems);
    return Catalogues.node(yaml, problems).flatMap(node -> AccessSteps.read(node, isOpen, catalogue, problems));
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', textBlock = """
      []                                             | must contain at least 1 item
      [{authorizer: nobody}]                         | there is no authenticator
      [{authenticator: anon}]                        | the authenticator `anon` admits everyone
      [{authenticator: staff}, {authenticator: anon}] | the authenticator `anon` admits everyone
      [{authenticator: staf}]                        | staf
      [{authenticator: staff}, {finalizer: noop}]    | finalizer
      staff                                          | a list
      """)
  void stepsThatProtectNothingAreRefused(String yaml, String problem) {
    assertTrue(read(yaml, false).isEmpty());
    assertTrue(Catalogues.reported(problems).contains(problem), Catalogues.reported(problems));
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', textBlock = """
      [{authenticator: staff}]                       | false | 1
      [{authenticator: staff}, {authorizer: nobody}] | false | 1
      [{authenticator: staff}, {authenticator: anon}] | true | 2
      [{authenticator: anon}]                        | true  | 1
      """)
  void stepsOfRulesProtectServices(String yaml, boolean isOpen, int authenticators) {
    assertEquals(Optional.of(authenticators), read(yaml, isOpen).map(p -> p.authenticators().size()));
  }
}
