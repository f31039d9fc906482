package portcullis.policy.rule;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import portcullis.config.Enforcement;
import portcullis.lang.source.Problem;
import portcullis.lang.source.Problems;
import portcullis.policy.catalogue.Catalogue;
import portcullis.policy.pipeline.Pipeline;

final class AccessStepsTest {
  private static final String MECHANISMS = """
      authenticators: [{id: anon, type: anonymous}, {id: staff, type: basic_auth,
        config: {user_id: op, password: secret}}, {id: key, type: jwt, config: {jwks_endpoint: {url: 'https://i.test'},
        assertions: {issuers: [i]}}}, {id: many, type: basic_auth, config: {users: '%1$s'}},
        {id: locked, type: basic_auth, config: {users: '%1$s', lockout: {}}}]
      authorizers: [{id: nobody, type: deny}]
      finalizers: [{id: noop, type: noop}]
      """;

  private final Problems problems = new Problems();

  @TempDir
  private Path folder;

  @BeforeEach
  void makeUsers() throws IOException {
    Files.writeString(folder.resolve("users.yaml"), "ann: {password: \"$2y$10$" + "a".repeat(52) + "u\"}\n");
  }

  private Optional<Pipeline> read(String yaml, boolean isOpen) {
    Catalogue catalogue = Catalogues.of(MECHANISMS.formatted(folder.resolve("users.yaml")), Enforcement.NONE, problems);
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

  @ParameterizedTest
  @CsvSource(delimiter = '|', textBlock = """
      [{authenticator: staff}, {authenticator: staff}] | staff
      [{authenticator: key}, {authenticator: many}]    | many
      [{authenticator: locked}, {authenticator: key}]  |
      """)
  void passwordsThatCanBeGuessedAreAWarning(String yaml, String name) {
    assertTrue(read(yaml, false).isPresent());
    assertEquals(name == null ? List.of()
        : List.of("the authenticator `" + name + "` accepts any number of wrong "
            + "passwords"),
        problems.sorted().stream().map(Problem::message).toList());
  }
}
