package portcullis.verify;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.function.Supplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import portcullis.fixture.TestKeys;
import portcullis.lang.inputs.HiddenInputs;

/** The time and the random numbers of a case are given, so that whatever rules make of them can be expected. */
class RepeatableCasesTest {
  private static final String TIME = "2026-01-31T12:00:00Z";

  @TempDir
  private Path folder;
  private Path config;

  @BeforeEach
  void files() throws IOException {
    String key = Files.writeString(folder.resolve("key.pem"), TestKeys.pem(TestKeys.ec(256))).toString();
    config = TestSuite.write(folder.resolve("config.yaml"), """
        mechanisms:
          authenticators: [ { id: anybody, type: anonymous } ]
          authorizers:
            - id: ask
              type: remote
              config:
                payload: x
                endpoint:
                  url: http://check.local/
                  auth:
                    type: http_message_signatures
                    config: { signer: { key_store: { path: %1$s } }, components: [ "@method" ] }
          finalizers:
            - { id: token, type: jwt, config: { signer: { key_store: { path: %1$s } } } }
            - id: fields
              type: header
              config:
                headers:
                  X-Time: '{{ now | date "2006-01-02" }}'
                  X-Id: '{{ uuidv4 }}'
                  X-Number: '{{ randInt 0 1000000 }}'
                  X-Letters: '{{ randAlpha 8 }}{{ shuffle "abcdefghij" }}'
        """.formatted(key));
    TestSuite.write(folder.resolve("rules.yaml"), """
        version: 1alpha4
        rules:
          - id: signed
            match: { routes: [ { path: /signed } ] }
            execute: [ { authenticator: anybody }, { authorizer: ask }, { finalizer: token } ]
          - id: fields
            match: { routes: [ { path: /fields } ] }
            execute: [ { authenticator: anybody }, { finalizer: fields } ]
        """);
  }

  private List<String> wrong(String cases) {
    TestSuite suite = new TestSuite();
    Optional<Suite.Outcome> outcome = suite.run(config, TestSuite.write(folder.resolve("rules_test.yaml"),
        "rules: rules.yaml\nnow: " + TIME + "\n" + cases));
    assertEquals(List.of(), suite.problems());
    return outcome.orElseThrow().results().stream().flatMap(result -> result.wrong().stream()).toList();
  }

  private static <T> T drawn(long seed, Supplier<T> values) {
    return new HiddenInputs(InstantSource.fixed(Instant.parse(TIME)), new SplittableRandom(seed)).call(values::get);
  }

  /** Expects the nonce and the id that the numbers of this seed make, in this order. */
  private static String expectation(long seed) {
    return drawn(seed, () -> {
      String nonce = Base64.getUrlEncoder().withoutPadding().encodeToString(HiddenInputs.bytes(16));
      UUID id = HiddenInputs.uuid();
      return "expect: { calls: [ { headers: { Signature-Input: '~ ;created=1769860800;.*;nonce=\"" + nonce
          + "\"' } } ], upstream: { headers: { Authorization: { jwt: { jti: " + id + ", iat: 1769860800 } } } } }";
    });
  }

  @Test
  void idsOfTokensAndNoncesFollowTheSeed() {
    String request = " request: GET http://h/signed, stubs: [ { step: ask } ], ";
    assertEquals(List.of(), wrong("seed: 7\ncases:\n  - { name: of the file," + request + expectation(7) + " }\n"
        + "  - { name: its own, seed: 8," + request + expectation(8) + " }\n"));
    assertEquals(List.of(), wrong("cases:\n  - { name: default," + request + expectation(0) + " }\n"));
  }

  @Test
  void templatesUseTheGivenTimeAndSeed() {
    String first = "  - { name: a, request: GET http://h/fields, expect: { upstream: { headers: { X-Time: 2026-01-31,"
        + " X-Id: " + drawn(0, HiddenInputs::uuid) + " } } } }\n";
    assertEquals(List.of(), wrong("cases:\n" + first + first));
    String numbers = wrong("cases:\n  - { name: a, request: GET http://h/fields, expect: { upstream: { headers:"
        + " { X-Number: none, X-Letters: none } } } }\n").toString();
    assertEquals(numbers, wrong("cases:\n  - { name: a, request: GET http://h/fields, expect: { upstream: { headers:"
        + " { X-Number: none, X-Letters: none } } } }\n").toString());
  }
}
